package lamprow

func Burning(lamps int, walkers []int) int {
	panic("Please implement the Burning function")
}
