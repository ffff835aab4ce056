// Package regex is the one front for all regular expressions of Pertain.
//
// Use [Compile] first: it checks an expression of one of two dialects and says
// in plain words what is wrong with it, then [Regexp.MatchString] with a time
// limit. Conditions are written in [DotNet], triggers in [ECMAScript].
//
// Both dialects are read over code points, where their own engines see UTF-16
// units: a character outside the basic plane is one character, for "." and for
// classes; and a pair of surrogate escapes is the one character that it stands
// for. Bytes that are not UTF-8 are read as one U+FFFD each.
//
// Ignoring case means Unicode's simple folding in DotNet (É = é, the Kelvin
// sign = k, ß ≠ ss, and neither ı nor İ equals i), whatever the culture. In
// ECMAScript it means what the i flag means without the u flag: upper-case forms
// are compared, and nothing beyond ASCII equals an ASCII letter.
//
// # Engines
//
// An expression without look-around, back-references, atomic groups and
// conditionals is run by a lazily built deterministic automaton over all its
// possible positions at once, in time proportional to the text. Everything else
// is run by a backtracking machine, once the same automaton, made from the
// expression with those parts left out, has matched: where the looser expression
// does not match nothing need be tried. Both machines count their steps and look at the clock
// every few microseconds, so a time limit holds whatever the expression is; both
// work on the same tree, so they agree on what an expression means.
//
// Compiling only parses, but for expressions beyond a kilobyte. Engines are built
// at the first match, since most of ten thousand installed conditions are never
// asked.
package regex

import (
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/regex/syntax"
)

// Limit bounds one match. The zero value sets no time limit.
type Limit struct {
	Time time.Duration   // 0 for none
	Done <-chan struct{} // closed when nobody waits for the answer any more, which is TimedOut then; nil: never
}

// Outcome says how far a match got.
type Outcome uint8

const (
	// Ok: the whole text was seen and the answer is exact.
	Ok Outcome = iota
	// Truncated: the text was longer than MaxText; the answer holds for its start.
	Truncated
	// TimedOut: nobody waits any more, or the time limit, or the memory that a match may take, was used up;
	// the answer is not known, whether the text was truncated or not.
	TimedOut
)

// MaxText is how much of a text is looked at, in bytes (docs/reference/operators.md).
const MaxText = 1 << 20

// Regexp is a checked expression. It is safe for concurrent use.
type Regexp struct {
	pattern string
	options syntax.Options
	linear  bool
	refers  bool                   // it has back-references, or what only .NET has beside them
	asked   atomic.Bool            // a match was asked for
	engine  atomic.Pointer[engine] // nil until one has to be tried
}

// Compile checks pattern. The error is nil if the pattern is valid. A pattern has at
// most 64 KiB; one of ECMAScript that consists of alternatives has at most 1 MiB,
// and each of them 64 KiB.
func Compile(pattern string, options syntax.Options) (*Regexp, *syntax.SyntaxError) {
	re, parsed, err := read(pattern, options)
	if err != nil {
		return nil, err
	}
	if parsed != nil && len(pattern) > maxLazy {
		re.engine.Store(newEngine(parsed))
	}
	return re, nil
}

// Parse is Compile for whoever never asks MatchString or Find, but for what the
// expression is made of: no engine is built, however long it is.
func Parse(pattern string, options syntax.Options) (*Regexp, *syntax.SyntaxError) {
	re, _, err := read(pattern, options)
	return re, err
}

// read checks a pattern. The tree is nil if it was read as alternatives.
func read(pattern string, options syntax.Options) (*Regexp, *syntax.Tree, *syntax.SyntaxError) {
	if len(pattern) > syntax.MaxPattern && len(pattern) <= syntax.MaxAlternatives {
		if all := syntax.Alternatives(pattern, options); all != nil {
			re, err := readAll(pattern, options, all)
			return re, nil, err
		}
	}
	parsed, err := syntax.Parse(pattern, options)
	if err != nil {
		return nil, nil, err
	}
	return &Regexp{pattern: pattern, options: options, linear: parsed.Root.Linear(), refers: parsed.Root.Refers()}, parsed, nil
}

// readAll checks the alternatives of a large pattern one by one.
func readAll(pattern string, options syntax.Options, all []syntax.Alternative) (*Regexp, *syntax.SyntaxError) {
	re := &Regexp{pattern: pattern, options: options, linear: true}
	for _, a := range all {
		if _, _, _, ok := a.Plain(); ok {
			continue
		}
		parsed, err := syntax.Parse(a.Text(), options)
		if err != nil {
			err.Offset = min(a.At(err.Offset), len(pattern))
			return nil, err
		}
		re.linear = re.linear && parsed.Root.Linear()
	}
	return re, nil
}

