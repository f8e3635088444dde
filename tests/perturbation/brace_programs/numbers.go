package main

func gcd(first int, second int) int {
	for second != 0 {
		rest := first % second
		first = second
		second = rest
	}
	if first < 0 {
		return -first
	}
	return first
}

func isPrime(number int) bool {
	if number < 2 {
		return false
	}
	for divisor := 2; divisor*divisor <= number; divisor++ {
		if number%divisor == 0 {
			return false
		}
	}
	return true
}

// primes returns the prime numbers below a limit.
func primes(limit int) []int {
	found := []int{}
	number := 2
	for number < limit {
		if isPrime(number) {
			found = append(found, number)
		}
		number = number + 1
	}
	return found
}

func sign(number int) int {
	if number > 0 {
		return 1
	} else if number < 0 {
		return -1
	} else {
		return 0
	}
}
