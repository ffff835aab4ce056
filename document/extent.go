package document

import (
	"strings"
	"unicode/utf8"
)

// extent returns where a node begins and ends in the parsed text. Collections
// end where their last part ends, flow collections after the closing bracket.
func (n *Node) extent() (start, end int) {
	if of, _, _ := n.original(); of != nil {
		return n.derivedExtent()
	}
	start = n.start
	if n.IsScalar() {
		_, end := n.marks()
		first := n.contentStart()
		return first, max(end, first)
	}
	end = start
	if k := len(n.Entries); k > 0 {
		// An alias may stand elsewhere in the file; then the key ends the node.
		last := n.Entries[k-1]
		_, end = last.Key.extent()
		if s, e := last.Value.extent(); s >= end {
			end = e
		}
	}
	if k := len(n.Items); k > 0 {
		if s, e := n.Items[k-1].extent(); s >= end {
			end = e
		}
	}
	if n.style != flow {
		return start, end
	}
	if end == start {
		end = n.contentStart() + 1
	}
	return start, closeFlow(n.doc.text, end)
}

// closeFlow walks over blanks, commas and comments to the closing bracket.
func closeFlow(text string, at int) int {
	for i := at; i < len(text); i++ {
		switch text[i] {
		case ' ', '\t', '\r', '\n', ',':
		case '#':
			for i < len(text) && text[i] != '\n' {
				i++
			}
		case ']', '}':
			return i + 1
		default:
			return at
		}
	}
	return at
}

// contentStart is the node's start after its anchor and tag, if it has them.
func (n *Node) contentStart() int {
	text, i := n.doc.text, n.start
	for i < len(text) && (text[i] == '&' || text[i] == '!') {
		for i < len(text) && !isBlank(text[i]) && !isBreak(text[i]) {
			i++
		}
		for i < len(text) && (isBlank(text[i]) || isBreak(text[i])) {
			i++
		}
	}
	return i
}

// marks returns, for each byte of the decoded text and for its end, the offset
// in the parsed text it came from, and where the scalar's notation ends. The
// decoded text is known to be right, so it guides the reading: where the two do
// not line up, the offset stays at the last one that did.
func (n *Node) marks() (marks []int, end int) {
	if known := n.doc.marked.Load(); known != nil && known.node == n {
		return known.marks, known.end
	}
	marks, end = n.align()
	n.doc.marked.Store(&marked{n, marks, end})
	return marks, end
}

// marked are the marks of a node.
type marked struct {
	node  *Node
	marks []int
	end   int
}

func (n *Node) align() (marks []int, end int) {
	w := alignment{source: n.doc.text, decoded: n.Text, at: n.contentStart()}
	switch n.style {
	case singleQuoted, doubleQuoted:
		w.at++
		w.quoted(n.style == doubleQuoted)
	case literal, folded:
		w.blockScalar()
	default:
		w.plainScalar()
	}
	stop := w.at
	for len(w.marks) <= len(n.Text) {
		w.marks = append(w.marks, stop)
	}
	if n.style == singleQuoted || n.style == doubleQuoted {
		w.at = min(w.at+1, len(w.source))
	}
	return w.marks, w.at
}

// alignment walks the notation of a scalar and its decoded text side by side.
type alignment struct {
	source, decoded string
	at              int // next byte of source
	marks           []int
}

func (w *alignment) next() int { return len(w.marks) }

// emit says that count decoded bytes came from one offset.
func (w *alignment) emit(count, from int) {
	for range count {
		if w.next() < len(w.decoded) {
			w.marks = append(w.marks, from)
		}
	}
}

func (w *alignment) plainScalar() {
	for w.next() < len(w.decoded) && w.at < len(w.source) {
		if run, breaks := w.blankRun(); breaks > 0 {
			w.fold(run, breaks)
			continue
		}
		w.marks = append(w.marks, w.at)
		w.at++
	}
}

func (w *alignment) quoted(double bool) {
	for w.at < len(w.source) {
		c := w.source[w.at]
		switch {
		case !double && c == '\'':
			if w.at+1 >= len(w.source) || w.source[w.at+1] != '\'' {
				return
			}
			w.emit(1, w.at)
			w.at += 2
		case double && c == '"':
			return
		case double && c == '\\':
			w.escape()
		default:
			if run, breaks := w.blankRun(); breaks > 0 {
				w.fold(run, breaks)
				continue
			}
			w.emit(1, w.at)
			w.at++
		}
	}
}

// escape reads one escape sequence of a double-quoted scalar.
func (w *alignment) escape() {
	from := w.at
	w.at += 2
	digits := 0
	switch w.source[from+1] {
	case 'x':
		digits = 2
	case 'u':
		digits = 4
		if pair().MatchString(w.source[from:min(len(w.source), from+12)]) {
			digits = 10
		}
	case 'U':
		digits = 8
	case '\r', '\n': // an escaped line break joins the lines
		rest := strings.TrimPrefix(w.source[from+1:], "\r")
		rest = strings.TrimPrefix(rest, "\n")
		w.at = len(w.source) - len(strings.TrimLeft(rest, " \t"))
		return
	}
	w.at = min(w.at+digits, len(w.source))
	_, size := utf8.DecodeRuneInString(w.decoded[w.next():])
	w.emit(size, from)
}

// blankRun measures the white space at the current offset.
func (w *alignment) blankRun() (length, breaks int) {
	i := w.at
	for i < len(w.source) && (isBlank(w.source[i]) || isBreak(w.source[i])) {
		if w.source[i] == '\n' || w.source[i] == '\r' && !strings.HasPrefix(w.source[i+1:], "\n") {
			breaks++
		}
		i++
	}
	return i - w.at, breaks
}

// fold takes a run of white space with line breaks: one becomes a blank, more
// become one break less.
func (w *alignment) fold(run, breaks int) {
	if strings.HasPrefix(w.decoded[w.next():], " ") {
		w.emit(1, w.at)
	} else {
		w.emit(breaks-1, w.at)
	}
	w.at += run
}

// blockScalar aligns line by line: each source line without its indentation
// appears in the decoded text, with blanks or breaks in between.
func (w *alignment) blockScalar() {
	if i := strings.IndexByte(w.source[w.at:], '\n'); i >= 0 {
		w.at += i + 1
	} else {
		w.at = len(w.source)
	}
	for w.next() < len(w.decoded) && w.at < len(w.source) {
		end := len(w.source)
		if i := strings.IndexByte(w.source[w.at:], '\n'); i >= 0 {
			end = w.at + i
		}
		line := strings.TrimSuffix(w.source[w.at:end], "\r")
		content := strings.TrimLeft(line, " ")
		if content != "" {
			from := w.at + len(line) - len(content)
			for w.next() < len(w.decoded) && !strings.HasPrefix(w.decoded[w.next():], content) {
				// extra indentation counts backwards from the content
				w.marks = append(w.marks, max(w.at, from-1))
			}
			for i := range len(content) {
				w.emit(1, from+i)
			}
			w.at = from + len(content)
		}
		if w.next() >= len(w.decoded) {
			return
		}
		// the break itself, if it was kept
		if w.decoded[w.next()] == '\n' || w.decoded[w.next()] == ' ' {
			w.emit(1, min(w.at, end))
		}
		w.at = min(end+1, len(w.source))
	}
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }
func isBreak(c byte) bool { return c == '\n' || c == '\r' }
