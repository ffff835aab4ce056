package glob

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// Path is a compiled path glob. Paths are relative, with slashes, and have no `.` or `..` segments; a caller on Windows
// converts backslashes first. `*`, `?` and classes never match a slash and do match a leading dot; a segment `**` stands for
// any number of whole segments, none included, so `a/**` matches `a` too. `**` beside other characters of a segment means `*`.
//
// Braces are counted when a glob is read, and written out when it is first compared: a stranger's rules may have thousands of
// which none is ever asked for.
type Path struct {
	body     string // without what pathBody takes off
	extended bool
	negated  bool
	rooted   bool
	hasSlash bool
	weight   int

	expanded sync.Once
	routes   []route // the alternatives
}

// CompilePath reads a path glob. A leading `!` is taken off and reported by Negated; leading `./` is dropped.
func CompilePath(pattern string) (*Path, *SyntaxError) { return compilePath(pattern, false) }

// pathBody takes off what stands before a path: a negation, and `./`.
func pathBody(pattern string, extended bool) (negated bool, body string) {
	body = pattern
	if strings.HasPrefix(body, "!") && !(extended && strings.HasPrefix(body, "!(")) {
		negated, body = true, body[1:]
	}
	for strings.HasPrefix(body, "./") {
		body = body[2:]
	}
	return negated, body
}

func tooManyAlternatives(body string, cut int) *SyntaxError {
	return &SyntaxError{
		cut + max(strings.IndexAny(body, "{("), 0),
		fmt.Sprintf("the braces stand for more than %d patterns", maxAlternatives), "use `*`, or write several globs",
	}
}

func compilePath(pattern string, extended bool) (*Path, *SyntaxError) {
	negated, body := pathBody(pattern, extended)
	cut := len(pattern) - len(body)
	seq, err := parse(body, false, extended)
	if err != nil {
		err.Offset += cut
		return nil, err
	}
	s := sizeOf(seq)
	if s.alternatives > maxAlternatives || s.weight > maxExpanded {
		return nil, tooManyAlternatives(body, cut)
	}
	return &Path{
		body: body, extended: extended, negated: negated, rooted: strings.HasPrefix(body, "/"), hasSlash: holdsSlash(seq),
		weight: int(s.alternatives + s.weight),
	}, nil
}

// holdsSlash tells whether some alternative has a slash.
func holdsSlash(seq []element) bool {
	for _, e := range seq {
		if e.kind == literal && strings.Contains(e.text, "/") || slices.ContainsFunc(e.alts, holdsSlash) {
			return true
		}
	}
	return false
}

// Match reports whether the path matches, the leading `!` left out of account.
func (p *Path) Match(slashPath string) bool {
	return p.MatchWith(slashPath, Letters{^uint64(0), ^uint64(0)})
}

// MatchWith is Match for who asks of one path with many globs: letters are those of the path. Most globs have one that
// the path has not, and then nothing else is looked at: a path may have thousands of segments, each to be compared
// with what follows a globstar.
func (p *Path) MatchWith(slashPath string, letters Letters) bool {
	routes := p.alternatives()
	for i := range routes {
		if r := &routes[i]; letters.hold(r.letters) && r.match(slashPath) {
			return true
		}
	}
	return false
}

// Letters are the ASCII characters that a text has, a bit each.
type Letters [2]uint64

// LettersOf gives those of a text.
func LettersOf(text string) (l Letters) {
	for i := range len(text) {
		if c := text[i]; c < utf8.RuneSelf {
			l[c>>6] |= 1 << (c & 63)
		}
	}
	return l
}

// hold says whether all others are among them.
func (l Letters) hold(others Letters) bool { return others[0]&^l[0]|others[1]&^l[1] == 0 }

// Saved is a glob that was read, as it can be kept.
type Saved struct {
	Text     string // not as the author wrote it: [Saved.Path] alone reads it
	Extended bool
}

// Saved gives what [Saved.Path] makes the same glob of, without the negation.
func (p *Path) Saved() Saved { return Saved{p.body, p.extended} }

// Path goes on with a glob that was kept. It is not checked again, and matches nothing if it was never a glob.
func (s Saved) Path() *Path { return &Path{body: s.Text, extended: s.Extended} }

// Weight is about how much there is to hold, and at worst to compare with each
// character of a path: who takes globs from strangers adds them up.
func (p *Path) Weight() int { return p.weight }

// Negated reports whether the pattern began with `!`.
func (p *Path) Negated() bool { return p.negated }

// Rooted reports whether the pattern begins with a slash. It then matches no relative path; what it should mean is the
// caller's to decide.
func (p *Path) Rooted() bool { return p.rooted }

// HasSlash reports whether some alternative has a slash.
func (p *Path) HasSlash() bool { return p.hasSlash }

// Prefix is what every matching path begins with; empty if nothing is known.
func (p *Path) Prefix() string {
	routes := p.alternatives()
	s := routes[0].prefix
	for _, r := range routes[1:] {
		s = commonPrefix(s, r.prefix)
	}
	return s
}

// Suffix is what every matching path ends with; empty if nothing is known.
func (p *Path) Suffix() string {
	routes := p.alternatives()
	s := routes[0].suffix
	for _, r := range routes[1:] {
		s = commonSuffix(s, r.suffix)
	}
	return s
}

// Extensions returns the extensions (with the dot, as path.Ext gives them; empty for none) that matching paths can have,
// sorted; nil if any extension is possible.
func (p *Path) Extensions() []string {
	var out []string
	routes := p.alternatives()
	for i := range routes {
		r := &routes[i]
		last := &r.segments[len(r.segments)-1]
		if last.globstar {
			return nil
		}
		tail := last.wild.suffix()
		_, plain := last.wild.plainText()
		ext := path.Ext(tail)
		if ext == "" && !plain {
			return nil
		}
		out = append(out, ext)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
