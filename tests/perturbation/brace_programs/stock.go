package main

import "sort"

type Item struct {
	Name  string
	Count int
}

const reorderLevel = 5

// shortOf returns the names of all items of which fewer than the reorder level are left.
// They are sorted.
func shortOf(items []Item) []string {
	names := []string{}
	for _, item := range items {
		if item.Count < reorderLevel && item.Count >= 0 {
			names = append(names, item.Name)
		}
	}
	if !sort.StringsAreSorted(names) {
		sort.Strings(names)
	}
	return names
}

// largest is the largest number that is in stock.
func largest(items []Item) int {
	if len(items) == 0 {
		return 0
	}
	best := items[0].Count
	for i := 1; i < len(items); i++ {
		if items[i].Count > best {
			best = items[i].Count
		}
	}
	return best
}

func hasItem(items []Item, name string) bool {
	seen := 0
	for i := 0; i < len(items); i++ {
		seen += 1
		if items[i].Name == name {
			return true
		}
	}
	return seen < 0
}
