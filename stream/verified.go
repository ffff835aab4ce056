package stream

import (
	"sync"

	"github.com/pertain-dev/pertain/internal/regex"
	"github.com/pertain-dev/pertain/internal/regex/look"
	"github.com/pertain-dev/pertain/stream/internal/effort"
)

// verified is an expression that the set's automaton does not decide, since it has
// look-around or back-references. That automaton runs a looser expression in its place,
// which finds candidates: offsets at which a match may end. From there on an automaton of
// package look follows the text. Expressions with back-references, for which there is no
// such automaton, are tried by the backtracking machine.
type verified struct {
	trigger int32
	pattern int // index in the trigger's Patterns
	re      *regex.Regexp
	always  bool // the looser one would match everywhere
	sticky  bool // the automaton only says that a match has become possible
	// early: the set's automaton or the backtracking machine decides, but perhaps later
	// than possible. An automaton of package look follows the text beside it, from the
	// start on.
	early  bool
	reach  int // characters before the end of a match that matter; -1: all
	owner  int // 0: the user, 1: somebody else
	effort effort.Effort

	automatonOnce sync.Once
	automaton     *look.Automaton // nil: none
	prefixOnce    sync.Once
	prefix        *regex.Prefix
	crossesOnce   sync.Once
	crosses       bool // a match may hold a line feed, as far as is known
}

// MaxLookAround bounds the memory that the states of look-around take, in bytes, for
// one set and all its streams together.
const MaxLookAround = 8 << 20

// load makes the automaton of package look when it is first needed.
func (s *Set) load(l *verified) *verified {
	l.automatonOnce.Do(func() {
		switch {
		case !l.re.Refers():
			l.automaton = s.lookStates.Add(l.re.Tree())
		case l.early:
			l.automaton = s.lookStates.AddWithoutRefs(l.re.Tree())
		}
	})
	return l
}

// machine gives the backtracking machine. An expression that package look can follow
// needs it only if its states grow too large, and in a scan.
func (l *verified) machine() *regex.Prefix {
	l.prefixOnce.Do(func() { l.prefix = l.re.Prefix() })
	return l.prefix
}

// scanned gives what a scan needs.
func (l *verified) scanned() (machine *regex.Prefix, crosses bool) {
	l.crossesOnce.Do(func() {
		program, _ := l.re.Search()
		l.crosses = program == nil || holdsLineFeed(program)
	})
	return l.machine(), l.crosses
}

// addVerified adds an expression that needs more than the automaton, if it fits.
func (c *compiler) addVerified(l *verified) {
	if c.usage.countVerified(l.re); !c.usage.fits() {
		return
	}
	l.reach = -1
	if n, ok := l.re.Reach(); ok {
		l.reach = n
	}
	c.verified = append(c.verified, l)
	if l.re.Refers() { // an early one never does
		sure := &verified{trigger: l.trigger, pattern: l.pattern, re: l.re, early: true, reach: -1}
		if c.load(sure).automaton != nil {
			c.verified = append(c.verified, sure)
		}
	}
}

// sharings is how many groups of expressions there are that share the backtracking machine.
const sharings = 2 * effort.Owners

// sharing says which group an expression belongs to, those of the user's own rules first.
func (l *verified) sharing() int {
	group := 2 * l.owner
	if !l.re.Refers() && !l.sticky {
		group++ // package look follows it
	}
	return group
}

// shareEffort says what may be done with each expression.
func (s *Set) shareEffort() {
	var machines [sharings]int
	var followed, all [effort.Owners]int
	for _, l := range s.verified {
		if !s.triggers[l.trigger].Own {
			l.owner = 1
		}
		all[l.owner]++
		if !l.early {
			machines[l.sharing()]++
		}
		if l.early || !l.re.Refers() {
			followed[l.owner]++
		}
	}
	for _, l := range s.verified {
		l.effort = effort.New(machines[l.sharing()], followed[l.owner], all[l.owner])
	}
}
