package stream

import (
	"fmt"
	"hash/fnv"
	"strings"

	"github.com/pertain-dev/pertain/internal/glob"
	"github.com/pertain-dev/pertain/stream/internal/effort"
)

// Compiled writes a set as it was compiled, without its automaton.
func (s *Set) Compiled() string {
	var b strings.Builder
	fmt.Fprintf(&b, "immediate %v, looks around %v\n", s.immediate, s.LooksAround())
	for i, e := range s.expressions {
		fmt.Fprintf(&b, "expression %d: %+v\n", i, e)
		if e.verified < 0 {
			t := s.trace(uint32(i))
			fmt.Fprintf(&b, "  %d instructions from %d, into %v, from %v, matches %v, crosses %v, nullable %v\n", len(t.insts), t.start, t.into, t.from, t.matches, t.crosses, t.nullable)
		}
	}
	for i, l := range s.verified {
		_, crosses := l.scanned()
		fmt.Fprintf(&b, "verified %d: trigger %d, pattern %d, always %v, sticky %v, early %v, reach %d, crosses %v, automaton %v, effort %v\n", i, l.trigger, l.pattern, l.always, l.sticky, l.early, l.reach, crosses, s.load(l).automaton != nil, l.effort)
	}
	fmt.Fprintf(&b, "traced %d, look programs %d\n", s.traced, s.lookPrograms.size)
	return b.String()
}

// Scopes writes the scopes of all triggers as they were compiled.
func (s *Set) Scopes() string {
	var b strings.Builder
	for i := range s.scopes {
		c := &s.scopes[i]
		fmt.Fprintf(&b, "scope %d: text %v, thinking %v, tool %v, globs %s", i, c.text, c.thinking, c.tool, patternsOf(c.globs))
		for _, t := range c.tools {
			fmt.Fprintf(&b, ", %q %s", t.name, patternsOf(t.globs))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func patternsOf(globs []*glob.Path) string {
	if globs == nil {
		return "any"
	}
	return fmt.Sprint(len(globs))
}

// Inside writes where a stream is with what the automaton does not decide.
func (st *Stream) Inside() string {
	var b strings.Builder
	fmt.Fprintf(&b, "offset %d, whole %d, pending %v", st.Offset(), st.Whole(), st.Pending())
	l := st.verifier
	if l == nil {
		return b.String()
	}
	fmt.Fprintf(&b, "; window %d from %d, block %d", len(l.window), l.base, l.block)
	for i := range l.list {
		k := &l.list[i]
		fmt.Fprintf(&b, "; %d at %d, always %v, done %v, idle %v, candidates %v, state %v", k.verified, k.at, k.always, k.done, k.idle, k.candidates, k.state != nil)
		if t := k.trial; t != nil {
			fmt.Fprintf(&b, ", trial from %d, spent %d, waiting %v, again %v, cursor %d, open %d, waits %v, skip %v", t.resume, t.spent, t.waiting, t.again, t.cursor, t.open, t.waits, t.skip)
		}
	}
	return b.String()
}

// Sum is a short name of some bytes.
func Sum(data []byte) string {
	h := fnv.New32a()
	h.Write(data)
	return fmt.Sprintf("%d bytes %08x", len(data), h.Sum32())
}

// Bounds are the numbers that decide what fits, what is kept, and how long something is
// tried.
func Bounds() string {
	return fmt.Sprint(
		"compile ", maxRefused, takeApart, MaxStates, MaxLookAround, "; usage ", maxCode, maxVerified, maxGlobs, maxRepeated, codeBase, verifiedBase, "; memory ", maxRecord, recordVersion,
		"; saved ", savedPlain, savedPacked, packFrom, maxSaved, savedTurn, "; scan ", scanSteps, scanBytes, scanFew, scanLeast, maxEnds, smallTrace, guessSteps, maxTraces,
		hastySteps, hastyBytes, searchSteps, maxLookPrograms, maxKept, readSteps, readPart, workSteps, workBytes, "; stream ", stretch, "; verifier ", effort.StartSteps, effort.LeastStart, effort.MeetAll, effort.LastSteps, effort.LastAll, effort.MoveAll, block, fewCandidates,
		effort.New(0, 0, 0), effort.New(1, 1, 1), effort.New(16, 4, 4), effort.New(40, 16, 16), effort.New(1000, 500, 500), effort.New(5, 1, 1).Try.At(7), effort.New(100, 1, 1).Start.At(3000), "; policy ", defaultGap, defaultBudget)
}
