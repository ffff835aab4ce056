package look

import (
	"slices"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/regex/syntax"
)

// Cache makes automata and bounds the memory of all of them together.
type Cache struct {
	limit int // bytes

	mu       sync.Mutex
	used     int // bytes of states
	automata []*Automaton
	stepper  stepper
}

// NewCache gives an empty collection whose states take at most so many bytes.
// What is beyond is dropped and made anew.
func NewCache(limit int) *Cache { return &Cache{limit: limit} }

// Automaton follows a text from one character to the next and says whether the
// expression matches it whatever follows. It holds look-around, which it carries
// as conditions on what is still to come, but no back-references.
//
// It is safe for concurrent use.
type Automaton struct {
	code     *code
	alphabet *syntax.Alphabet
	possible []bool // by class: a text can hold a character of it
	cache    *Cache
	begins   [4]atomic.Pointer[State] // by context
	anywhere sync.Once
	matching [4]bool // by context: the expression matches whatever follows, by a match that starts there or later
	// guarded by cache.mu
	states map[string]*State
	enough map[position]finding // see alone
}

// State is what is known of a text up to an offset in it. It is immutable but for
// caches.
type State struct {
	// key is the context, and the conditions in writing. Two states are the same if
	// their keys are.
	key     string
	certain bool // it matches by what was seen alone
	ends    bool // it matches if the text ends here
	open    bool // something was found that only waits for what follows
	next    []atomic.Pointer[State]
	// works is what each of them takes to be made, whether or not it is there now.
	works []atomic.Int32
	name  uint32                   // of the key
	known atomic.Pointer[findings] // what Certain found out; nil: nothing yet
}

// overflow is the state of what is too large to follow.
var overflow = &State{}

// maxClasses bounds the classes of characters that an automaton tells apart.
const maxClasses = 256

// Add gives the automaton of an expression; nil if it has back-references or is too
// large for one.
func (o *Cache) Add(tree *syntax.Tree) *Automaton {
	return o.add(newCode(tree.Root, false))
}

// AddWithoutRefs gives the automaton on those matches of an expression with back-references
// that do not depend on them; nil if there are none or it is too large. What is
// certain for it is certain for the expression, which may be so before.
func (o *Cache) AddWithoutRefs(tree *syntax.Tree) *Automaton {
	code := newCode(tree.Root, true)
	if code == nil || !code.reaches() {
		return nil
	}
	return o.add(code)
}

