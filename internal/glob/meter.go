package glob

// meter counts the steps of a match that may take long, and asks from time to
// time whether to go on.
type meter struct {
	steps   int
	more    func() bool // nil: always
	stopped bool
}

// stepsPerLook is how many steps are taken between two questions.
const stepsPerLook = 1 << 14

// take takes some steps; false: the match is to end.
func (m *meter) take(steps int) bool {
	if m.steps += steps; m.steps < stepsPerLook || m.more == nil {
		return true
	}
	m.steps = 0
	m.stopped = m.stopped || !m.more()
	return !m.stopped
}

// heavySteps is from how many steps for one character on a glob is heavy.
const heavySteps = 16

// Heavy tells whether a long text may take long: the cost of a match is the length
// of the text times that of what must be tried at each of its offsets.
func (g *Glob) Heavy() bool { return g.heavy }

// steps is how many parts may have to be compared at one offset of a text.
func (g *Glob) steps() int {
	if g.nfa != nil {
		return len(g.nfa.code)
	}
	steps := 0
	for i := range g.wilds {
		steps += g.wilds[i].steps()
	}
	return steps
}

func (w *wild) steps() int {
	most := 0
	for i := 1; i < len(w.chunks)-1; i++ {
		if c := &w.chunks[i]; !c.plain {
			most = max(most, c.chars)
		}
	}
	return most
}

// MatchWhile is [Glob.MatchFolded], as long as more says that there is time; done
// is false if there was not enough.
func (g *Glob) MatchWhile(s string, more func() bool) (matched, done bool) {
	m := meter{more: more}
	matched = g.match(s, &m)
	return matched && !m.stopped, !m.stopped
}

func (g *Glob) match(s string, m *meter) bool {
	if g.nfa != nil {
		return g.nfa.match(s, m)
	}
	for i := range g.wilds {
		if m.take(1+len(s)/64) && g.wilds[i].match(s, m) {
			return true
		}
	}
	return false
}
