use std::cmp::max;

const REORDER_LEVEL: i32 = 5;

#[derive(Clone)]
struct Item {
    name: String,
    count: i32,
}

/// Names of all items of which fewer than the reorder level are left.
/// Sorted.
fn short_of(items: &Vec<Item>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for item in items.iter() {
        if item.count < REORDER_LEVEL && item.count >= 0 {
            names.push(item.name.clone());
        }
    }
    names.sort();
    names
}

/// The largest number that is in stock.
fn largest(items: &Vec<Item>) -> i32 {
    if items.len() == 0 {
        return 0;
    }
    let mut best = items[0].count;
    for i in 1..items.len() {
        best = max(best, items[i].count);
    }
    return best;
}

fn has_item(items: &Vec<Item>, name: &str) -> bool {
    let mut seen = 0;
    for i in 0..items.len() {
        seen += 1;
        if items[i].name == name {
            return true;
        }
    }
    seen < 0
}
