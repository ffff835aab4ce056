package secret

import "bytes"

// keyMarks are what private keys begin with, or the lines around them: PEM, OpenPGP,
// SSH2, PuTTY and age.
var keyMarks = []string{"PRIVATE KEY-----", "PRIVATE KEY BLOCK-----", "PRIVATE KEY ----", "PUTTY-USER-KEY-FILE-", "AGE-SECRET-KEY-"}

// Holds tells whether the text of a file, whose path has slashes, has a private key in it, or a token of a well-known service, whatever
// its name is. Addresses with a password are secrets in what is no Markdown: people write about them there.
func Holds(path string, data []byte) bool {
	data = withoutZeros(data)
	return holdsToken(data) || holdsKey(data, func([]byte) bool { return true }) || !IsMarkdown(path) && holdsLogin(data)
}

// HoldsPrivateKey tells whether the text of a file, whose path has slashes, has a private key in it. Text that people write may show how
// one begins: there it is one that follows.
func HoldsPrivateKey(path string, data []byte) bool {
	if IsText(path) {
		return holdsKey(withoutZeros(data), beginsKey)
	}
	return holdsKey(withoutZeros(data), func([]byte) bool { return true })
}

// withoutZeros makes ASCII, where a key is, of UTF-16 and UTF-32, with a mark at the start or not.
func withoutZeros(data []byte) []byte {
	if bytes.IndexByte(data, 0) < 0 {
		return data
	}
	return bytes.ReplaceAll(data, []byte{0}, nil)
}

// holdsKey finds the marks of private keys with the right thing after them. Case does not count, since that of age keys may be either.
func holdsKey(data []byte, right func(after []byte) bool) bool {
	data = bytes.ToUpper(data)
	for _, mark := range keyMarks {
		if has(data, mark, func(_, after []byte) bool { return right(after) }) {
			return true
		}
	}
	return holdsCommentedKey(data)
}

// beginsKey tells whether a line of a key is in a text.
func beginsKey(text []byte) bool {
	const least = 32 // characters of base64 in a row
	for len(text) > 0 {
		line := run(text, base64.has)
		if len(line) >= least {
			return true
		}
		text = text[min(len(line)+1, len(text)):]
	}
	return false
}

// holdsCommentedKey finds secret keys of minisign and signify by the line above them. data is in capital letters.
func holdsCommentedKey(data []byte) bool {
	const comment = "UNTRUSTED COMMENT:"
	for {
		_, rest, found := bytes.Cut(data, []byte(comment))
		if !found {
			return false
		}
		line, _, _ := bytes.Cut(rest[:min(longest, len(rest))], []byte("\n"))
		if bytes.Contains(line, []byte("SECRET KEY")) {
			return true
		}
		data = rest
	}
}
