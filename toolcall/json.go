package toolcall

import (
	"unicode/utf16"
	"unicode/utf8"
)

// maxDepth is how deep the names in arguments are followed; of what lies deeper the texts alone are told.
const maxDepth = 64

// sink is told what stands in a JSON text.
type sink interface {
	open(array bool)      // an object or array begins
	shut(array bool)      // and ends
	key(name string)      // the name of the value that follows
	begin()               // a text value begins
	beneath()             // one begins that lies deeper than names are followed
	text(fragment string) // a part of it, decoded
	end()                 // and ends
}

// decoder reads a JSON text in pieces that may end anywhere: inside of a number, an
// escape, a surrogate pair. It is lenient in what separates values; what is no JSON
// at all makes it broken.
type decoder struct {
	sink   sink
	stack  []byte // '{' and '['
	named  bool   // in an object: the name of the next value has been read
	inside byte   // '"' in a text, 'x' in a word or number
	isKey  bool   // the text is a name
	name   []byte
	escape []byte // an escape that has begun, with its backslash
	high   rune   // first half of a surrogate pair; 0: none
	broken bool
	done   bool   // the value has ended
	ready  []byte // decoded text that the sink was not given yet: not each escape alone
}

// feed reads a piece and returns what it could not read because it is broken.
func (d *decoder) feed(piece string) (rest string) {
	defer d.flush()
	for i := 0; i < len(piece); {
		if d.broken {
			return piece[i:]
		}
		if d.inside == '"' {
			i += d.string(piece[i:])
			continue
		}
		d.structure(piece[i])
		if d.broken {
			return piece[i:]
		}
		i++
	}
	return ""
}

// structure reads a byte outside of texts.
func (d *decoder) structure(c byte) {
	switch c {
	case ' ', '\t', '\n', '\r', ',', ':':
		if d.inside == 'x' {
			d.value()
		}
	case '{', '[':
		if d.done || len(d.stack) == 0 && c == '[' && d.inside == 'x' {
			d.broken = true
			return
		}
		d.stack = append(d.stack, c)
		d.named = false
		if len(d.stack) <= maxDepth {
			d.sink.open(c == '[')
		}
	case '}', ']':
		if d.inside == 'x' {
			d.value()
		}
		if len(d.stack) == 0 || d.stack[len(d.stack)-1] != c-2 { // '{' is two before '}', '[' before ']'
			d.broken = true
			return
		}
		if len(d.stack) <= maxDepth {
			d.sink.shut(c == ']')
		}
		d.stack = d.stack[:len(d.stack)-1]
		d.value()
	case '"':
		if d.done {
			d.broken = true
			return
		}
		d.inside = '"'
		d.isKey = len(d.stack) > 0 && d.stack[len(d.stack)-1] == '{' && !d.named
		d.name = d.name[:0]
		switch {
		case d.isKey:
		case len(d.stack) <= maxDepth:
			d.sink.begin()
		default:
			d.sink.beneath()
		}
	default:
		switch {
		case d.done, c < ' ', len(d.stack) == 0 && !wordByte(c), len(d.stack) > 0 && d.stack[len(d.stack)-1] == '{' && !d.named:
			d.broken = true
		default:
			d.inside = 'x'
		}
	}
}

// wordByte tells whether a byte can begin or continue a number, true, false or null.
func wordByte(c byte) bool {
	return c == '-' || c == '+' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c == 'E'
}

// value ends a value that is no text.
func (d *decoder) value() {
	d.inside = 0
	d.named = false
	d.done = len(d.stack) == 0
}

// string reads on in a text and returns how many bytes it took.
func (d *decoder) string(piece string) int {
	if len(d.escape) > 0 {
		return d.escaped(piece)
	}
	for i := range len(piece) {
		switch piece[i] {
		case '\\':
			d.write(piece[:i])
			d.escape = append(d.escape[:0], '\\')
			return i + 1
		case '"':
			d.write(piece[:i])
			d.lone()
			d.endString()
			return i + 1
		}
	}
	d.write(piece)
	return len(piece)
}

// escaped reads on in an escape.
func (d *decoder) escaped(piece string) int {
	c := piece[0]
	d.escape = append(d.escape, c)
	if d.escape[1] == 'u' {
		if len(d.escape) > 2 && unhex(c) < 0 { // no escape: as it stands
			text := string(d.escape[:len(d.escape)-1])
			d.escape = d.escape[:0]
			d.write(text)
			return 0
		}
		if len(d.escape) < 6 {
			return 1
		}
		var r rune
		for _, h := range d.escape[2:] {
			r = r<<4 | rune(unhex(h))
		}
		d.escape = d.escape[:0]
		d.unit(r)
		return 1
	}
	d.escape = d.escape[:0]
	switch c {
	case 'n':
		d.write("\n")
	case 't':
		d.write("\t")
	case 'r':
		d.write("\r")
	case 'b':
		d.write("\b")
	case 'f':
		d.write("\f")
	case '"', '\\', '/':
		d.write(string(rune(c)))
	default: // no escape of JSON: both count
		d.write("\\")
		return 0
	}
	return 1
}

// unit takes a UTF-16 unit; two halves make a character, and one that is alone is
// the replacement character, as encoding/json has it.
func (d *decoder) unit(r rune) {
	if d.high != 0 {
		if whole := utf16.DecodeRune(d.high, r); whole != utf8.RuneError {
			d.high = 0
			d.write(string(whole))
			return
		}
		d.lone()
	}
	if r >= 0xD800 && r < 0xDC00 {
		d.high = r
		return
	}
	d.write(string(r))
}

func (d *decoder) lone() {
	if d.high != 0 {
		d.high = 0
		d.write(string(utf8.RuneError))
	}
}

// write passes on a decoded part of a text.
func (d *decoder) write(text string) {
	if text == "" {
		return
	}
	if d.high != 0 {
		d.lone()
	}
	switch {
	case d.isKey:
		d.name = append(d.name, text[:min(len(text), maxKey-len(d.name))]...)
	case len(d.ready) == 0 && len(text) >= maxReady:
		d.sink.text(text)
	default:
		if d.ready = append(d.ready, text...); len(d.ready) >= maxReady {
			d.flush()
		}
	}
}

// maxKey is how much of a key is looked at, in bytes, however it comes: none that is known is longer.
const maxKey = 256

// maxReady is how much decoded text waits for more, in bytes.
const maxReady = 4 << 10

// flush gives the sink what waits.
func (d *decoder) flush() {
	if len(d.ready) > 0 {
		d.sink.text(string(d.ready))
		d.ready = d.ready[:0]
	}
}

func (d *decoder) endString() {
	d.inside = 0
	if d.isKey {
		d.named = true
		d.isKey = false
		if len(d.stack) <= maxDepth {
			d.sink.key(string(d.name))
		}
		return
	}
	d.flush()
	d.sink.end()
	d.value()
}

// finish ends a text that was cut off.
func (d *decoder) finish() {
	if d.inside != '"' {
		return
	}
	if len(d.escape) > 0 {
		rest := string(d.escape)
		d.escape = d.escape[:0]
		d.write(rest)
	}
	d.lone()
	d.flush()
	if !d.isKey {
		d.sink.end()
	}
	d.inside = 0
}

func unhex(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
