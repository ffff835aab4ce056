package glob

import "strings"

// Item is one pattern of a list.
type Item struct {
	Text   string
	Offset int // byte offset of Text in the list
	// Quoted: quotes or backticks around it were taken off. Stray: no tool takes them for such, since they are backticks, or one of a
	// pair is missing.
	Quoted, Stray bool
}

// Unquote is a pattern without the white space, and without the pair of quotes or backticks around it, or the one of a pair whose
// other is missing.
func Unquote(pattern string) Item {
	for _, item := range appendItem(nil, pattern, 0, len(pattern)) {
		return item
	}
	return Item{}
}

// SplitList splits a list of path globs at the commas that stand outside braces and brackets. White space around a pattern
// and one pair of quotes or backticks around it are taken off, and a quote that has lost the other one; empty patterns are left out. A brace or bracket that is never closed does
// not hide the commas after it.
func SplitList(list string) []Item {
	var out []Item
	ends := closings(list)
	start := 0
	for i := 0; i < len(list); i++ {
		switch list[i] {
		case '\\':
			i++
		case '{', '[':
			if end, ok := ends[i]; ok {
				i = end
			}
		case ',':
			out = appendItem(out, list, start, i)
			start = i + 1
		}
	}
	return appendItem(out, list, start, len(list))
}

// closings maps the offset of each brace and bracket that is closed to the offset where it is.
func closings(list string) map[int]int {
	ends := map[int]int{}
	var open []int // braces
	lastBracket := strings.LastIndexByte(list, ']')
	for i := 0; i < len(list); i++ {
		switch list[i] {
		case '\\':
			i++
		case '{':
			open = append(open, i)
		case '}':
			if n := len(open); n > 0 {
				ends[open[n-1]] = i
				open = open[:n-1]
			}
		case '[':
			if i > lastBracket {
				continue // no search that must fail: a long row of `[` would make it quadratic
			}
			if end := classEnd(list, i); end < len(list) {
				ends[i] = end
				i = end
			} else {
				lastBracket = -1
			}
		}
	}
	return ends
}

// classEnd finds the `]` that closes the class opened at i, or len(list).
func classEnd(list string, i int) int {
	i++
	if i < len(list) && (list[i] == '!' || list[i] == '^') {
		i++
	}
	for first := true; i < len(list); first = false {
		switch {
		case list[i] == '\\':
			i++
		case list[i] == ']' && !first:
			return i
		}
		i++
	}
	return len(list)
}

func appendItem(out []Item, list string, start, end int) []Item {
	start, end = trim(list, start, end)
	var item Item
	if end-start >= 2 && strings.IndexByte("\"'`", list[start]) >= 0 && list[end-1] == list[start] {
		item.Quoted, item.Stray = true, list[start] == '`'
		start, end = trim(list, start+1, end-1)
	} else if half := list[start:end]; strings.Count(half, `"`)+strings.Count(half, "'")+strings.Count(half, "`") == 1 {
		if strings.IndexByte("\"'`", half[0]) >= 0 {
			item.Quoted, item.Stray = true, true
			start, end = trim(list, start+1, end)
		} else if strings.IndexByte("\"'`", half[len(half)-1]) >= 0 {
			item.Quoted, item.Stray = true, true
			start, end = trim(list, start, end-1)
		}
	}
	if start == end {
		return out
	}
	item.Text, item.Offset = list[start:end], start
	return append(out, item)
}

func trim(list string, start, end int) (int, int) {
	const blanks = " \t\r\n"
	for start < end && strings.IndexByte(blanks, list[start]) >= 0 {
		start++
	}
	for end > start && strings.IndexByte(blanks, list[end-1]) >= 0 {
		end--
	}
	return start, end
}
