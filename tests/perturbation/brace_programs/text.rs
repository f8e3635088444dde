/// Words of a text: runs of letters, in lower case.
fn words(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut word = String::new();
    for letter in text.chars() {
        if letter.is_alphabetic() {
            word.push(letter.to_ascii_lowercase());
        } else if !word.is_empty() {
            found.push(word.clone());
            word = String::new();
        }
    }
    if !word.is_empty() {
        found.push(word);
    }
    found
}

fn vowels(text: &str) -> i32 {
    let mut total = 0;
    for letter in text.chars() {
        if letter == 'a' || letter == 'e' || letter == 'i' || letter == 'o' || letter == 'u' {
            total += 1;
        }
    }
    total
}

fn is_palindrome(text: &str) -> bool {
    let letters: Vec<char> = text.chars().collect();
    let mut left = 0;
    let mut right = letters.len();
    while left < right {
        right -= 1;
        if letters[left] != letters[right] {
            return false;
        }
        left += 1;
    }
    true
}
