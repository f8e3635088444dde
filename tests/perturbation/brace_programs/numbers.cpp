#include <cstdlib>
#include <vector>

int gcd(int first, int second) {
    while (second != 0) {
        int rest = first % second;
        first = second;
        second = rest;
    }
    return std::abs(first);
}

bool is_prime(int number) {
    if (number < 2) {
        return false;
    }
    for (int divisor = 2; divisor * divisor <= number; divisor++) {
        if (number % divisor == 0) {
            return false;
        }
    }
    return true;
}

/* Prime numbers below a limit. */
std::vector<int> primes(int limit) {
    std::vector<int> found;
    int number = 2;
    while (number < limit) {
        if (is_prime(number)) {
            found.push_back(number);
        }
        number = number + 1;
    }
    return found;
}

int sign(int number) {
    if (number > 0) {
        return 1;
    } else if (number < 0) {
        return -1;
    } else {
        return 0;
    }
}
