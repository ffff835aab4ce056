package connect

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/tailscale/hujson"
)

// insert puts an item at the end of an object or array, in the layout that is there.
func (j *jsonText) insert(container hujson.Value, text string) error {
	open, end := container.StartOffset, container.EndOffset
	outer := indentAt(j.text, open)
	unit := j.unit()
	count := lengthOf(container)
	if count == 0 {
		inside := j.text[open+1 : end-1]
		kept := strings.TrimRight(inside, " \t\r\n")
		inner := outer + unit
		add := j.newline() + inner + indented(text, inner, unit, j.newline())
		if !strings.Contains(inside[len(kept):], "\n") {
			add += j.newline() + outer
		}
		j.splice(open+1+len(kept), "", add)
		return nil
	}
	first, last := itemAt(container, 0), itemAt(container, count-1)
	if !strings.Contains(j.text[open:first.start], "\n") { // all on one line
		var flat bytes.Buffer
		if err := json.Compact(&flat, wrap(text)); err != nil {
			return err
		}
		j.splice(last.end, "", ", "+unwrap(flat.String()))
		return nil
	}
	inner := indentAt(j.text, first.start)
	at, comma := j.lineEnd(last.end)
	add := j.newline() + inner + indented(text, inner, unit, j.newline())
	if comma {
		j.splice(at, "", add+",")
		return nil
	}
	j.splice(at, "", add)
	j.splice(last.end, "", ",")
	return nil
}

// lineEnd is where the line of the last item ends, after a comment, and whether a comma stands after the item.
func (j *jsonText) lineEnd(at int) (end int, comma bool) {
	for i := at; i < len(j.text); {
		rest := j.text[i:]
		switch {
		case rest[0] == ',':
			comma = true
			i++
			at = i
		case rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\r':
			i++
		case strings.HasPrefix(rest, "//"):
			line, _, _ := strings.Cut(rest, "\n")
			i += len(strings.TrimRight(line, "\r"))
			at = i
		case strings.HasPrefix(rest, "/*"):
			length := strings.Index(rest, "*/") + 2
			if length < 2 || strings.Contains(rest[:length], "\n") {
				return at, comma
			}
			i += length
			at = i
		default: // the next line, or the end of the container
			return at, comma
		}
	}
	return at, comma
}

// indented is an item with its parts on lines of their own, as far as that reads better.
func indented(text, indent, unit, newline string) string {
	var b bytes.Buffer
	if json.Indent(&b, wrap(text), indent, unit) != nil {
		return text
	}
	// What wraps it is taken off: the first and the last line, and one step of the indentation.
	lines := strings.Split(b.String(), "\n")
	lines = lines[1 : len(lines)-1]
	for i := range lines {
		lines[i] = strings.Replace(lines[i], indent+unit, indent, 1)
	}
	lines[0] = strings.TrimPrefix(lines[0], indent)
	return strings.Join(lines, newline)
}

// wrap makes an item a JSON text: a member is put into an object, an element into an array.
func wrap(text string) []byte {
	if isMember(text) {
		return []byte("{" + text + "}")
	}
	return []byte("[" + text + "]")
}

func unwrap(text string) string { return text[1 : len(text)-1] }

// isMember tells a member from an element: ours are objects.
func isMember(text string) bool { return strings.HasPrefix(text, `"`) && strings.Contains(text, `":`) }

func (j *jsonText) newline() string {
	if strings.Contains(j.text, "\r\n") {
		return "\r\n"
	}
	return "\n"
}

// unit is one step of indentation: that of the first line that has any.
func (j *jsonText) unit() string {
	for line := range strings.Lines(j.text) {
		rest := strings.TrimLeft(line, " \t")
		if blank := line[:len(line)-len(rest)]; blank != "" && strings.HasPrefix(rest, `"`) {
			return blank
		}
	}
	return "  "
}

// indentAt is what the line of an offset begins with.
func indentAt(text string, at int) string {
	line := text[strings.LastIndexByte(text[:at], '\n')+1:]
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}
