package stream

import (
	"cmp"
	"fmt"
	"slices"
	"unicode/utf8"
)

// Undecided says that an expression was not tried to the end at some offsets of a text, because that
// would have taken too long: a match that starts there may have been missed. Only expressions with
// back-references can be undecided, and those with look-around where it comes to too many states or a
// [ScanWork] is used up; see the package's comment.
type Undecided struct {
	Trigger int // index in the list that the set was compiled from
	Pattern int // index in the trigger's Patterns
	// The offsets lie from From up to, without, To, in bytes from the start of the
	// text; Starts is how many they are. A match may start at the end of a text too,
	// which has no byte: if that is one of them, To is the length of what was known
	// of the text, and if it is the only one so is From. Where the ends of matches were not looked at, Starts counts these.
	From, To int64
	Starts   int
	Reason   Reason
}

// Reason says why something is undecided.
type Reason string

const (
	// StepLimit: what starts at one offset took more steps than one offset may.
	StepLimit Reason = "step-limit"
	// WorkLimit: there were so many offsets to try that the steps that a text of
	// this length may take were used up.
	WorkLimit Reason = "work-limit"
)

// String says it in a sentence without the text that was watched.
func (u Undecided) String() string {
	why := "a match there takes too many steps to find"
	if u.Reason == WorkLimit {
		why = "there are too many places to try"
	}
	return fmt.Sprintf("pattern %d is undecided between byte %d and byte %d: %s", u.Pattern+1, u.From, u.To, why)
}

// undecided collects at most one entry for each expression and reason.
type undecided struct {
	list  []Undecided
	index map[Undecided]int // in list, by trigger, pattern and reason alone
}

// offsets adds those of a text that begins at base. s may reach beyond the text, by the
// offset at its end.
func (u *undecided) offsets(trigger, pattern int, why Reason, text string, base int64, s span) {
	to := min(s.to, base+int64(len(text)))
	count := utf8.RuneCountInString(text[s.from-base : to-base])
	if to < s.to {
		count++
	}
	u.add(Undecided{trigger, pattern, s.from, to, count, why})
}

func (u *undecided) add(more Undecided) {
	key := more.key()
	if i, ok := u.index[key]; ok {
		k := &u.list[i]
		k.From, k.To = min(k.From, more.From), max(k.To, more.To)
		k.Starts += more.Starts
		return
	}
	if u.index == nil {
		u.index = make(map[Undecided]int)
	}
	u.index[key] = len(u.list)
	u.list = append(u.list, more)
}

// key tells entries apart.
func (u Undecided) key() Undecided {
	return Undecided{Trigger: u.Trigger, Pattern: u.Pattern, Reason: u.Reason}
}

// sorted gives a copy in the order of triggers, without those that fired.
func (u *undecided) sorted(fired func(trigger int) bool) []Undecided {
	var out []Undecided
	for _, k := range u.list {
		if !fired(k.Trigger) {
			out = append(out, k)
		}
	}
	slices.SortFunc(out, func(a, b Undecided) int {
		return cmp.Or(cmp.Compare(a.Trigger, b.Trigger), cmp.Compare(a.Pattern, b.Pattern), cmp.Compare(a.Reason, b.Reason))
	})
	return out
}

// Undecided gives what is undecided so far, by trigger; usually nil. A trigger
// that has fired is not among it. The slice is the caller's.
func (st *Stream) Undecided() []Undecided {
	if st.verifier == nil {
		return nil
	}
	return st.verifier.undecided.sorted(st.Fired)
}

// Undecided gives what the last Scan left undecided, by trigger. The slice is the
// caller's.
func (c *Scanner) Undecided() []Undecided {
	return c.undecided.sorted(func(int) bool { return false })
}

// Hint says in a clause what the author of the expression can do about it: what that
// is depends on why backtracking is needed.
func (s *Set) Hint(u Undecided) string {
	for _, l := range s.verified {
		if int(l.trigger) == u.Trigger && l.pattern == u.Pattern && l.re.Refers() {
			if u.Reason == StepLimit {
				return "write it without back-references and repetitions inside of repetitions"
			}
			return "write it without back-references"
		}
	}
	return "write it smaller, with less to repeat, or as several patterns"
}
