package stream

import (
	"fmt"
	"hash/fnv"
	"slices"
	"sync"

	"github.com/pertain-dev/pertain/internal/regex"
)

// Trigger is a rule as a stream sees it.
type Trigger struct {
	Name string
	// Patterns are ECMAScript expressions; the trigger fires when one matches.
	Patterns []string
	// Scope lists the streams that are watched: text, thinking, tool, tool:NAME or
	// tool:NAME(glob). nil: text and tool.
	Scope []string
	// Globs narrow tool calls to those that touch a matching file. Paths are
	// relative to the project, with slashes.
	Globs []string
	// Path is the rule's file, relative to the project, with slashes.
	Path string
	// Body is what the model is told.
	Body string
}

// Options says how to read triggers. The zero value is the default.
type Options struct {
	// Documented refuses a leading group of inline flags, as JavaScript does.
	Documented bool
}

// Problem is something wrong with a trigger. It quotes nothing but the trigger.
type Problem struct {
	Trigger int // index
	Part    Part
	Index   int    // in the list that Part names
	Offset  int    // in bytes
	Message string // what is wrong
	Hint    string // what would be right; "" if nothing is near
}

// Part is a list of a trigger.
type Part string

const (
	InPatterns Part = "pattern"
	InScope    Part = "scope"
	InGlobs    Part = "glob"
)

func (p Problem) String() string {
	s := fmt.Sprintf("%s %d: %s", p.Part, p.Index+1, p.Message)
	if p.Hint != "" {
		s += "; " + p.Hint
	}
	return s
}

// Set is many triggers, compiled together. It is safe for concurrent use.
type Set struct {
	triggers    []Trigger
	scopes      []scope
	expressions []expression
	looks       []*look
	immediate   []uint32 // expressions that match the empty text anywhere
	automaton   *automaton
	begin       [2]*state
	fingerprint uint64
	options     regex.Options

	startersMu sync.Mutex
	starters   map[uint32]*regex.Prefix // see machine
}

// expression is one pattern of a trigger.
type expression struct {
	pattern string
	trigger int32
	look    int32 // index in looks; -1 if the automaton decides
}

// Compile makes one automaton of all triggers. A pattern with a problem never
// fires.
func Compile(triggers []Trigger, options Options) (*Set, []Problem) {
	return compile(triggers, options, MaxStates)
}

func compile(triggers []Trigger, options Options, limit int) (*Set, []Problem) {
	c := &compiler{Set: &Set{triggers: triggers}, sets: newSets()}
	c.options = regex.Options{Dialect: regex.ECMAScript, InlineFlags: !options.Documented}
	c.sets.id(wordSet)
	c.sets.id(lineSet)
	hash := fnv.New64a()
	for i := range triggers {
		for j, pattern := range triggers[i].Patterns {
			fmt.Fprintf(hash, "%d %t %q", i, options.Documented, pattern)
			c.read(i, j, pattern)
		}
	}
	c.Set.fingerprint = hash.Sum64()
	c.readScopes()
	c.plant(limit)
	return c.Set, c.problems
}

// Len gives the number of triggers.
func (s *Set) Len() int { return len(s.triggers) }

// Trigger gives one of the triggers that the set was compiled from.
func (s *Set) Trigger(i int) *Trigger { return &s.triggers[i] }

// compiler goes over all expressions twice: to learn what characters they tell
// apart, and to put them where they belong.
type compiler struct {
	*Set
	network  network
	sets     *sets
	programs []planned
	problems []Problem
}

type planned struct {
	program    *regex.Program
	ids        []uint32 // number of each instruction's set
	expression uint32
}

// read checks one pattern.
func (c *compiler) read(trigger, index int, pattern string) {
	re, bad := regex.Compile(pattern, c.options)
	if bad != nil {
		c.problems = append(c.problems, Problem{trigger, InPatterns, index, bad.Offset, bad.Message, bad.Hint})
		return
	}
	number := uint32(len(c.expressions))
	program, exact := re.Search()
	if program != nil && !c.sets.room(program) {
		program, exact = nil, false
	}
	e := expression{pattern: pattern, trigger: int32(trigger), look: -1}
	if !exact || program == nil {
		e.look = int32(len(c.looks))
		l := &look{trigger: int32(trigger), re: re}
		if program == nil {
			// Too large for the automaton: what it needs a text to hold is looked
			// for instead.
			program, l.sticky = literalProgram(re.Required()), true
		}
		l.always = program == nil || nullable(program)
		c.looks = append(c.looks, l)
		if l.always {
			program = nil
		}
	}
	c.expressions = append(c.expressions, e)
	switch {
	case program == nil:
	case e.look < 0 && nullable(program):
		c.immediate = append(c.immediate, number)
	default:
		c.network.asks(program)
		ids := make([]uint32, len(program.Insts))
		for i := range program.Insts {
			if program.Insts[i].Op == regex.OpSet {
				ids[i] = c.sets.id(program.Insts[i].Set)
			}
		}
		c.programs = append(c.programs, planned{program, ids, number})
	}
}

// plant builds the automaton.
func (c *compiler) plant(limit int) {
	n := &c.network
	n.alphabet = newAlphabet(c.sets)
	p := newPlanter(n.alphabet)
	for i := range c.programs {
		p.plant(c.programs[i].program, c.programs[i].ids, c.programs[i].expression)
		c.programs[i].program = nil
	}
	p.trie.finish()
	n.trie, n.code, n.lanes = p.trie, p.code, p.lanes
	n.settle()
	c.automaton = newAutomaton(*n, limit)
	c.begin = [2]*state{c.automaton.begin(trieLane), c.automaton.begin(alwaysLane)}
}

// start works out what the always lane comes to before any character.
func (a *automaton) start() {
	b := &a.builder
	for before := range edge(edges) {
		b.clear()
		b.addEntries(alwaysLane, before)
		a.matchesAt[before] = slices.Clone(b.matches)
		a.pendingAt[before] = b.pending(slices.Clone(b.places))
	}
}

// literalProgram matches where one of the literals is; nil if there are none that
// can be looked for as they are.
func literalProgram(l regex.Literals) *regex.Program {
	if len(l.Any) == 0 || l.Folded {
		return nil
	}
	p := &regex.Program{Insts: []regex.Inst{{Op: regex.OpMatch}}}
	add := func(i regex.Inst) uint32 {
		p.Insts = append(p.Insts, i)
		return uint32(len(p.Insts) - 1)
	}
	for n, literal := range l.Any {
		next := uint32(0)
		runes := []rune(literal)
		for i := len(runes) - 1; i >= 0; i-- {
			next = add(regex.Inst{Op: regex.OpSet, Set: []rune{runes[i], runes[i]}, Out: next})
		}
		if n > 0 {
			next = add(regex.Inst{Op: regex.OpSplit, Out: next, Alt: p.Start})
		}
		p.Start = next
	}
	return p
}
