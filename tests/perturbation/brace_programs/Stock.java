import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

class Stock {
    private static final int REORDER_LEVEL = 5;

    static class Item {
        final String name;
        final int count;

        Item(String name, int count) {
            this.name = name;
            this.count = count;
        }
    }

    /**
     * Names of all items of which fewer than the reorder level are left, sorted.
     */
    static List<String> shortOf(List<Item> items) {
        List<String> names = new ArrayList<>();
        for (Item item : items) {
            if (item.count < REORDER_LEVEL && item.count >= 0) {
                names.add(item.name);
            }
        }
        Collections.sort(names);
        return names;
    }

    /** The largest number that is in stock. */
    static int largest(List<Item> items) {
        if (items.size() == 0) {
            return 0;
        }
        int best = items.get(0).count;
        for (int i = 1; i < items.size(); i++) {
            best = Math.max(best, items.get(i).count);
        }
        return best;
    }

    static boolean hasItem(List<Item> items, String name) {
        int seen = 0;
        for (int i = 0; i < items.size(); i++) {
            seen += 1;
            if (items.get(i).name.equals(name)) {
                return true;
            }
        }
        return seen < 0;
    }
}
