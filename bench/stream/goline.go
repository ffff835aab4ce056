package stream

import (
	"regexp"
	"strings"

	"github.com/wasilibs/go-re2/experimental"
)

// line keeps the line that a text is in. A piece that ends lines is looked at in
// all of them, and the last goes on.
type line struct {
	text  []byte
	check func(text []byte)
}

func (l *line) feed(piece string) {
	for {
		head, rest, more := strings.Cut(piece, "\n")
		l.text = append(l.text, head...)
		l.check(l.text)
		if !more {
			return
		}
		l.text = l.text[:0]
		piece = rest
	}
}

// goLine runs Go's regexp for each trigger over the line so far.
func goLine(c *Corpus) (*matcher, error) {
	var all []*regexp.Regexp
	for _, p := range c.Patterns {
		re, err := regexp.Compile(p)
		if err != nil {
			return nil, err
		}
		all = append(all, re)
	}
	found := make([]bool, len(all))
	l := &line{check: func(text []byte) {
		for i, re := range all {
			if !found[i] && re.Match(text) {
				found[i] = true
			}
		}
	}}
	return lineMatcher("go-line", l, found), nil
}

// re2Line runs RE2's set over the line so far.
func re2Line(c *Corpus) (*matcher, error) {
	set, err := experimental.CompileSet(c.Patterns)
	if err != nil {
		return nil, err
	}
	found := make([]bool, len(c.Patterns))
	l := &line{check: func(text []byte) {
		matches, _ := set.FindAllWithError(text, len(found)) // what an error hides, the control misses
		for _, i := range matches {
			found[i] = true
		}
	}}
	return lineMatcher("go-re2", l, found), nil
}

func lineMatcher(name string, l *line, found []bool) *matcher {
	return &matcher{
		name: name,
		reset: func() {
			l.text = l.text[:0]
			clear(found)
		},
		feed:  l.feed,
		found: func(trigger int) bool { return found[trigger] },
	}
}
