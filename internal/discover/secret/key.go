package secret

import "bytes"

// keyMarks are what private keys begin with, or the lines around them: PEM, OpenPGP,
// SSH2, PuTTY and age.
var keyMarks = []string{"PRIVATE KEY-----", "PRIVATE KEY BLOCK-----", "PRIVATE KEY ----", "PUTTY-USER-KEY-FILE-", "AGE-SECRET-KEY-"}

// Holds tells whether the text of a file, whose path has slashes, has a private key in it, or a token of a well-known service, whatever
// its name is. Addresses with a password are secrets in what is no Markdown: people write about them there.
func Holds(path string, data []byte) bool {
	data = withoutZeros(data)
	return holdsToken(data) || holdsKey(data) || !IsMarkdown(path) && holdsLogin(data)
}

// withoutZeros makes ASCII, where a key is, of UTF-16 and UTF-32, with a mark at the start or not.
func withoutZeros(data []byte) []byte {
	if bytes.IndexByte(data, 0) < 0 {
		return data
	}
	return bytes.ReplaceAll(data, []byte{0}, nil)
}

// holdsKey finds the marks of private keys. Case does not count, since that of age keys may be either.
func holdsKey(data []byte) bool {
	data = bytes.ToUpper(data)
	for _, mark := range keyMarks {
		if bytes.Contains(data, []byte(mark)) {
			return true
		}
	}
	return holdsCommentedKey(data)
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
