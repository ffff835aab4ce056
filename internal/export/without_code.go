package export

import "strings"

// withoutCode is a text without what stands in fences and between backticks.
func withoutCode(text string) string {
	if !strings.Contains(text, "`") && !strings.Contains(text, "~~~") {
		return text
	}
	var b strings.Builder
	fenced := false
	for line := range strings.Lines(text) {
		switch {
		case isFence(line):
			fenced = !fenced
			b.WriteString("\n")
		case !fenced:
			writeWithoutSpans(&b, line)
		}
	}
	return b.String()
}

// isFence tells whether a line begins or ends a block of code.
func isFence(line string) bool {
	inner := strings.TrimLeft(line, " ")
	return len(line)-len(inner) <= 3 && (strings.HasPrefix(inner, "```") || strings.HasPrefix(inner, "~~~"))
}

// writeWithoutSpans writes a line without what stands between backticks.
func writeWithoutSpans(b *strings.Builder, line string) {
	for {
		before, rest, ok := strings.Cut(line, "`")
		_, after, closed := strings.Cut(rest, "`")
		if !ok || !closed {
			b.WriteString(line)
			return
		}
		b.WriteString(before)
		line = after
	}
}

// comments tells whether a text has HTML comments that begin on a line of their own, and whether the last is never closed.
func comments(text string) (some, open bool) {
	if !strings.Contains(text, "<!--") {
		return false, false
	}
	for text = withoutCode(text); text != ""; {
		line, rest, _ := strings.Cut(text, "\n")
		inner := strings.TrimLeft(line, " ")
		at := len(line) - len(inner)
		if at > 3 || !strings.HasPrefix(inner, "<!--") {
			text = rest
			continue
		}
		some = true
		_, after, closed := strings.Cut(text[at+len("<!--"):], "-->")
		if !closed {
			return true, true
		}
		_, text, _ = strings.Cut(after, "\n")
	}
	return some, false
}
