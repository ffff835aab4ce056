package stream

import (
	"sync"

	"github.com/pertain-dev/pertain/internal/regex"
	"github.com/pertain-dev/pertain/internal/regex/look"
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
	effort effort

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
func (c *compiler) addVerified(l *verified) bool {
	if c.usage.countVerified(l.re); !c.usage.fits() {
		return false
	}
	l.reach = -1
	if n, ok := l.re.Reach(); ok {
		l.reach = n
	}
	c.verified = append(c.verified, l)
	if l.early {
		return true
	}
	if l.re.Refers() {
		sure := &verified{trigger: l.trigger, pattern: l.pattern, re: l.re, early: true, reach: -1}
		if c.load(sure).automaton != nil {
			c.verified = append(c.verified, sure)
		}
	}
	return true
}

// effort is what the backtracking machine may do in a stream with one expression, in steps of some
// nanoseconds: so many at once, and so many for each KiB of text. What it would use beyond is put off until
// more text has come. There are bounds on what all expressions take together, since a stranger's rules may have any number of them: the
// more a set has the less each may. Those of the user's own rules share among themselves, and so do those that package look
// follows and that need the machine only if their states grow too large.
//
// The share of one does not depend on what others use: they take turns with each piece, and
// what is told must not depend on how the text was cut.
type effort struct {
	once, each int64
	// start and startEach bound what starts at one offset: so many steps, and so many for each KiB of
	// the window. An offset that takes more is given up.
	start, startEach int64
}

// What one expression may, and all of an [effort] together.
const (
	onceSteps, onceAll      = 2 << 20, 32 << 20
	eachSteps, eachAll      = 64 << 10, 256 << 10 // for each KiB
	startSteps, startAll    = 64 << 10, 4 << 20
	startEach, startEachAll = 32 << 10, 2 << 20 // for each KiB
	// lastSteps is what may be used at the end and before the window moves, when nothing can be put off any more.
	lastSteps, lastAll, moveAll = 2 << 20, 16 << 20, 4 << 20
)

func newEffort(machines int) effort {
	n := int64(max(machines, 1))
	return effort{min(onceAll/n, onceSteps), min(eachAll/n, eachSteps), min(startAll/n, startSteps), min(startEachAll/n, startEach)}
}

// at gives the steps that may have been used when so much text has come.
func (e effort) at(offset int64) int64 { return e.once + e.each*offset>>10 }

// startAt gives the steps for what starts at one offset of so much text.
func (e effort) startAt(size int) int { return int(e.start + e.startEach*int64(size)>>10) }

// sharings is how many groups of expressions there are that share an effort.
const sharings = 4

// sharing says which group an expression belongs to, those of the user's own rules first.
func (s *Set) sharing(l *verified) int {
	group := 0
	if !s.triggers[l.trigger].Own {
		group = 2
	}
	if !l.re.Refers() && !l.sticky {
		group++ // package look follows it
	}
	return group
}

// shareEffort says what the backtracking machine may do with each expression.
func (s *Set) shareEffort() {
	var count [sharings]int
	for _, l := range s.verified {
		if !l.early {
			count[s.sharing(l)]++
		}
	}
	for _, l := range s.verified {
		l.effort = newEffort(count[s.sharing(l)])
	}
}
