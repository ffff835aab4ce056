package files

import "strings"

// maxGitFile is how large git's files with one path or name in them may be, in bytes.
const maxGitFile = 64 << 10

// GitLine is the first line of one of git's small files, such as HEAD, a reference or `commondir`, without blanks at its end. It may lie anywhere,
// and what it says is never shown: who reads it checks where it leads.
func GitLine(tree Tree, path string) (string, error) {
	data, _, err := ReadWithin(tree, path, Anywhere(), maxGitFile)
	if err != nil {
		return "", err
	}
	line, _, _ := strings.Cut(string(data), "\n")
	return strings.TrimRight(line, " \t\r"), nil
}

// GitPointer is the absolute path that the first line of one of git's files names, after a word such as `gitdir:`; false if there is none. Relative
// ones begin at base.
func GitPointer(tree Tree, base, file, word string) (path string, ok bool) {
	line, err := GitLine(tree, file)
	if err != nil {
		return "", false
	}
	text, ok := strings.CutPrefix(line, word)
	if text = strings.TrimSpace(text); !ok || text == "" || strings.ContainsRune(text, 0) {
		return "", false
	}
	return tree.Flavor().Abs(base, text), true
}
