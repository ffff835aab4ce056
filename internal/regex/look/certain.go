package look

import (
	"slices"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/regex/syntax"
)

// Certain says whether the expression matches whatever follows, and nothing too. It
// is known at once if the text has not matched so far, or if it has without regard
// to what follows. Else all that may follow is gone through, by states; cost is how
// many these were, whether they were gone through now or before. Beyond a few
// hundred the answer is no: not known yet.
func (l *Automaton) Certain(v *State) (certain bool, cost int) {
	if v.certain || !v.ends {
		return v.certain, 0
	}
	if l.matchesFrom(v) {
		return true, 1
	}
	if known := int(v.explored.Load()); known != 0 {
		return known > 0, max(known, -known)
	}
	undoing, certain, cost := l.explore(v)
	if undoing == unknown {
		var more int
		certain, more = l.alone(v)
		cost += more
	}
	known := int32(cost)
	if !certain {
		known = -known
	}
	v.explored.Store(known)
	return certain, cost
}

// Counterexample gives a text that undoes the match if it follows; ok is false if there is
// none or it is not known.
func (l *Automaton) Counterexample(v *State) (text string, ok bool) {
	text, certain, _ := l.explore(v)
	return text, !certain && text != unknown
}

// matchesFrom says whether what starts at a state or later is enough for a match
// whatever follows, as for an expression that may match nothing at the very end. It
// may say no where the answer is yes.
func (l *Automaton) matchesFrom(v *State) bool {
	l.anywhere.Do(l.findMatching)
	return l.matching[slices.Index(syntax.Contexts[:], syntax.Context(v.key[0]))]
}

// findMatching leaves those contexts that match at the end and after which every
// character leads to another of them, since a match may start there too. What a
// look-behind saw before could undo it, so expressions with any are left out.
func (l *Automaton) findMatching() {
	if len(l.code.behinds) > 0 {
		return
	}
	matching := [4]bool{}
	var views [4]*State
	for i, c := range syntax.Contexts {
		if views[i] = l.Begin(c.Rune()); l.context(c.Rune()) == c {
			matching[i] = views[i].ends
		}
	}
	for changed := true; changed; {
		changed = false
		for i, v := range views {
			if !matching[i] {
				continue
			}
			for class, possible := range l.possible {
				if !possible {
					continue
				}
				r := l.sample(uint16(class))
				if matching[slices.Index(syntax.Contexts[:], l.context(r))] {
					continue
				}
				if next := l.Next(v, r); next == nil || !next.certain {
					matching[i], changed = false, true
					break
				}
			}
		}
	}
	l.matching = matching
}

// unknown stands for a text that was not found. No class has such a character.
const unknown = "\xff"

// explore looks for a text that undoes the match.
func (l *Automaton) explore(v *State) (undoing string, certain bool, cost int) {
	if v.certain || l.matchesFrom(v) {
		return "", true, 1
	}
	if !v.ends {
		return "", false, 1
	}
	type seen struct {
		view *State
		from int
		last rune
	}
	list := []seen{{v, -1, 0}}
	found := map[string]bool{v.key: true}
	arrows := 0
	for at := 0; at < len(list); at++ {
		for class, possible := range l.possible {
			if !possible {
				continue
			}
			if arrows++; arrows > maxArrows {
				return unknown, false, len(list)
			}
			r := l.sample(uint16(class))
			next := l.Next(list[at].view, r)
			switch {
			case next == nil:
				return unknown, false, len(list)
			case next.certain || l.matchesFrom(next):
				continue
			case !next.ends:
				text := []rune{r}
				for i := at; list[i].from >= 0; i = list[i].from {
					text = append(text, list[i].last)
				}
				slices.Reverse(text)
				return string(text), false, len(list)
			case found[next.key]:
				continue
			case len(list) == maxExplored:
				return unknown, false, len(list)
			}
			found[next.key] = true
			list = append(list, seen{next, at, r})
		}
	}
	return "", true, len(list)
}

// sample gives a character of a class that a text can hold.
func (l *Automaton) sample(class uint16) rune {
	if r := l.alphabet.Sample[class]; utf8.ValidRune(r) {
		return r
	}
	for i, c := range l.alphabet.Classes {
		if c == class && utf8.ValidRune(l.alphabet.Bounds[i]) {
			return l.alphabet.Bounds[i]
		}
	}
	return 0xE000 // after the surrogates that the run begins with
}

// Bounds on what Certain looks at.
const (
	maxExplored = 256 // states
	maxArrows   = 8192
)
