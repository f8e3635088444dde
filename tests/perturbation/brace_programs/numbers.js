class Numbers {
  constructor(limit) {
    this.limit = limit;
  }

  primes() {
    const found = [];
    let number = 2;
    while (number < this.limit) {
      if (isPrime(number)) {
        found.push(number);
      }
      number = number + 1;
    }
    return found;
  }
}

function gcd(first, second) {
  while (second !== 0) {
    const rest = first % second;
    first = second;
    second = rest;
  }
  return Math.abs(first);
}

/** Whether a number has no divisors but one and itself. */
function isPrime(number) {
  if (number < 2) {
    return false;
  }
  for (let divisor = 2; divisor * divisor <= number; divisor++) {
    if (number % divisor === 0) {
      return false;
    }
  }
  return true;
}

function sign(number) {
  return number > 0 ? 1 : -1;
}
