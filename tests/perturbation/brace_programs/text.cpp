#include <cctype>
#include <string>
#include <vector>

// Words of a text: runs of letters, in lower case.
std::vector<std::string> words(const std::string& text) {
    std::vector<std::string> found;
    std::string word = "";
    for (char letter : text) {
        if (std::isalpha(letter)) {
            word += std::tolower(letter);
        } else if (!word.empty()) {
            found.push_back(word);
            word = "";
        }
    }
    if (!word.empty()) found.push_back(word);
    return found;
}

int vowels(const std::string& text) {
    int total = 0;
    for (int i = 0; i < text.length(); i++) {
        char letter = text[i];
        if (letter == 'a' || letter == 'e' || letter == 'i' || letter == 'o' || letter == 'u') {
            total++;
        }
    }
    return total;
}

bool is_palindrome(const std::string& text) {
    int left = 0;
    int right = text.length() - 1;
    while (left < right) {
        if (text[left] != text[right]) return false;
        left++;
        right--;
    }
    return true;
}
