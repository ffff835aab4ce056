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
	before  byte            // what came before that, if it is a slash
	name    []byte          // the last one before a text
	named   bool            // no other character has come after it that ends a name
	key     string          // the last one before a sign that gives it a value
	text    strings.Builder // the literal that is read
	partial []byte          // of an escape, or of what may begin a comment

	whole    strings.Builder // what literals come to that are put together
	open     bool            // there is such a text, and more may be added to it
	keys     [2]string       // what it is for, as far as names before it say
	list     bool            // it stands in a list: each literal is a line
	values   map[string]string
	grown    int      // bytes that these have added
	path     string   // of the call that is read
	contents []string // for its file
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
	isName := b == '_' || b == '$' || b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'z'
	switch {
	case b == '/' && len(c.partial) > 0:
		c.state, c.last = lineComment, c.before
	case b == '*' && len(c.partial) > 0:
		c.state, c.last = blockComment, c.before
	case b == '\'' || b == '"' || b == '`':
		c.state = codeState(b)
	case strings.IndexByte(" \t\r\n", b) >= 0:
		c.named = false
	case isName:
		if !c.named {
			c.name = c.name[:0]
		}
		if c.named = true; len(c.name) < maxCodeName {
			c.name = append(c.name, b)
		}
		c.flush()
	default:
		c.sign(b)
	}
	c.partial = c.partial[:0]
	if b == '/' && c.state == plainCode {
		c.before = c.last
		c.partial = append(c.partial, b)
	}
	if c.state == plainCode && strings.IndexByte(" \t\r\n", b) < 0 {
		c.last = b
	}
	return text[1:]
}

// sign reads one that is no part of a name.
func (c *code) sign(b byte) {
	c.named = false
	goesOn := b == '+' || b == ',' && c.list || b == '/'
	if b == ':' && c.open && !c.list { // the text is a key
		c.key, c.open = c.whole.String(), false
		c.whole.Reset()
		return
	}
	if !goesOn {
		c.flush()
	}
	switch b {
	case ':', '=':
		c.key = string(c.name)
	case '[':
		c.list = true
	case ']':
		c.list = false
	case ',', ';', '}':
		if !c.list {
			c.key = ""
		}
	case ')':
		c.key = ""
		c.call()
	}
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
func (c *code) raw() bool { return c.state == '`' && c.last == 'w' && string(c.name) == "raw" }

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

// end ends a literal.
func (c *code) end() {
	text := c.text.String()
	c.text.Reset()
	if c.state == '`' && !c.raw() {
		text = c.filled(text)
	}
	c.state = plainCode
	switch {
	case c.open && c.last == '+':
	case c.open && c.list && c.last == ',':
		c.whole.WriteByte('\n')
	default:
		c.flush()
		c.open, c.keys = true, [2]string{c.key, string(c.name)}
	}
	c.whole.WriteString(text)
	c.last, c.named = '"', false
}

// Limits of what is remembered of a script's texts.
const (
	maxCodeValues = 1000
	maxCodeValue  = 64 << 10
)

// flush takes the text that has come, which is whole.
func (c *code) flush() {
	if !c.open {
		return
	}
	c.open = false
	text := c.whole.String()
	c.whole.Reset()
	if key := c.keys[0]; key != "" && len(text) <= maxCodeValue && len(c.values) < maxCodeValues {
		if c.values == nil {
			c.values = map[string]string{}
		}
		c.values[key] = text
	}
	key := Plain(c.keys[0])
	switch {
	case strings.HasPrefix(strings.TrimLeftFunc(text, isBlank), "*** Begin Patch"):
		c.patch(text)
	case isCommandName(key) || isCommandName(Plain(c.keys[1])):
		c.run(text)
	case pathNames[key]:
		c.path = text
	case contentNames[key]:
		c.contents = append(c.contents, text)
	case strings.Contains(text, "<<"), strings.Contains(text, ">") && strings.Contains(text, " "):
		c.reader.lenient = true // it may be no command
		c.run(text)
		c.reader.lenient = false
	}
}

func isCommandName(name string) bool { return commandNames[strings.TrimSuffix(name, "s")] }

// run reads a text as a command.
func (c *code) run(text string) {
	r, outer := c.reader, c.reader.current
	r.begin(commandRole, nil)
	r.write(text)
	(*arguments)(r).end()
	r.current = outer
}

// patch reads a text as one.
func (c *code) patch(text string) {
	p := newPatch(c.reader, nil)
	p.meant = func(name string) []file { return []file{fileOfCode(name)} }
	for line := range strings.SplitSeq(text, "\n") {
		p.line(line, false)
	}
	p.line("", true)
}

// fileOfCode is the file that a script names. Where the name has one in it that is not known, it may be any.
func fileOfCode(name string) file {
	if strings.Contains(name, "${") {
		return file{anywhere: true}
	}
	return file{name: name}
}

// call ends a call: what it writes goes to the file that it names.
func (c *code) call() {
	if c.path != "" {
		for _, text := range c.contents {
			r := c.reader
			segments := r.openFiles(Write, []file{fileOfCode(c.path)}, nil, nil, func() int { return r.further(Write) })
			r.add(text, segments...)
			r.close(segments[0])
		}
	}
	c.path, c.contents = "", nil
}

// filled is a text with what the script has said of names in it.
func (c *code) filled(text string) string {
	if len(c.values) == 0 || c.grown > maxGrown || !strings.Contains(text, "${") {
		return text
	}
	var b strings.Builder
	for b.Len() <= maxCodeValue {
		before, rest, found := strings.Cut(text, "${")
		ahead := min(len(rest), maxCodeName)
		name, after, closed := strings.Cut(rest[:ahead], "}")
		if !found || !closed {
			break
		}
		b.WriteString(before)
		if value, known := c.values[name]; known {
			b.WriteString(value)
		} else {
			b.WriteString("${" + name + "}")
		}
		text = rest[ahead-len(after):]
	}
	c.grown += b.Len()
	return b.String() + text
}

// finish ends the script. Where a text is open, it was misread, or is not whole: it counts for any file.
func (c *code) finish(segment int) {
	c.flush()
	c.call()
	if c.state != plainCode && c.state != lineComment {
		r := c.reader
		whole := r.openFiles(Write, []file{{anywhere: true}}, nil, nil, func() int { return r.further(Write) })
		r.add(r.segments[segment].text.String(), whole...)
		r.close(whole[0])
	}
}
