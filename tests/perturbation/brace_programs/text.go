package main

import (
	"strings"
	"unicode"
)

// words returns the runs of letters of a text, in lower case.
func words(text string) []string {
	found := []string{}
	word := ""
	for _, letter := range text {
		if unicode.IsLetter(letter) {
			word += string(unicode.ToLower(letter))
		} else if word != "" {
			found = append(found, word)
			word = ""
		}
	}
	if word != "" {
		found = append(found, word)
	}
	return found
}

func vowels(text string) int {
	total := 0
	for _, letter := range strings.ToLower(text) {
		if letter == 'a' || letter == 'e' || letter == 'i' || letter == 'o' || letter == 'u' {
			total++
		}
	}
	return total
}

func isPalindrome(text string) bool {
	left, right := 0, len(text)-1
	for left < right {
		if text[left] != text[right] {
			return false
		}
		left++
		right--
	}
	return true
}
