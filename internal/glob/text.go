package glob

import "strings"

// Glob is a compiled string glob.
type Glob struct {
	fold  bool
	wilds []wild     // the alternatives, if there are few
	nfa   *automaton // else this
	seq   []element  // the parsed pattern
	heavy bool       // a long text may take long
}

// fewAlternatives is up to where alternatives are tried one after the other, which is faster than the automaton by far:
// most of them are settled by their first or last characters.
const fewAlternatives = 64

// Compile reads a string glob. With fold, text and pattern are compared without case, as [Fold] does.
func Compile(pattern string, fold bool) (*Glob, *SyntaxError) {
	seq, err := parse(pattern, fold, false)
	if err != nil {
		return nil, err
	}
	g := &Glob{fold: fold, seq: seq}
	if alts, ok := expand(seq, fewAlternatives); ok {
		for _, alt := range alts {
			g.wilds = append(g.wilds, newWild(alt))
		}
	} else {
		g.nfa = newAutomaton(seq)
	}
	g.heavy = g.steps() > heavySteps
	return g, nil
}

// Match reports whether the whole of s matches.
func (g *Glob) Match(s string) bool {
	if g.fold {
		s = Fold(s)
	}
	return g.MatchFolded(s)
}

// MatchFolded is Match for a text that the caller has folded already, once for many globs. For a glob that was compiled
// without fold it is the same as Match.
func (g *Glob) MatchFolded(s string) bool {
	var m meter
	return g.match(s, &m)
}

// Literal returns the only text that matches, if the pattern has neither wildcards nor alternatives. Like all static
// knowledge below it is folded if the glob is.
func (g *Glob) Literal() (string, bool) {
	if len(g.wilds) == 1 {
		return g.wilds[0].plainText()
	}
	return "", false
}

// Literals returns all texts that match, in the order of the pattern, if there are finitely many and few.
func (g *Glob) Literals() ([]string, bool) {
	var out []string
	for i := range g.wilds {
		s, ok := g.wilds[i].plainText()
		if !ok {
			return nil, false
		}
		out = append(out, s)
	}
	return out, len(out) > 0
}

// Prefix is what every matching text begins with; empty if nothing is known.
func (g *Glob) Prefix() string {
	if g.nfa != nil {
		if len(g.seq) > 0 && g.seq[0].kind == literal {
			return g.seq[0].text
		}
		return ""
	}
	return common(g.wilds, (*wild).prefix, commonPrefix)
}

// Suffix is what every matching text ends with; empty if nothing is known.
func (g *Glob) Suffix() string {
	if g.nfa != nil {
		if n := len(g.seq); n > 0 && g.seq[n-1].kind == literal {
			return g.seq[n-1].text
		}
		return ""
	}
	return common(g.wilds, (*wild).suffix, commonSuffix)
}

// Required returns texts of which every matching text contains at least one; nil if nothing is known.
// One alternative gives one text, its longest literal.
func (g *Glob) Required() []string {
	if g.nfa != nil {
		best := ""
		for _, e := range g.seq {
			if e.kind == literal && len(e.text) > len(best) {
				best = e.text
			}
		}
		if best == "" {
			return nil
		}
		return []string{best}
	}
	var out []string
	for i := range g.wilds {
		s := g.wilds[i].longest()
		if s == "" {
			return nil
		}
		out = append(out, s)
	}
	return out
}

// common reduces what is known of each alternative to what is known of all.
func common(wilds []wild, of func(*wild) string, shared func(a, b string) string) string {
	s := of(&wilds[0])
	for i := 1; i < len(wilds) && s != ""; i++ {
		s = shared(s, of(&wilds[i]))
	}
	return s
}

// commonPrefix ends between characters: half of one would be of no use to a reader, nor valid UTF-8.
func commonPrefix(a, b string) string {
	n := 0
	for n < len(a) {
		r, size := decode(a[n:])
		s, _ := decode(b[n:])
		if r != s || n == len(b) {
			break
		}
		n += size
	}
	return a[:n]
}

func commonSuffix(a, b string) string {
	for i := range a {
		if strings.HasSuffix(b, a[i:]) {
			return a[i:]
		}
	}
	return ""
}
