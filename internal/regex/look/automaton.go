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
	enough map[position]bool // see alone
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
	// explored is what Certain found out: 0 if it was not asked, else the states that
	// it looked at, negative if the answer is no.
	explored atomic.Int32
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

// Next gives the state after one more character; nil if it is too large.
func (l *Automaton) Next(v *State, r rune) *State {
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
	if next == overflow {
		return nil
	}
	return next
}

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
	next := overflow
	if s.load(v.key) {
		after := l.alphabet.Sample[class]
		main, behinds := s.step(int(class), after)
		next = l.state(s, l.context(after), main, behinds)
	}
	v.next[class].Store(next)
	return next
}

// state gives the state of conditions; overflow if the diagram is full.
func (l *Automaton) state(s *stepper, before syntax.Context, main formula, behinds []threads) *State {
	key := s.write(before, main, behinds)
	if s.formulas.full {
		return overflow
	}
	if v := l.states[string(key)]; v != nil {
		return v
	}
	v := &State{key: string(key), certain: main == always}
	v.next = make([]atomic.Pointer[State], l.alphabet.End)
	v.open = s.formulas.without(main, func(at int32) bool { return l.code.main[at] }, make(map[formula]formula)) != never
	s.begin(before.Rune(), main, behinds)
	last, _ := s.step(endOfText, syntax.NoRune)
	v.ends = last == always
	if s.formulas.full {
		return overflow
	}
	size := 160 + len(v.key) + 8*len(v.next)
	if o := l.cache; o.used+size > o.limit {
		o.drop()
	}
	l.cache.used += size
	l.states[v.key] = v
	return v
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

// Settled says whether the expression has matched without regard to what follows.
func (v *State) Settled() bool { return v.certain }

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
