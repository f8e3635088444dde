import java.util.ArrayList;
import java.util.List;

class Text {
    // Words of a text: runs of letters, in lower case.
    List<String> words(String text) {
        List<String> found = new ArrayList<>();
        String word = "";
        for (char letter : text.toCharArray()) {
            if (Character.isLetter(letter)) {
                word += Character.toLowerCase(letter);
            } else if (!word.isEmpty()) {
                found.add(word);
                word = "";
            }
        }
        if (!word.isEmpty()) found.add(word);
        return found;
    }

    int vowels(String text) {
        int total = 0;
        for (int i = 0; i < text.length(); i++) {
            char letter = text.charAt(i);
            if (letter == 'a' || letter == 'e' || letter == 'i' || letter == 'o' || letter == 'u') {
                total++;
            }
        }
        return total;
    }

    boolean isPalindrome(String text) {
        int left = 0;
        int right = text.length() - 1;
        while (left < right) {
            if (text.charAt(left) != text.charAt(right)) return false;
            left++;
            right--;
        }
        return true;
    }
}
