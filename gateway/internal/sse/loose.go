package sse

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// Clients differ in what they take for an event: some drop a mark of UTF-8 before every line, some trim what they read, some take each
// line of data by itself, or end lines and events in other places than others, or read lines that are no field as data. Each
// of these ways is that of a client that is used much; see Ways.

// Frame is what some client takes for an event.
type Frame struct {
	Name []byte // nil: it has none, or nobody asks for it
	Data []byte
}

// Same tells whether two are the same, where nobody asks for the name of one, without it.
func (f Frame) Same(other Frame) bool {
	return bytes.Equal(f.Data, other.Data) && (f.Name == nil || bytes.Equal(f.Name, other.Name))
}

// Loose is one way of reading a stream. It is fed with the events of a stream, as they came.
type Loose struct {
	way    way
	text   []byte // of the stream, from the present line or block on
	done   int    // bytes of it that were read
	looked int    // up to here it has no end

	name   []byte
	data   []byte // of an event that has not ended, or of lines that are no field
	some   bool   // there is data
	depth  int    // of the braces in it
	frames []Frame
}

// way is how some clients read.
type way struct {
	cut  func(text []byte, from int) (at, size int) // finds where a line or block ends; -1: nowhere
	take func(l *Loose, part []byte)
	end  func(l *Loose) // at the end of the stream
}

// Ways are all ways of reading that are known, each at the beginning of an event.
func Ways() []*Loose {
	all := [...]way{
		{cutLine, (*Loose).takeMarked, (*Loose).emit},     // the SDKs of Anthropic and OpenAI for Node
		{cutLine, (*Loose).takeTrimmed, (*Loose).nothing}, // those who look for a prefix of lines
		{cutPythonLine, (*Loose).takeBare, (*Loose).emit}, // google-genai for Python, with httpx
		{cutFeed, (*Loose).takeBare, (*Loose).emit},       // and with aiohttp
		{cutBlock, (*Loose).takeBlock, (*Loose).nothing},  // google-genai for Node and Go
	}
	var out []*Loose
	for _, w := range all {
		out = append(out, &Loose{way: w})
	}
	return out
}

// Read gives what ends with the bytes of the next event, until the next call. end says that the stream ends with them.
func (l *Loose) Read(raw []byte, end bool) []Frame {
	l.text = append(l.text[:copy(l.text, l.text[l.done:])], raw...)
	l.looked, l.done, l.frames = max(l.looked-l.done, 0), 0, l.frames[:0]
	for l.done < len(l.text) {
		at, size := l.way.cut(l.text, l.looked)
		if at < 0 {
			l.looked = max(len(l.text)-maxEnd, l.done)
			break
		}
		l.way.take(l, l.text[l.done:at])
		l.done, l.looked = at+size, at+size
	}
	if end {
		if l.done < len(l.text) {
			l.way.take(l, l.text[l.done:])
			l.done = len(l.text)
		}
		l.way.end(l)
	}
	return l.frames
}

// Held is how many bytes are held for what has not ended.
func (l *Loose) Held() int { return len(l.text) - l.done + len(l.data) }

// maxEnd is how long what ends a line or block may be, but for its last byte.
const maxEnd = 3

// add gives a frame, if it has data.
func (l *Loose) add(name, data []byte) {
	if data = Trim(data); len(data) > 0 {
		l.frames = append(l.frames, Frame{name, data})
	}
}

func (l *Loose) nothing() {}

// emit gives what was put together of several lines.
func (l *Loose) emit() {
	if l.some {
		l.add(l.name, bytes.Clone(l.data))
	}
	l.name, l.data, l.some, l.depth = nil, l.data[:0], false, 0
}

// takeMarked takes a line of those who read events as they are meant to be, but for marks before lines.
func (l *Loose) takeMarked(line []byte) {
	line = bytes.TrimPrefix(line, mark)
	if len(line) == 0 {
		l.emit()
		return
	}
	switch name, value := field(line); string(name) {
	case "data":
		if l.some {
			l.data = append(l.data, '\n')
		}
		l.data, l.some = append(l.data, value...), true
	case "event":
		l.name = bytes.Clone(value)
	}
}

