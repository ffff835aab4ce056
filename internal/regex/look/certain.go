package look

import (
	"math"
	"slices"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/regex/syntax"
)

// Certain says whether the expression matches whatever follows, and nothing too. It
// is known at once if the text has not matched so far, or if it has without regard
// to what follows. Else all that may follow is gone through, by states. The work of it, in the
// unit of [Step], is told whether it was done now or before; beyond so much of it, and
// beyond a few hundred states, the answer is no: not known yet. Where little is allowed nothing is tried.
func (l *Automaton) Certain(v *State, most int) (certain bool, work int) {
	if v.certain || !v.ends {
		return v.certain, 0
	}
	if most = min(most, maxCertain); most < maxMatching {
		return false, 0
	}
	if l.matchesFrom(v) {
		return true, 1
	}
	var known findings
	if found := v.known.Load(); found != nil {
		known = *found
	}
	explored, alone := known.explored, known.alone
	half := most / 2 // the rest is for one match alone, which takes less where there are many
	if !explored.answers(half) {
		_, explored = l.explore(v, half)
	}
	certain, sure, work := explored.within(half)
	if !sure {
		rest := most - work
		if !alone.answers(rest) {
			alone = l.alone(v, rest)
		}
		var more int
		certain, _, more = alone.within(rest)
		work += more
	}
	if now := (findings{explored, alone}); now != known {
		v.known.Store(&now)
	}
	return certain, work
}

// finding is what was found out about a state or a position with so much work.
type finding struct {
	work    int32
	asked   bool
	cut     bool // the work that was allowed was not enough: it would take more
	certain bool // it matches whatever follows
	unknown bool
}

// findings is what is known of a state.
type findings struct{ explored, alone finding }

// answers says whether a finding tells what would be found with so much work.
func (f finding) answers(most int) bool { return f.asked && (!f.cut || int(f.work) >= most) }

// within gives what is found with so much work, and that work. It does not depend on how much was allowed when it was found.
func (f finding) within(most int) (certain, sure bool, work int) {
	if int(f.work) >= most {
		return false, false, most
	}
	return f.certain, !f.unknown, int(f.work)
}

// Counterexample gives a text that undoes the match if it follows; ok is false if there is
// none or it is not known.
func (l *Automaton) Counterexample(v *State) (text string, ok bool) {
	text, found := l.explore(v, math.MaxInt32)
	return text, !found.certain && !found.unknown
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
	work := 0
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
				next, step := l.Next(v, r)
				if work += step.Work; work > maxMatching {
					return // none is known
				}
				if next == nil || !next.certain {
					matching[i], changed = false, true
					break
				}
			}
		}
	}
	l.matching = matching
}

// explore looks for a text that undoes the match, with so much work at most.
func (l *Automaton) explore(v *State, most int) (undoing string, _ finding) {
	if v.certain || l.matchesFrom(v) {
		return "", finding{asked: true, certain: true}
	}
	if !v.ends {
		return "", finding{asked: true}
	}
	type seen struct {
		view *State
		from int
		last rune
	}
	list := []seen{{v, -1, 0}}
	found := map[string]bool{v.key: true}
	arrows, work := 0, 0
	for at := 0; at < len(list); at++ {
		for class, possible := range l.possible {
			if !possible {
				continue
			}
			if work >= most {
				return "", finding{work: int32(work), asked: true, cut: true, unknown: true}
			}
			if arrows++; arrows > maxArrows {
				return "", finding{work: int32(work), asked: true, unknown: true}
			}
			r := l.sample(uint16(class))
			next, step := l.Next(list[at].view, r)
			work += step.Work
			switch {
			case next == nil:
				return "", finding{work: int32(work), asked: true, unknown: true}
			case next.certain || l.matchesFrom(next):
				continue
			case !next.ends:
				text := []rune{r}
				for i := at; list[i].from >= 0; i = list[i].from {
					text = append(text, list[i].last)
				}
				slices.Reverse(text)
				return string(text), finding{work: int32(work), asked: true}
			case found[next.key]:
				continue
			case len(list) == maxExplored:
				return "", finding{work: int32(work), asked: true, unknown: true}
			}
			found[next.key] = true
			list = append(list, seen{next, at, r})
		}
	}
	return "", finding{work: int32(work), asked: true, certain: true}
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
	maxCertain  = 1 << 20 // work
	maxMatching = 1 << 12 // work, of all contexts together
)