func (o *Cache) add(code *code) *Automaton {
	if code == nil {
		return nil
	}
	letters := syntax.NewAlphabet(code.Program)
	if letters == nil || letters.Size > maxClasses {
		return nil
	}
	l := &Automaton{code: code, alphabet: letters, cache: o, states: make(map[string]*State)}
	l.possible = make([]bool, letters.End)
	for i, class := range letters.Classes {
		// A run of surrogates alone is in no text.
		inside := letters.Bounds[i] >= 0xD800 && i+1 < len(letters.Bounds) && letters.Bounds[i+1] <= 0xE000
		l.possible[class] = l.possible[class] || !inside
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.automata = append(o.automata, l)
	return l
}

// Begin gives the state at an offset of which only the character before is known:
// NoRune if the text begins there.
func (l *Automaton) Begin(before rune) *State {
	context := l.context(before)
	cache := &l.begins[slices.Index(syntax.Contexts[:], context)]
	if v := cache.Load(); v != nil {
		return v
	}
	o := l.cache
	o.mu.Lock()
	defer o.mu.Unlock()
	s := &o.stepper
	s.reset(l)
	v := l.state(s, context, s.formulas.variable(l.code.Start), make([]threads, len(l.code.behinds)))
	cache.Store(v)
	return v
}

// context leaves out what no assertion asks for.
func (l *Automaton) context(before rune) syntax.Context {
	p := l.code.Program
	switch {
	case before == syntax.NoRune && (p.Uses(syntax.BeginText) || p.Uses(syntax.BeginLineAny)):
		return syntax.AtBegin
	case syntax.IsWordASCII(before) && (p.Uses(syntax.WordBoundaryASCII) || p.Uses(syntax.NotWordBoundaryASCII)):
		return syntax.AfterWord
	case syntax.IsLineEnd(before) && p.Uses(syntax.BeginLineAny):
		return syntax.AfterLineEnd
	default:
		return 0
	}
}

// Step is one character that an automaton has taken.
type Step struct {
	// Name is the same for the same state and class of characters, and nearly always another for others.
	Name uint32
	// Work is what it takes to make the state after the character, in parts of some hundred nanoseconds. It is told
	// whether or not that state was known, so that it depends on the expression and the text alone.
	Work int
}

// Next gives the state after one more character; nil if it is too large.
func (l *Automaton) Next(v *State, r rune) (*State, Step) {
	var class uint16
	if r < utf8.RuneSelf {
		class = l.alphabet.ASCII[r]
	} else {
		class = l.alphabet.Class(r)
	}
	next := v.next[class].Load()
	if next == nil {
		next = l.advance(v, class)
	}
	step := Step{v.name + (uint32(class)+1)*stepNames, int(v.works[class].Load())}
	if next == overflow {
		return nil, step
	}
	return next, step
}

// stepNames keeps apart the names of steps that leave one state.
const stepNames = 0x9E3779B1

// advance makes the state after a character of a class.
func (l *Automaton) advance(v *State, class uint16) *State {
	if v.certain {
		return v
	}
	o := l.cache
	o.mu.Lock()
	defer o.mu.Unlock()
	s := &o.stepper
	s.reset(l)
	next, before := overflow, s.work
	if s.load(v.key) {
		after := l.alphabet.Sample[class]
		main, behinds := s.step(int(class), after)
		v.works[class].Store(stepWork(s.work - before))
		next = l.state(s, l.context(after), main, behinds)
	}
	v.next[class].Store(next)
	return next
}

// stepWork gives what a step takes in all whose formulas take so much: whether the text may end after it is about as
// much again, though that is found out only where the state is new.
func stepWork(formulas int) int32 { return int32(2*formulas + 8) }

// state gives the state of conditions; overflow if the diagram is full.
func (l *Automaton) state(s *stepper, before syntax.Context, main formula, behinds []threads) *State {
	key := s.write(before, main, behinds)
	if s.formulas.full {
		return overflow
	}
	if v := l.states[string(key)]; v != nil {
		return v
	}
	v := &State{key: string(key), certain: main == always, name: name(key)}
	v.next, v.works = make([]atomic.Pointer[State], l.alphabet.End), make([]atomic.Int32, l.alphabet.End)
	v.open = s.formulas.without(main, func(at int32) bool { return l.code.main[at] }, make(map[formula]formula)) != never
	s.begin(before.Rune(), main, behinds)
	last, _ := s.step(endOfText, syntax.NoRune)
	v.ends = last == always
	if s.formulas.full {
		return overflow
	}
	size := 192 + len(v.key) + 12*len(v.next)
	if o := l.cache; o.used+size > o.limit {
		o.drop()
	}
	l.cache.used += size
	l.states[v.key] = v
	return v
}

// name gives a number for the key of a state (FNV-1a).
func name(key []byte) uint32 {
	n := uint32(2166136261)
	for _, b := range key {
		n = (n ^ uint32(b)) * 16777619
	}
	return n
}

// drop forgets all states but those that somebody holds, and what these know of
// others.
func (o *Cache) drop() {
	for _, l := range o.automata {
		for _, v := range l.states {
			for i := range v.next {
				v.next[i].Store(nil)
			}
		}
		for i := range l.begins {
			l.begins[i].Store(nil)
		}
		l.states = make(map[string]*State)
	}
	o.used = 0
}

// Name is the same for equal states, and nearly always another for others and for steps.
func (v *State) Name() uint32 { return v.name }

// Open says whether a match was found that only waits for what a look-ahead sees
// of the text to come.
func (v *State) Open() bool { return v.open }

// Ends says whether the expression matches the text if it ends here.
func (v *State) Ends() bool { return v.ends }

// Encode gives a state as bytes.
func (v *State) Encode() []byte { return []byte(v.key) }

// Decode gives the state that was written; nil if that is not one of this expression.
func (l *Automaton) Decode(written []byte) *State {
	o := l.cache
	o.mu.Lock()
	defer o.mu.Unlock()
	s := &o.stepper
	s.reset(l)
	if !s.load(string(written)) || !s.nested() {
		return nil
	}
	before, main, behinds := s.before, s.main, s.behinds
	v := l.state(s, l.context(before), main, slices.Clone(behinds))
	if v == overflow {
		return nil
	}
	return v
}