// maxLazy is the length in bytes up to which building an engine is left to the
// first match. Beyond, it could take so long that the match's time limit would
// not hold.
const maxLazy = 1 << 10

// String gives the pattern as it was written.
func (re *Regexp) String() string { return re.pattern }

// Options gives the options that the expression was compiled with.
func (re *Regexp) Options() syntax.Options { return re.options }

// Refers says whether the expression has back-references: if not, package look can
// run it unless it is too large.
func (re *Regexp) Refers() bool { return re.refers }

// Size gives how many instructions the expression has at least as a network, with its
// look-around and every repeat written out; MaxSize+1 if it has more than MaxSize.
func (re *Regexp) Size() int { return re.Tree().Size() }

// Reach gives how many characters before its end a match of the expression, and
// what it looks back at, can begin; ok is false if there is no bound.
func (re *Regexp) Reach() (characters int, ok bool) { return re.Tree().Reach() }

// Program gives the linear program of the expression, for an automaton that
// holds many. ok is false if the expression has none: it needs backtracking, or
// the program would be larger than 4,096 instructions. The program is built anew
// at each call and belongs to the caller, but for its sets.
func (re *Regexp) Program() (program *syntax.Program, ok bool) {
	if !re.linear {
		return nil, false
	}
	program = syntax.NewProgram(re.Tree().Root)
	return program, program != nil
}

// Search gives the program that a scanner runs which wants to know whether the
// expression matches, and where its earliest-ending match ends. Repeats at either
// end of the expression are cut down to what they must take, which changes
// neither answer and leaves the scanner far fewer states.
//
// exact is false if the program matches wherever the expression does and perhaps
// elsewhere: the expression has look-around or back-references, and what matches
// must be verified by package look or with [Regexp.Prefix]. Such a program asks
// for nothing after the end of a match, so that it says where one may end as soon
// as it may. The program is nil if it would be larger than 4,096 instructions.
func (re *Regexp) Search() (program *syntax.Program, exact bool) { return re.Tree().Search() }

// MatchString says whether the expression matches anywhere in text. When the
// outcome is TimedOut, matched is false and means nothing.
func (re *Regexp) MatchString(text string, limit Limit) (matched bool, outcome Outcome) {
	budget := newBudget(limit)
	text, outcome = truncate(text)
	if !re.possible(text) {
		return false, outcome
	}
	matched, ok := re.built().match(text, &budget)
	if !ok {
		return false, TimedOut
	}
	return matched, outcome
}

// Find gives the first match as byte offsets into text, the one that the
// dialect's own engine would give. start is -1 if there is none.
func (re *Regexp) Find(text string, limit Limit) (start, end int, outcome Outcome) {
	budget := newBudget(limit)
	text, outcome = truncate(text)
	start, end, ok := re.built().find(text, &budget)
	if !ok {
		return -1, -1, TimedOut
	}
	return start, end, outcome
}

// possible says whether the first text that is asked about may match, by the literals
// that it would hold: many a process asks once, and building an engine takes a hundred
// times as long.
func (re *Regexp) possible(text string) bool {
	if re.asked.Load() || re.engine.Load() != nil || len(text) > longFirst || re.asked.Swap(true) {
		return true
	}
	return re.Required().In(text)
}

// longFirst is from how many bytes on a text is left to the engine, which looks at the
// clock.
const longFirst = 1 << 16

// built gives the engine, and makes it if this is the first match. Two first
// matches at once may both make one; either will do.
func (re *Regexp) built() *engine {
	if e := re.engine.Load(); e != nil {
		return e
	}
	e := newEngine(re.Tree())
	if re.engine.CompareAndSwap(nil, e) {
		return e
	}
	return re.engine.Load()
}

// Tree parses the pattern again. Keeping the tree of every expression would cost
// a few kilobytes each, for something that is needed once if ever.
func (re *Regexp) Tree() *syntax.Tree {
	parsed, err := syntax.ParseLong(re.pattern, re.options)
	if err != nil {
		// Not reached: Compile has parsed the same pattern with the same options.
		return &syntax.Tree{Root: &syntax.Node{Kind: syntax.KindAlternate}}
	}
	return parsed
}

func truncate(text string) (string, Outcome) {
	if len(text) <= MaxText {
		return text, Ok
	}
	cut := MaxText
	for back := 0; back < utf8.UTFMax-1 && !utf8.RuneStart(text[cut]); back++ {
		cut--
	}
	return text[:cut], Truncated
}
