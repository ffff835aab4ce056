package lsp

import "strings"

// documentPart is which part of a document an offset is in.
type documentPart uint8

const (
	outside documentPart = iota // on the fences, or in a file that is too large
	fields                      // frontmatter, or a file that is YAML or JSON as a whole
	body
)

// partOf tells the part, and where the YAML begins.
func (b *buffer) partOf(offset int) (part documentPart, start int) {
	if len(b.text.string) > maxEdited {
		return outside, 0
	}
	start = b.text.mark()
	if b.kind == settingsFile || b.kind == contextFile || b.kind == testFile {
		return fields, start
	}
	first, last, ok := b.fences()
	switch {
	case !ok:
		return body, start
	case offset < first || offset < last.open && last.closed && offset > last.start:
		return outside, first
	case offset <= last.start:
		return fields, first
	}
	return body, first
}

// maxEdited is how large a document may be to be helped with while it is edited.
const maxEdited = 1 << 20

// fence is the line that ends frontmatter.
type fence struct {
	start, open int // where it begins, and where the body does
	closed      bool
}

// fences finds the frontmatter of a Markdown file, also one that is not closed yet.
func (b *buffer) fences() (first int, last fence, ok bool) {
	text, mark := b.text.string, b.text.mark()
	if !isFence(b.text.line(0)[min(mark, len(b.text.line(0))):]) {
		return 0, fence{}, false
	}
	if len(b.text.lines) == 1 {
		return len(text), fence{start: len(text), open: len(text)}, true
	}
	first = b.text.lines[1]
	for i := 1; i < len(b.text.lines); i++ {
		if !isFence(b.text.line(i)) {
			continue
		}
		open := len(text)
		if i+1 < len(b.text.lines) {
			open = b.text.lines[i+1]
		}
		return first, fence{start: b.text.lines[i], open: open, closed: true}, true
	}
	return first, fence{start: len(text), open: len(text)}, true
}

func isFence(line string) bool { return strings.TrimRight(line, " \t") == "---" }
