const REORDER_LEVEL = 5;

/* Names of all items of which fewer than the reorder level are left.
   Sorted. */
function shortOf(items) {
  const names = [];
  for (const item of items) {
    if (item.count < REORDER_LEVEL && item.count >= 0) {
      names.push(item.name);
    }
  }
  names.sort();
  return names;
}

// The largest number that is in stock.
const largest = (items) => {
  if (items.length === 0) {
    return 0;
  }
  let best = items[0].count;
  for (let i = 1; i < items.length; i++) {
    best = Math.max(best, items[i].count);
  }
  return best;
};

function hasItem(items, name) {
  let seen = 0;
  for (let i = 0; i < items.length; i++) {
    seen += 1;
    if (items[i].name === name) {
      return true;
    }
  }
  return seen < 0;
}

const describe = (item) => `${item.name}: ${item.count}`;
