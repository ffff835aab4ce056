package toolcall

import "strings"

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
