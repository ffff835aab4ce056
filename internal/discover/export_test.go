package discover

import (
	"fmt"

	"github.com/pertain-dev/pertain/internal/agent"
)

// Code describes the code and the comments of a Markdown text by their offsets.
func Code(text string) string {
	code := codeRanges(text)
	all, own := commentRanges(text, code)
	inside := ""
	for i := range len(text) {
		if inCode(code, i) {
			inside += "x"
		} else {
			inside += "."
		}
	}
	return fmt.Sprintf("code %v %s\ncomments %v own %v merged %v\n", code, inside, all, own, merged(code, all))
}

// IgnoredBy tells whether a line of .gitignore names a path of the root, and how many
// steps that took; ok is false if it can name nothing.
func IgnoredBy(line, path string, isFolder bool) (named bool, steps int, ok bool) {
	l, ok := parseIgnore(line)
	if !ok {
		return false, 0, false
	}
	keep := l.keep
	l.keep = false
	spent := &ignoreEffort{}
	list := &ignore{lines: []ignoreLine{l}, spent: spent}
	return list.names(path, isFolder) != keep, spent.steps, true
}

// Mentions are the files that a line of text names for an agent to import.
func Mentions(of, line string) []string {
	a, _ := agent.Lookup(of)
	x := &expansion{imports: &a.Imports}
	var out []string
	for _, m := range x.find(line) {
		out = append(out, fmt.Sprintf("%d-%d %s", m.Start, m.End, m.target(line)))
	}
	return out
}

// Secret tells by its path, and by its text, whether a file looks like a secret.
func Secret(path string, data []byte) (name, folder, text bool) {
	return hasSecretName(path), inSecretFolder(path), holdsKey(data)
}

// WithoutComments is JSON made of JSON with comments.
func WithoutComments(text string) string { return string(withoutComments([]byte(text))) }

// ByteCount writes a limit as people do.
func ByteCount(n int64) string { return byteCount(n) }
