package reference

import "strings"

// entry is a text and the names that it is about.
type entry struct {
	names []string
	text  string
}

// sections are the parts of a page whose heading is nothing but names, such as
// "### `min`, `max`".
func sections(page string) []entry {
	var out []entry
	lines := strings.Split(page, "\n")
	fence := ""
	for i, line := range lines {
		if fence = fenceAfter(fence, line); fence != "" {
			continue
		}
		level := headingLevel(line)
		names, only := codeNames(strings.TrimLeft(line, "# "))
		if level < 2 || !only {
			continue
		}
		out = append(out, entry{names, strings.TrimSpace(strings.Join(lines[i+1:sectionEnd(lines, i, level)], "\n"))})
	}
	return out
}

// sectionEnd is the line of the next heading that is not below a level.
func sectionEnd(lines []string, from, level int) int {
	fence := ""
	for i := from + 1; i < len(lines); i++ {
		if fence = fenceAfter(fence, lines[i]); fence != "" {
			continue
		}
		if l := headingLevel(lines[i]); l > 0 && l <= level {
			return i
		}
	}
	return len(lines)
}

// fenceAfter is the fence of the code that a line leaves open, or "".
func fenceAfter(open, line string) string {
	mark := line[:len(line)-len(strings.TrimLeft(line, "`~"))]
	switch {
	case open == "" && len(mark) >= 3:
		return mark
	case open != "" && strings.HasPrefix(line, open) && strings.TrimSpace(line[len(mark):]) == "":
		return ""
	}
	return open
}

func headingLevel(line string) int {
	n := len(line) - len(strings.TrimLeft(line, "#"))
	if n > 0 && strings.HasPrefix(line[n:], " ") {
		return n
	}
	return 0
}

// codeNames are the names in backticks at the start of a text. only says that the
// text has nothing else but commas and blanks.
func codeNames(text string) (names []string, only bool) {
	for {
		text = strings.TrimLeft(text, ", ")
		rest, ok := strings.CutPrefix(text, "`")
		if !ok {
			return names, text == "" && len(names) > 0
		}
		name, after, closed := strings.Cut(rest, "`")
		if !closed {
			return names, false
		}
		names, text = append(names, name), after
	}
}

// rows are the rows of a page's tables whose first cell begins with names.
func rows(page string) []entry {
	var out []entry
	var head []string
	for line := range strings.SplitSeq(page, "\n") {
		if !strings.HasPrefix(line, "| ") {
			head = nil
			continue
		}
		cells := Cells(line)
		if head == nil {
			head = cells
			continue
		}
		names, only := codeNames(cells[0])
		if !only || len(cells) != len(head) || strings.ContainsAny(cells[0], "{ ") && len(names) == 1 { // an example, and no name
			continue
		}
		var b strings.Builder
		for i := 1; i < len(cells); i++ {
			if cells[i] != "" {
				b.WriteString(head[i] + ": " + cells[i] + "\n")
			}
		}
		out = append(out, entry{names, strings.TrimSpace(b.String())})
	}
	return out
}

// Cells are the cells of a table's row, without the blanks around them.
func Cells(row string) []string {
	row = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(row), "|"), "|")
	const bar = "\x00"
	cells := strings.Split(strings.ReplaceAll(row, `\|`, bar), "|")
	for i := range cells {
		cells[i] = strings.TrimSpace(strings.ReplaceAll(cells[i], bar, "|"))
	}
	return cells
}
