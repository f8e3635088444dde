package lamprow

// Burning counts the lamps that burn after all walkers.
func Burning(lamps int, walkers []int) int {
	burning := 0
	for lamp := 1; lamp <= lamps; lamp++ {
		on := false
		for _, walker := range walkers {
			if lamp%walker == 0 {
				on = !on
			}
		}
		if on {
			burning++
		}
	}
	return burning
}
