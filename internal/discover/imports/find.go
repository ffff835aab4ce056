package imports

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/diag"
)

// kiroImport is how Kiro writes an import.
const kiroImport = "#[[file:"

// mention is where a line names a file to import.
type mention struct {
	diag.Span
	kiro bool
}

// target is the name of the file.
func (m mention) target(line string) string {
	text := line[m.Start:m.End]
	if m.kiro {
		return strings.TrimSuffix(strings.TrimPrefix(text, kiroImport), "]]")
	}
	return strings.TrimPrefix(text, "@")
}

// levels is how many files an import may lead through.
func (x *expansion) levels() int { return max(x.Imports.Levels, 1) }

// find looks for imports in a line, as the agent does.
func (x *expansion) find(line string) []mention {
	var out []mention
	if x.Imports.Kiro {
		for at := 0; ; {
			i := strings.Index(line[at:], kiroImport)
			if i < 0 {
				return out
			}
			end := strings.Index(line[at+i:], "]]")
			if end < 0 {
				return out
			}
			out = append(out, mention{diag.Span{Start: at + i, End: at + i + end + 2}, true})
			at += i + end + 2
		}
	}
	for i := 0; i < len(line); {
		if line[i] != '@' || !x.mayPrecede(line[:i]) {
			i++
			continue
		}
		end := x.end(line, i+1)
		if target := x.trimmed(line[i+1 : end]); target != "" {
			out = append(out, mention{diag.Span{Start: i, End: i + 1 + len(target)}, false})
		}
		i = end
	}
	return out
}

// end is where a path ends that begins at an offset.
func (x *expansion) end(line string, at int) int {
	for at < len(line) {
		r, size := utf8.DecodeRuneInString(line[at:])
		if unicode.IsSpace(r) || strings.ContainsRune("`<>\"'|*?", r) {
			break
		}
		at += size
		if r == '\\' && x.Imports.Escapes { // an escaped blank
			_, size = utf8.DecodeRuneInString(line[at:])
			at += size
		}
	}
	return at
}

// trimmed takes off what follows a path in a sentence, as far as the agent does.
func (x *expansion) trimmed(target string) string {
	cut := ""
	if x.Imports.Stop {
		cut += ".,;:!"
	}
	if x.Imports.Wrapped {
		cut += ")]}"
	}
	return strings.TrimRight(target, cut)
}

// mayPrecede tells whether an import may stand after this beginning of a line:
// @ inside a word, as in an address, is none.
func (x *expansion) mayPrecede(text string) bool {
	r, _ := utf8.DecodeLastRuneInString(text)
	switch {
	case text == "" || unicode.IsSpace(r):
		return true
	case x.Imports.Wrapped && strings.ContainsRune("([\"'", r):
		return true
	}
	return x.Imports.Bold && strings.HasSuffix(text, "**")
}

// commentRanges finds the HTML comments of a Markdown text that are not in code;
// own are those on lines of their own, with their lines.
func commentRanges(text string, code []diag.Span) (all, own []diag.Span) {
	for at := 0; ; {
		i := strings.Index(text[at:], "<!--")
		if i < 0 {
			return all, own
		}
		start := at + i
		if inCode(code, start) {
			at = start + len("<!--")
			continue
		}
		n := strings.Index(text[start:], "-->")
		if n < 0 {
			return all, own
		}
		at = start + n + len("-->")
		all = append(all, diag.Span{Start: start, End: at})
		first, alone := lineBefore(text, start)
		last, ends := lineAfter(text, at)
		if alone && ends {
			own = append(own, diag.Span{Start: first, End: last})
		}
	}
}

// lineBefore is where the line of an offset begins, if nothing but white space stands there before it. No more of the line is
// looked at than that: it may be long, and full of comments.
func lineBefore(text string, at int) (first int, blank bool) {
	for first = at; first > 0 && text[first-1] != '\n'; {
		r, size := utf8.DecodeLastRuneInString(text[:first])
		if !unicode.IsSpace(r) {
			return first, false
		}
		first -= size
	}
	return first, true
}

// lineAfter is where the line of an offset ends, if nothing but white space stands there after it.
func lineAfter(text string, at int) (last int, blank bool) {
	for last = at; last < len(text) && text[last] != '\n'; {
		r, size := utf8.DecodeRuneInString(text[last:])
		if !unicode.IsSpace(r) {
			return last, false
		}
		last += size
	}
	return last, true
}

// merged are ranges of two lists, in order.
func merged(a, b []diag.Span) []diag.Span {
	if len(b) == 0 {
		return a
	}
	out := slices.Concat(a, b)
	slices.SortFunc(out, func(x, y diag.Span) int { return x.Start - y.Start })
	return out
}
