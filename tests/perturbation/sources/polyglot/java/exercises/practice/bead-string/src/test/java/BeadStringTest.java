import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;

public class BeadStringTest {
    @Test
    public void emptyString() {
        assertEquals(0, new BeadString().longestRun(""));
    }

    @Disabled("Remove to run test")
    @Test
    public void longestInTheMiddle() {
        assertEquals(3, new BeadString().longestRun("rbbbr"));
    }
}
