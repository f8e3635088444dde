fn gcd(mut first: i32, mut second: i32) -> i32 {
    while second != 0 {
        let rest = first % second;
        first = second;
        second = rest;
    }
    first.abs()
}

fn is_prime(number: i32) -> bool {
    if number < 2 {
        return false;
    }
    let mut divisor = 2;
    while divisor * divisor <= number {
        if number % divisor == 0 {
            return false;
        }
        divisor += 1;
    }
    true
}

/// Prime numbers below a limit.
fn primes(limit: i32) -> Vec<i32> {
    let mut found = Vec::new();
    let mut number = 2;
    while number < limit {
        if is_prime(number) {
            found.push(number);
        }
        number = number + 1;
    }
    return found;
}

fn sign(number: i32) -> i32 {
    if number > 0 {
        1
    } else if number < 0 {
        -1
    } else {
        0
    }
}
