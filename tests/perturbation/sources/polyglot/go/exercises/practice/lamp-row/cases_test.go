package lamprow

var testCases = []struct {
	description string
	lamps       int
	walkers     []int
	want        int
}{
	{"nobody walks", 5, nil, 0},
	{"one walker", 5, []int{2}, 2},
	{"two walkers", 6, []int{2, 3}, 3},
}
