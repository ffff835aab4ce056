package toolcall

import (
	"strings"
	"unicode/utf8"
)

// code reads a script in JavaScript by which an agent calls its other tools (Codex: `await tools.exec_command({cmd: "…"})`). What is
// run is not followed: the texts that stand in it are read as what they are mostly for, commands and patches.
type code struct {
	reader  *Reader
	state   codeState
	last    byte            // of the code, beside blanks
	name    []byte          // the last one before a text
	key     string          // the last one before a sign that gives it a value
	named   bool            // no other character has come after it that ends a name
	text    strings.Builder // the literal that is read
	partial []byte          // of an escape, or of what may begin a comment
	patch   *patch          // that is open
	lines   *lines          // its own
	begun   int             // bytes of it so far
}

// codeState is in what the reader is: a kind of text by its quotes, a comment, or code.
type codeState byte

const (
	plainCode    codeState = 0
	lineComment  codeState = '/'
	blockComment codeState = '*'
)

// maxCodeName is how long a name may be that matters.
const maxCodeName = 64

func (c *code) write(text string) {
	for len(text) > 0 {
		switch c.state {
		case plainCode:
			text = c.plain(text)
		case lineComment:
			_, after, ended := strings.Cut(text, "\n")
			if text = after; ended {
				c.state = plainCode
			}
		case blockComment:
			text = c.comment(text)
		default:
			text = c.literal(text)
		}
	}
}

// plain reads a character of the code.
func (c *code) plain(text string) string {
	b := text[0]
	switch {
	case b == '/' && len(c.partial) > 0:
		c.state = lineComment
	case b == '*' && len(c.partial) > 0:
		c.state = blockComment
	case b == '\'' || b == '"' || b == '`':
		c.state = codeState(b)
	case b == '_' || b == '$' || b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'z':
		if !c.named {
			c.name = c.name[:0]
		}
		if c.named = true; len(c.name) < maxCodeName {
			c.name = append(c.name, b)
		}
	case b == ':' || b == '=':
		c.key, c.named = string(c.name), false
	case b == ',' || b == ';' || b == ')' || b == '}':
		c.key, c.named = "", false
	default:
		c.named = false
	}
	c.partial = c.partial[:0]
	if b == '/' && c.state == plainCode {
		c.partial = append(c.partial, b)
	}
	if c.state == plainCode && strings.IndexByte(" \t\r\n", b) < 0 {
		c.last = b
	}
	return text[1:]
}

func (c *code) comment(text string) string {
	at := strings.IndexByte(text, '/')
	if at < 0 {
		c.partial = append(c.partial[:0], text[len(text)-1])
		return ""
	}
	if at > 0 && text[at-1] == '*' || at == 0 && len(c.partial) > 0 && c.partial[0] == '*' {
		c.state = plainCode
	}
	c.partial = c.partial[:0]
	return text[at+1:]
}

// maxEscape is how long an escape is at most: `\u{10ffff}`.
const maxEscape = 10

// literal reads on in a text.
func (c *code) literal(text string) string {
	if len(c.partial) > 0 { // an escape has begun
		c.partial = append(c.partial, text[0])
		c.escape()
		return text[1:]
	}
	stops := `\` + string(rune(c.state))
	if c.raw() {
		stops = stops[1:]
	}
	at := strings.IndexAny(text, stops)
	if at < 0 {
		c.text.WriteString(text)
		return ""
	}
	c.text.WriteString(text[:at])
	if text[at] == '\\' {
		c.partial = append(c.partial[:0], '\\')
	} else {
		c.end()
	}
	return text[at+1:]
}

// raw tells a text in which escapes stand as they are.
func (c *code) raw() bool { return c.state == '`' && string(c.name) == "raw" && c.last == 'w' }

// escape decodes the escape that is read, if it is whole.
func (c *code) escape() {
	e := string(c.partial)
	whole := true
	switch e[1] {
	case 'n':
		c.text.WriteByte('\n')
	case 't':
		c.text.WriteByte('\t')
	case 'r':
		c.text.WriteByte('\r')
	case '\n': // the line goes on
	case 'x':
		whole = c.number(e, 4, e[2:])
	case 'u':
		if strings.HasPrefix(e, `\u{`) {
			size := maxEscape
			if e[len(e)-1] == '}' {
				size = len(e)
			}
			whole = c.number(e, size, strings.Trim(e[2:], "{}"))
		} else {
			whole = c.number(e, 6, e[2:])
		}
	default:
		c.text.WriteByte(e[1])
	}
	if whole {
		c.partial = c.partial[:0]
	}
}

// number decodes the number of a character, if all of it is there.
func (c *code) number(escape string, size int, digits string) bool {
	if len(escape) < size {
		return false
	}
	r := rune(0)
	for i := range len(digits) {
		d := unhex(digits[i])
		if r = r<<4 | rune(d); d < 0 || r > utf8.MaxRune {
			c.text.WriteString(escape)
			return true
		}
	}
	c.text.WriteRune(r)
	return true
}

// end ends a text.
func (c *code) end() {
	text := c.text.String()
	c.text.Reset()
	c.state = plainCode
	switch {
	case c.patch != nil:
		c.patched(text)
	case strings.HasPrefix(strings.TrimLeftFunc(text, isBlank), "*** Begin Patch"):
		c.patch = newPatch(c.reader, nil)
		c.lines, c.begun = &lines{line: c.patch.line}, 0
		c.patched(text)
	case commandNames[Plain(string(c.name))] || commandNames[Plain(c.key)] || strings.Contains(text, "<<"):
		r, outer := c.reader, c.reader.current
		r.begin(commandRole, nil)
		r.write(text)
		(*arguments)(r).end()
		r.current = outer
	}
	c.last, c.named = '"', false
	if c.name = c.name[:0]; len(text) <= maxCodeName { // it may be a key
		c.name = append(c.name, text...)
	}
}

// patched takes a part of a patch: those of a list are its lines.
func (c *code) patched(text string) {
	if c.begun > 0 && c.last != '+' {
		c.lines.write("\n")
	}
	c.begun += len(text)
	c.lines.write(text)
	if strings.Contains(text, "*** End Patch") {
		c.lines.end()
		c.patch = nil
	}
}

// finish ends the script. Where a text is open, it was misread, or is not whole: it counts for any file.
func (c *code) finish(segment int) {
	if c.patch != nil {
		c.lines.end()
	}
	if c.state != plainCode && c.state != lineComment {
		r := c.reader
		whole := r.openFiles(Write, []file{{anywhere: true}}, nil, nil, func() int { return r.further(Write) })
		r.add(r.segments[segment].text.String(), whole...)
		r.close(whole[0])
	}
}
