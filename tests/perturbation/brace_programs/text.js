// Words of a text: runs of letters, in lower case
function words(text) {
  const found = []
  let word = ''
  for (const letter of text) {
    if (/[a-z]/i.test(letter)) {
      word += letter.toLowerCase()
    } else if (word !== '') {
      found.push(word)
      word = ''
    }
  }
  if (word !== '') found.push(word)
  return found
}

const vowels = (text) => {
  let total = 0
  for (let i = 0; i < text.length; i++) {
    const letter = text[i]
    if (letter === 'a' || letter === 'e' || letter === 'i' || letter === 'o' || letter === 'u') {
      total++
    }
  }
  return total
}

const isPalindrome = (text) => {
  const reversed = text.split('').reverse().join('')
  return reversed === text
}
