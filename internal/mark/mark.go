// Package mark is the line by which a file says that `pertain export` made it, and from what. The line holds a hash of the file,
// so that whoever changed it since is seen. [Seal] makes it, [Find] finds it; a hand-written file may instead have a section
// between two marks, which [FindSection] finds.
//
// A mark is a claim of the file and nothing more: anybody can write one. It keeps a hand from being overwritten, and it
// never makes a file be trusted.
package mark

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Mark is what a file, or a section of one, says about itself.
type Mark struct {
	Sources []string // the files that it was made from, with slashes, relative to the project; `~/…` is below the home
	Intact  bool     // nothing in it was changed since, line ends aside
}

const (
	made       = `Made by "pertain export" from `
	remedy     = "; change that and export again. sha256:"
	hashLength = 16
	noHash     = "0000000000000000"
)

// YAML is the mark as a comment of frontmatter, HTML as one of Markdown: each one line, without its end, to be sealed.
func YAML(sources []string) string { return "# " + made + list(sources) + remedy + noHash }

// HTML is the mark as a comment of Markdown.
func HTML(sources []string) string { return "<!-- " + made + list(sources) + remedy + noHash + " -->" }

// Seal fills in the hash of a text whose mark is its first line, or the first of its frontmatter.
func Seal(text string) string {
	start, _, ok := locate(text)
	if !ok {
		return text
	}
	return text[:start] + hash(text[:start]+noHash+text[start+hashLength:]) + text[start+hashLength:]
}

// Find finds the mark of a whole file.
func Find(text string) (Mark, bool) {
	text = plain(text)
	start, sources, ok := locate(text)
	if !ok {
		return Mark{}, false
	}
	return Mark{Sources: sources, Intact: text[start:start+hashLength] == hash(text[:start]+noHash+text[start+hashLength:])}, true
}

// Strip takes the mark off the text of a file that has no frontmatter, and the blank line after it. Where the mark is a comment of
// frontmatter, it is no text, and nothing changes.
func Strip(text string) string {
	first, rest, _ := strings.Cut(strings.TrimPrefix(text, "\ufeff"), "\n")
	if !strings.HasPrefix(first, "<!-- "+made) {
		return text
	}
	if _, _, ok := locate(plain(text)); !ok {
		return text
	}
	rest = strings.TrimPrefix(rest, "\r")
	return strings.TrimPrefix(rest, "\n")
}

// Body is the text of a file with the mark in its frontmatter, for whoever has both as one text. Other texts stay as they are.
func Body(text string) string {
	if start, _, ok := locate(plain(text)); !ok || start == 0 || !strings.HasPrefix(plain(text), "---\n") {
		return text
	}
	_, body, found := strings.Cut(plain(text)[len("---\n"):], "\n---\n")
	if !found {
		return text
	}
	return strings.TrimLeft(body, "\n")
}

// plain is a text as it is hashed: as if no editor or version control had touched its line ends.
func plain(text string) string {
	return strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
}

// locate finds where the hash of the mark begins.
func locate(text string) (start int, sources []string, ok bool) {
	at := 0
	if rest, found := strings.CutPrefix(text, "---\n"); found {
		at = len(text) - len(rest)
	}
	line, _, _ := strings.Cut(text[at:], "\n")
	begin, end := "# ", ""
	if at == 0 {
		begin, end = "<!-- ", " -->"
	}
	body, ok := strings.CutPrefix(line, begin)
	if !ok || !strings.HasPrefix(body, made) || !strings.HasSuffix(body, end) {
		return 0, nil, false
	}
	names, sum, found := strings.Cut(strings.TrimSuffix(body[len(made):], end), remedy)
	if !found || !isHash(sum) {
		return 0, nil, false
	}
	return at + len(line) - len(end) - hashLength, unlist(names), true
}

func isHash(s string) bool {
	return len(s) == hashLength && strings.Trim(s, "0123456789abcdef") == ""
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(plain(text)))
	return hex.EncodeToString(sum[:])[:hashLength]
}
