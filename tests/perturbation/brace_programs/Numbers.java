import java.util.*;

public class Numbers {
    public static int gcd(int first, int second) {
        while (second != 0) {
            int rest = first % second;
            first = second;
            second = rest;
        }
        return Math.abs(first);
    }

    public static boolean isPrime(int number) {
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
    public static List<Integer> primes(int limit) {
        List<Integer> found = new ArrayList<>();
        int number = 2;
        while (number < limit) {
            if (isPrime(number)) {
                found.add(number);
            }
            number = number + 1;
        }
        return found;
    }

    public static int sign(int number) {
        return number > 0 ? 1 : number < 0 ? -1 : 0;
    }
}
