package lanes

// Making states takes time. A walker adds it up as its cost, and takes some off for each
// byte of text: in ordinary text states are met again and again, so the cost stays near
// zero. If it grows, the lane whose states are many goes on as an nfa for a while. Costs
// are estimates in nanoseconds, from what was done, so that they do not depend on the
// machine.
const (
	stateCost    = 1000 // of a state
	positionCost = 40   // of each position that it was made from
	stepCost     = 20   // of a step of an nfa
	wordCost     = 4    // of each word of it
	byteCredit   = 250  // taken off for each byte of text
)

// Patience says when a lane becomes an nfa, and for how long. The constants are what
// all sets have but those of tests.
type Patience struct {
	Cost  int64 // up to which states are made
	gain  int64 // how many times cheaper a step of the nfa has to be
	Bytes int   // for which it goes on before states are tried again, which costs making a few
}

const (
	maxCost  = 4e6
	minGain  = 4
	nfaBytes = 16 << 10
)

// retryCost is how much new cost is allowed when states are tried again: enough for some
// hundred states of ordinary text, but for one state of a text that still explodes.
const retryCost = 250e3

// relieve is called when a state had to be made, from one with so many positions, for the
// character that ends at an offset of the text. It gives the state with which the lane goes
// on: this one, or an nfa if that is cheaper.
func (w *Walker) relieve(s *state, positions, at int) *state {
	cost := int64(stateCost + positionCost*positions)
	offset := w.offset + int64(at)
	w.cost = max(w.cost-byteCredit*max(offset-w.costAt, 0), 0) + cost
	w.costAt = offset
	a := w.automaton
	if w.cost <= a.Limits.Patience.Cost || s.dead {
		return s
	}
	g := a.grid(s.lane)
	if g == nil || a.Limits.Patience.gain*int64(stepCost+wordCost*g.words()) > cost {
		return s
	}
	w.cost = a.Limits.Patience.Cost
	return newNFA(g, s, a.Limits.Patience.Bytes)
}

// retry gives the state with which a lane goes on that was an nfa up to an offset.
func (w *Walker) retry(s *state, offset int64) *state {
	a := w.automaton
	w.cost = min(w.cost, a.Limits.Patience.Cost-retryCost)
	w.costAt = offset
	return a.settle(s)
}
