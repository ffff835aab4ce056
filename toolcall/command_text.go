package toolcall

import "strings"

// Limits of how a command is told.
const (
	maxExact  = 16 << 10 // bytes that are told line by line
	blockSize = 4 << 10  // bytes of the blocks of lines that are told of the rest
)

// commandText is the text of a command while it arrives. A line of it is told before what it writes to files, and that before the next
// line, however the text arrives. In a long one the same holds of blocks of lines: a line can be a single byte, and what is told of it is not.
type commandText struct {
	script *script
	lines  lines
	size   int             // bytes of the blocks before
	block  strings.Builder // what has come of the one that has begun
}

func newCommandText(s *script) *commandText {
	s.nests, s.folders.outer = s.reader.scratch.nests, s.reader.scratch.outer
	s.reader.scratch = scratch{}
	return &commandText{script: s, lines: lines{line: s.line}}
}

// scratch is memory that a script has needed for shells in shells; the next one uses it again, since a call can have very many that are short.
type scratch struct {
	nests []nest
	outer []folders
}

func (c *commandText) write(text string) {
	for text != "" {
		size, whole := c.ends(text)
		part := text[:size]
		text = text[size:]
		c.script.reader.add(part, c.script.text)
		if !whole {
			c.block.WriteString(part)
			return
		}
		if c.block.Len() > 0 {
			c.block.WriteString(part)
			part = c.block.String()
			c.block.Reset()
		}
		c.read(part)
	}
}

// ends is how much of a text belongs to the block that has begun, and whether the block is whole then.
func (c *commandText) ends(text string) (size int, whole bool) {
	from := 0
	if c.size >= maxExact {
		from = min(len(text), max(0, blockSize-c.block.Len()))
	}
	at := strings.IndexByte(text[from:], '\n')
	if at < 0 {
		return len(text), false
	}
	return from + at + 1, true
}

func (c *commandText) read(block string) {
	c.size += len(block)
	if c.script.whole != 0 {
		c.script.reader.add(block, c.script.whole)
	}
	c.lines.write(block)
}

func (c *commandText) end() {
	c.read(c.block.String())
	c.block.Reset()
	c.lines.end()
	c.script.reader.scratch = scratch{c.script.nests[:0], c.script.folders.outer[:0]}
}

// lines cuts a text that arrives in pieces into its lines.
type lines struct {
	line func(text string, last bool) // without its line break; last: the text ends here
	rest strings.Builder
}

func (l *lines) write(text string) {
	for {
		at := strings.IndexByte(text, '\n')
		if at < 0 {
			l.rest.WriteString(text)
			return
		}
		line := text[:at]
		if l.rest.Len() > 0 {
			l.rest.WriteString(line)
			line = l.rest.String()
			l.rest.Reset()
		}
		l.line(line, false)
		text = text[at+1:]
	}
}

func (l *lines) end() {
	line := l.rest.String()
	l.rest.Reset()
	l.line(line, true)
}
