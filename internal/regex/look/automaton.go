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

// Bounds on what Certain looks at.
const (
	maxExplored = 256 // states
	maxArrows   = 8192
)

// Certain says whether the expression matches whatever follows, and nothing too. It
// is known at once if the text has not matched so far, or if it has without regard
// to what follows. Else all that may follow is gone through, by states; cost is how
// many these were, whether they were gone through now or before. Beyond a few
// hundred the answer is no: not known yet.
func (l *Automaton) Certain(v *State) (certain bool, cost int) {
	if v.certain || !v.ends {
		return v.certain, 0
	}
	if l.matchesFrom(v) {
		return true, 1
	}
	if known := int(v.explored.Load()); known != 0 {
		return known > 0, max(known, -known)
	}
	undoing, certain, cost := l.explore(v)
	if undoing == unknown {
		var more int
		certain, more = l.alone(v)
		cost += more
	}
	known := int32(cost)
	if !certain {
		known = -known
	}
	v.explored.Store(known)
	return certain, cost
}

// Counterexample gives a text that undoes the match if it follows; ok is false if there is
// none or it is not known.
func (l *Automaton) Counterexample(v *State) (text string, ok bool) {
	text, certain, _ := l.explore(v)
	return text, !certain && text != unknown
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
				if next := l.Next(v, r); next == nil || !next.certain {
					matching[i], changed = false, true
					break
				}
			}
		}
	}
	l.matching = matching
}

// unknown stands for a text that was not found. No class has such a character.
const unknown = "\xff"

// explore looks for a text that undoes the match.
func (l *Automaton) explore(v *State) (undoing string, certain bool, cost int) {
	if v.certain || l.matchesFrom(v) {
		return "", true, 1
	}
	if !v.ends {
		return "", false, 1
	}
	type seen struct {
		view *State
		from int
		last rune
	}
	list := []seen{{v, -1, 0}}
	found := map[string]bool{v.key: true}
	arrows := 0
	for at := 0; at < len(list); at++ {
		for class, possible := range l.possible {
			if !possible {
				continue
			}
			if arrows++; arrows > maxArrows {
				return unknown, false, len(list)
			}
			r := l.sample(uint16(class))
			next := l.Next(list[at].view, r)
			switch {
			case next == nil:
				return unknown, false, len(list)
			case next.certain || l.matchesFrom(next):
				continue
			case !next.ends:
				text := []rune{r}
				for i := at; list[i].from >= 0; i = list[i].from {
					text = append(text, list[i].last)
				}
				slices.Reverse(text)
				return string(text), false, len(list)
			case found[next.key]:
				continue
			case len(list) == maxExplored:
				return unknown, false, len(list)
			}
			found[next.key] = true
			list = append(list, seen{next, at, r})
		}
	}
	return "", true, len(list)
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
