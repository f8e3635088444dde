package axiom;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** Writes one record a line to the results pipe; the rewritten tests call is, equal and same for each of their values. */
public final class Cases {
    private static final int LENGTH = 500;
    private static FileOutputStream results;
    private static String nonce;
    private static final Map<Integer, String> sites = new HashMap<>();
    private static long since;

    private Cases() {}

    static void open(String nonce) throws Exception {
        // The pipe belongs to another user: it cannot be opened by its name under /proc, only by its number.
        FileDescriptor descriptor = new FileDescriptor();
        Field number = FileDescriptor.class.getDeclaredField("fd");
        number.setAccessible(true);
        number.setInt(descriptor, Integer.parseInt(System.getenv("AXIOM_RESULTS_FD")));
        results = new FileOutputStream(descriptor);
        Cases.nonce = nonce;
    }

    static void begin() {
        since = System.nanoTime();
        record("start", "#0");
    }

    /** One truth value of the tests' list. */
    public static boolean is(int site, boolean holds) {
        return settle(site, holds, null, null);
    }

    /** One comparison by equals, which is called as the tests call it. */
    public static boolean equal(int site, Object actual, Object expected) {
        boolean holds = actual.equals(expected);
        return settle(site, holds, holds ? null : shown(expected), holds ? null : shown(actual));
    }

    /** One comparison of numbers. */
    public static boolean same(int site, long actual, long expected) {
        return settle(site, actual == expected, Long.toString(expected), Long.toString(actual));
    }

    public static boolean same(int site, double actual, double expected) {
        return settle(site, actual == expected, Double.toString(expected), Double.toString(actual));
    }

    static int settled() {
        return sites.size();
    }

    static boolean allHold() {
        return !sites.containsValue("failed");
    }

    private static synchronized boolean settle(int site, boolean holds, String expected, String actual) {
        String outcome = holds ? "passed" : "failed";
        if (!"failed".equals(sites.get(site)) && !outcome.equals(sites.get(site))) {
            sites.put(site, outcome);
            record(
                "case", "#" + site, outcome, holds ? null : expected, holds ? null : actual,
                holds ? "" : "the value is not the expected one", seconds());
        }
        since = System.nanoTime();
        record("start", "#" + (site + 1));
        return holds;
    }

    private static double seconds() {
        return (System.nanoTime() - since) / 1e9;
    }

    static synchronized void record(Object... words) {
        StringBuilder line = new StringBuilder("\n").append(nonce).append(" [");
        for (int i = 0; i < words.length; i++) {
            line.append(i == 0 ? "" : ", ");
            if (words[i] instanceof String) {
                quote(line, (String) words[i]);
            } else {
                line.append(words[i]);
            }
        }
        try {
            results.write(line.append("]\n").toString().getBytes(StandardCharsets.US_ASCII));
        } catch (java.io.IOException error) {
            Runtime.getRuntime().halt(3);
        }
    }

    private static void quote(StringBuilder line, String text) {
        line.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c > '~' || c == '"' || c == '\\') {
                line.append(String.format("\\u%04x", (int) c));
            } else {
                line.append(c);
            }
        }
        line.append('"');
    }

    static String shown(Object value) {
        try {
            String text = String.valueOf(value);
            return text.length() <= LENGTH ? text : text.substring(0, LENGTH - 1) + "\u2026";
        } catch (Throwable error) {
            return "<no representation: " + error.getClass().getSimpleName() + ">";
        }
    }

    /** Type, words and the innermost line of the program or the tests that was reached. */
    static String described(Throwable error) {
        String words = shown(error.getMessage() == null ? "" : error.getMessage()).strip().replaceAll("\\s+", " ");
        String name = error.getClass().getSimpleName();
        String place = "";
        for (StackTraceElement element : error.getStackTrace()) {
            if (Harness.PROGRAMS.equals(element.getClassLoaderName())) {
                place = " (" + element.getFileName() + ":" + element.getLineNumber() + ")";
                break;
            }
        }
        if (error instanceof OutOfMemoryError) {
            record("memory");
        }
        return (words.isEmpty() ? name : name + ": " + words) + place;
    }
}
