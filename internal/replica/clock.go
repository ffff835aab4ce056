package replica

import (
	"maps"
	"slices"
)

// Clock counts the changes of a value, by the machine that made them.
type Clock map[string]uint64

// maxMachines is how many machines a clock counts. A conversation that moves through more forgets the one that did least.
const maxMachines = 32

// covers tells whether every change that other counts is counted here, too.
func (c Clock) covers(other Clock) bool {
	for machine, count := range other {
		if c[machine] < count {
			return false
		}
	}
	return true
}

// joined counts what either of two counts.
func (c Clock) joined(other Clock) Clock {
	out := maps.Clone(c)
	if out == nil {
		out = Clock{}
	}
	for machine, count := range other {
		out[machine] = max(out[machine], count)
	}
	return out.bounded()
}

// after counts changes of one machine more.
func (c Clock) after(machine string, changes uint64) Clock {
	out := maps.Clone(c)
	if out == nil {
		out = Clock{}
	}
	out[machine] += changes
	return out.bounded()
}

func (c Clock) bounded() Clock {
	for len(c) > maxMachines {
		names := slices.Sorted(maps.Keys(c)) // so that every machine forgets the same
		least := slices.MinFunc(names, func(a, b string) int {
			switch {
			case c[a] < c[b]:
				return -1
			case c[a] > c[b]:
				return 1
			}
			return 0
		})
		delete(c, least)
	}
	return c
}

// State is a value as a machine has it.
type State struct {
	// Clock is that of the value when it was last compared with the shared one; nil: it never was.
	Clock Clock
	// Edits counts the changes that were made here since: whoever changes a value adds one, and need know nothing of other machines.
	Edits uint64
	// Value is the value; nil: there is none.
	Value []byte
}

// now is a state with its edits counted as changes of a machine.
func (s State) now(machine string) State {
	if s.Value != nil && len(s.Clock) == 0 && s.Edits == 0 { // written before there was anybody to share it with
		s.Edits = 1
	}
	if s.Edits > 0 {
		s.Clock, s.Edits = s.Clock.after(machine, s.Edits), 0
	}
	return s
}

// settled is what two copies come to.
type settled struct {
	State
	here  bool // it is news for this machine
	there bool // it is news for the shared store
}

// settle compares the copy of this machine, its edits counted, with the shared one.
func settle(here, there State, merge func(a, b []byte) []byte) settled {
	switch {
	case there.Value == nil:
		return settled{State: here, there: here.Value != nil}
	case here.Value == nil:
		return settled{State: there, here: true}
	case there.Clock.covers(here.Clock):
		if here.Clock.covers(there.Clock) {
			return settled{State: here}
		}
		return settled{State: there, here: true}
	case here.Clock.covers(there.Clock):
		return settled{State: here, there: true}
	}
	a, b := here.Value, there.Value
	if slices.Compare(a, b) > 0 { // the order is the same on every machine
		a, b = b, a
	}
	return settled{State: State{Clock: here.Clock.joined(there.Clock), Value: merge(a, b)}, here: true, there: true}
}
