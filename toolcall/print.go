package toolcall

import "strings"

// echoed is what `echo` prints.
func echoed(texts []string) *string {
	ends, decodes := "\n", false
	for len(texts) > 0 && len(texts[0]) > 1 && texts[0][0] == '-' && strings.Trim(texts[0][1:], "neE") == "" {
		if strings.Contains(texts[0], "n") {
			ends = ""
		}
		decodes = decodes || strings.Contains(texts[0], "e")
		texts = texts[1:]
	}
	text := strings.Join(texts, " ")
	if decodes {
		text = decoded(text)
	}
	text += ends
	return &text
}

// decoded is a text with its escapes decoded.
func decoded(text string) string {
	if strings.IndexByte(text, '\\') < 0 {
		return text
	}
	var b strings.Builder
	for {
		at := strings.IndexByte(text, '\\')
		if at < 0 {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(text[:at])
		one, size := escape(text[at:])
		b.WriteString(one)
		text = text[at+size:]
	}
}

// maxFormatted is how much longer than its arguments a text may be that `printf` prints, in bytes.
const maxFormatted = 64 << 10

// formatted is what `printf` prints: the format as often as there are arguments for it. Nil: it prints nothing.
func formatted(texts []string) *string {
	if len(texts) > 0 && texts[0] == "--" {
		texts = texts[1:]
	}
	if len(texts) == 0 || strings.HasPrefix(texts[0], "-v") {
		return nil
	}
	format, rest := decoded(texts[0]), texts[1:]
	most := maxFormatted
	for _, text := range texts {
		most += 2 * len(text)
	}
	var b strings.Builder
	for {
		left := len(rest)
		rest = formatOnce(&b, format, rest)
		if len(rest) == 0 || len(rest) == left {
			break
		}
		if b.Len() > most { // all that is known, at least
			b.WriteString(strings.Join(rest, " "))
			break
		}
	}
	text := b.String()
	return &text
}

// formatOnce prints a format once, and gives the arguments that are left.
func formatOnce(b *strings.Builder, format string, rest []string) []string {
	for {
		at := strings.IndexByte(format, '%')
		if at < 0 {
			b.WriteString(format)
			return rest
		}
		b.WriteString(format[:at])
		size := 1
		for at+size < len(format) && strings.IndexByte("-+ #0123456789.'", format[at+size]) >= 0 {
			size++
		}
		if at+size == len(format) {
			b.WriteString(format[at:])
			return rest
		}
		verb := format[at+size]
		format = format[at+size+1:]
		switch {
		case verb == '%':
			b.WriteByte('%')
		case len(rest) > 0:
			text := rest[0]
			if verb == 'b' {
				text = decoded(text)
			}
			b.WriteString(text)
			rest = rest[1:]
		}
	}
}