// takeTrimmed takes a line of those who look for what it begins with.
func (l *Loose) takeTrimmed(line []byte) {
	line = Trim(line)
	switch name, value := field(line); string(name) {
	case "data":
		l.add(l.name, value)
	case "event":
		l.name = bytes.Clone(value)
	case "":
		if len(line) == 0 {
			l.name = nil
		}
	}
}

// takeBare takes a line of those to whom lines that are no field are data, too, up to where as many braces have closed as opened.
func (l *Loose) takeBare(line []byte) {
	line = bytes.TrimRight(line, " \t\r\n\v\f")
	if len(Trim(line)) == 0 {
		return
	}
	switch name, value := field(line); string(name) {
	case "data":
		l.add(nil, value)
		return
	case "event", "id", "retry", "":
		if !l.some {
			return
		}
	}
	if !l.some && !bytes.ContainsAny(Trim(line)[:1], "{[") {
		return // nothing that begins so can be read
	}
	l.data, l.some = append(l.data, line...), true
	l.depth += bytes.Count(line, []byte("{")) - bytes.Count(line, []byte("}"))
	switch {
	case l.depth == 0:
		l.emit()
	case l.depth < 0: // nor what ends more than has begun
		l.data, l.some, l.depth = l.data[:0], false, 0
	}
}

// takeBlock takes a block of those to whom all of it is data if it begins so.
func (l *Loose) takeBlock(block []byte) {
	if value, ok := bytes.CutPrefix(Trim(block), []byte("data:")); ok {
		l.add(nil, value)
	}
}

// field parts a line.
func field(line []byte) (name, value []byte) {
	name, value, _ = bytes.Cut(line, []byte(":"))
	return name, bytes.TrimPrefix(value, []byte(" "))
}

// Trim is a text without what some client takes for white space at its ends.
func Trim(text []byte) []byte {
	return bytes.TrimFunc(text, func(r rune) bool { return r == '\ufeff' || r < ' ' || unicode.IsSpace(r) })
}

func cutLine(text []byte, from int) (at, size int) {
	if at = bytes.IndexAny(text[from:], "\r\n"); at < 0 {
		return -1, 0
	}
	if bytes.HasPrefix(text[from+at:], []byte("\r\n")) {
		return from + at, 2
	}
	return from + at, 1
}

func cutFeed(text []byte, from int) (at, size int) {
	if at = bytes.IndexByte(text[from:], '\n'); at < 0 {
		return -1, 0
	}
	return from + at, 1
}

func cutPythonLine(text []byte, from int) (at, size int) {
	for at = from; at < len(text); at++ {
		if size := pythonEnd(text[at:]); size > 0 {
			return at, size
		}
	}
	return -1, 0
}

// pythonEnd is how many bytes end a line in Python, at the beginning of a text; 0: none do.
func pythonEnd(text []byte) int {
	switch c := text[0]; {
	case '\n' <= c && c <= '\r', 0x1c <= c && c <= 0x1e:
		return 1
	case c < utf8.RuneSelf:
		return 0
	}
	if r, size := utf8.DecodeRune(text); r == '\u0085' || r == '\u2028' || r == '\u2029' {
		return size
	}
	return 0
}

func cutBlock(text []byte, from int) (at, size int) {
	for at = from; at < len(text); at++ {
		next := bytes.IndexAny(text[at:], "\r\n")
		if next < 0 {
			break
		}
		at += next
		for _, end := range blockEnds {
			if bytes.HasPrefix(text[at:], end) {
				return at, len(end)
			}
		}
	}
	return -1, 0
}

// blockEnds are what everybody ends an event with.
var blockEnds = [...][]byte{[]byte("\n\n"), []byte("\r\r"), []byte("\r\n\r\n")}

// separated tells whether everybody knows where an event has ended: by its last bytes, or since it says nothing.
func separated(raw []byte) bool {
	if n := len(raw); n > 1 && raw[n-1] == '\n' && raw[n-2] == '\n' { // as mostly
		return true
	}
	for _, end := range blockEnds {
		if bytes.HasSuffix(raw, end) {
			return true
		}
	}
	return len(bytes.Trim(raw, "\r\n")) == 0
}

// parts tells whether a line that is no data is several to some.
func parts(line []byte) bool {
	for i, c := range line {
		if c-' ' >= utf8.RuneSelf-' ' && pythonEnd(line[i:]) > 0 { // below the first, or from the second on
			return true
		}
	}
	return false
}
