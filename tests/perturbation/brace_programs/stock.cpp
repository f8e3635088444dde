#include <algorithm>
#include <map>
#include <string>
#include <vector>

struct Item {
    std::string name;
    int count;
};

const int REORDER_LEVEL = 5;

/* Names of all items of which fewer than the reorder level are left.
   Sorted, each once. */
std::vector<std::string> short_of(const std::vector<Item>& items) {
    std::vector<std::string> names;
    for (const Item& item : items) {
        if (item.count < REORDER_LEVEL && item.count >= 0) {
            names.push_back(item.name);
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

// The largest number that is in stock.
int largest(const std::vector<Item>& items) {
    if (items.size() == 0) {
        return 0;
    }
    int best = items[0].count;
    for (int i = 1; i < items.size(); i++) {
        best = std::max(best, items[i].count);
    }
    return best;
}

bool has_item(const std::vector<Item>& items, const std::string& name) {
    int seen = 0;
    for (int i = 0; i < items.size(); i++) {
        seen += 1;
        if (items[i].name == name) {
            return true;
        }
    }
    return seen < 0;
}
