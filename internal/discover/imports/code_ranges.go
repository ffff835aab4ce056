package imports

import (
	"regexp"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
)

// codeRanges finds the code in a Markdown text, in order: fenced and indented
// blocks, also those in block quotes and lists, and code spans, also those over
// several lines of a paragraph.
func codeRanges(text string) []diag.Span {
	if !strings.ContainsAny(text, "`~\t") && !strings.Contains(text, "    ") {
		return nil
	}
	m := markdown{text: text}
	at := 0
	for line := range strings.Lines(text) {
		m.line(at, strings.TrimRight(line, "\r\n"))
		at += len(line)
	}
	m.endParagraph()
	return m.code
}

// inCode tells whether an offset lies in one of the ranges, which are in order.
func inCode(ranges []diag.Span, at int) bool {
	i, _ := slices.BinarySearchFunc(ranges, at, func(s diag.Span, at int) int {
		if s.End <= at {
			return -1
		}
		return 1
	})
	return i < len(ranges) && ranges[i].Start <= at
}

// markdown is as much of Markdown's block structure as tells code from text.
type markdown struct {
	text string
	code []diag.Span

	fence  string      // that is open; empty: none
	quotes int         // depth of block quotes of the last line
	lists  []int       // columns at which the text of the open list items begins
	blank  bool        // the last line was blank
	runs   []diag.Span // of backticks in the paragraph
	open   bool        // a paragraph is open
}

var (
	listMarker = regexp.MustCompile(`^(?:[-+*]|\d{1,9}[.)])(?: +|\t|$)`)
	heading    = regexp.MustCompile(`^#{1,6}(?:[ \t]|$)`)
	backticks  = regexp.MustCompile("`+")
)

func (m *markdown) line(at int, line string) {
	end := at + len(line)
	most := len(line)
	if m.fence != "" {
		most = m.quotes // more of them are code
	}
	rest, quotes := stripQuotes(line, most)
	indent, inner := leading(rest)
	if m.fence != "" {
		if quotes >= m.quotes && (inner == "" || indent >= m.base()) {
			m.mark(at, end)
			if strings.HasPrefix(inner, m.fence) && strings.Trim(inner, m.fence[:1]+" \t") == "" {
				m.fence = ""
			}
			return
		}
		m.fence = "" // its quote or list item is over
		m.line(at, line)
		return
	}
	if quotes != m.quotes {
		m.endParagraph()
		m.lists, m.quotes = nil, quotes
	}
	if inner == "" {
		m.endParagraph()
		m.blank = true
		return
	}
	starts := listMarker.MatchString(inner) || heading.MatchString(inner) || fenceOf(inner) != ""
	if m.blank || starts || !m.open {
		for len(m.lists) > 0 && indent < m.base() {
			m.lists = m.lists[:len(m.lists)-1]
		}
	}
	m.blank = false
	if indent-m.base() >= 4 && !m.open {
		m.mark(at, end)
		return
	}
	for indent-m.base() < 4 && listMarker.MatchString(inner) && !isRule(inner) {
		m.endParagraph()
		width := len(strings.TrimRight(listMarker.FindString(inner), " \t")) + 1
		indent += width
		more, next := leading(inner[min(width, len(inner)):])
		if next != "" && more < 4 {
			indent += more
		}
		m.lists, inner = append(m.lists, indent), next
		if more >= 4 && next != "" {
			m.mark(at, end)
			return
		}
	}
	switch f := fenceOf(inner); {
	case f != "" && indent-m.base() < 4:
		m.endParagraph()
		m.fence = f
		m.mark(at, end)
	case heading.MatchString(inner):
		m.endParagraph()
		m.inline(end-len(inner), inner)
		m.endParagraph()
	case inner != "":
		m.inline(end-len(inner), inner)
	}
}

// base is the column at which the text of the innermost list item begins.
func (m *markdown) base() int {
	if len(m.lists) == 0 {
		return 0
	}
	return m.lists[len(m.lists)-1]
}

func (m *markdown) mark(start, end int) { m.code = append(m.code, diag.Span{Start: start, End: end}) }

// inline adds a line to the paragraph.
func (m *markdown) inline(at int, line string) {
	m.open = true
	for _, run := range backticks.FindAllStringIndex(line, -1) {
		m.runs = append(m.runs, diag.Span{Start: at + run[0], End: at + run[1]})
	}
}

// endParagraph finds the code spans of the paragraph: from a run of backticks to
// the next run of the same length.
func (m *markdown) endParagraph() {
	byLength := map[int][]int{}
	for i, run := range m.runs {
		byLength[run.End-run.Start] = append(byLength[run.End-run.Start], i)
	}
	for i := 0; i < len(m.runs); i++ {
		run := m.runs[i]
		length := run.End - run.Start
		if run.Start > 0 && m.text[run.Start-1] == '\\' {
			length-- // the first is escaped
		}
		same := byLength[length]
		next, _ := slices.BinarySearch(same, i+1)
		if length > 0 && next < len(same) {
			m.mark(run.Start, m.runs[same[next]].End)
			i = same[next]
		}
	}
	m.runs, m.open = m.runs[:0], false
}

// stripQuotes takes the marks of block quotes off a line, at most so many.
func stripQuotes(line string, most int) (rest string, depth int) {
	for {
		trimmed := strings.TrimLeft(line, " ")
		if depth == most || len(line)-len(trimmed) > 3 || !strings.HasPrefix(trimmed, ">") {
			return line, depth
		}
		line = strings.TrimPrefix(trimmed[1:], " ")
		depth++
	}
}

// leading is how many columns of white space a line begins with, and the rest.
func leading(line string) (columns int, rest string) {
	for i := range len(line) {
		switch line[i] {
		case ' ':
			columns++
		case '\t':
			columns += 4 - columns%4
		default:
			return columns, line[i:]
		}
	}
	return columns, ""
}

// fenceOf is the run of backticks or tildes that begins a code fence.
func fenceOf(inner string) string {
	for _, c := range []string{"`", "~"} {
		n := len(inner) - len(strings.TrimLeft(inner, c))
		if n >= 3 && (c == "~" || !strings.Contains(inner[n:], c)) {
			return inner[:n]
		}
	}
	return ""
}

// isRule is true for a line of three or more marks such as `* * *`.
func isRule(inner string) bool {
	return len(strings.Trim(inner, inner[:1]+" \t")) == 0 && strings.Count(inner, inner[:1]) >= 3
}
