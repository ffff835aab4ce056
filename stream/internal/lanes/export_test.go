package lanes

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Built writes an automaton as it was built: what it tells apart, the trie, the code of the
// lanes, their gates and grids, and the way back.
func (a *Automaton) Built() string {
	var b strings.Builder
	n := &a.network
	fmt.Fprintf(&b, "asks begin %v, word %v, line %v; rows of %d; needs always %v\n", n.asksBegin, n.asksWord, n.asksLine, 1<<a.shift, a.NeedsAlways())
	for class, r := range n.alphabet.sample {
		fmt.Fprintf(&b, "class %d: from %q, beyond %v, context %d, ahead %d, sets", class, r, n.alphabet.beyond[class], n.classContext[class], n.classAhead[class])
		for set := range n.alphabet.classes {
			if n.alphabet.classes[set].has(uint16(class)) {
				fmt.Fprintf(&b, " %d", set)
			}
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "ascii %v\n", a.ascii)
	for _, r := range []rune{0x80, 0xE9, 0xFF, 0x100, 0x2027, 0x2028, 0x2029, 0x202A, 0x65E5, 0xFFFD, utf8.MaxRune} {
		fmt.Fprintf(&b, "%x is %d; ", r, n.alphabet.class(r))
	}
	fmt.Fprintf(&b, "\nroots %+v\n", n.trie.roots)
	for i, node := range n.trie.nodes {
		fmt.Fprintf(&b, "node %d: %+v %+v\n", i, node, n.trie.extra[node.extra])
	}
	for i, inst := range n.code.insts {
		fmt.Fprintf(&b, "inst %d: %v\n", i, inst)
	}
	fmt.Fprintf(&b, "matches at %v, pending at %v\n", n.matchesAt, n.pendingAt)
	for lane := range n.lanes {
		fmt.Fprintf(&b, "lane %d: entries %v, size %d, gate %+v\n", lane, n.lanes[lane].entries, a.Size(uint32(lane)), *a.gate(uint32(lane)))
		if g := a.grid(uint32(lane)); g != nil {
			fmt.Fprintf(&b, "  %s\n", g.built())
		} else {
			b.WriteString("  no grid\n")
		}
	}
	fmt.Fprintf(&b, "grids take %d\n", a.gridBytes)
	r := a.backwards()
	fmt.Fprintf(&b, "backwards: depth %v, entered %v, into %v, from %v, entry %v, entries %v\n", r.depth, r.entered, r.into, r.from, r.entry, r.entries)
	return b.String()
}

func (g *grid) built() string {
	var b strings.Builder
	fmt.Fprintf(&b, "grid of %d bits, positions %v, stay %x, hops %v, hopping %x\n", g.size, g.positions, g.stay, g.hops, g.hopping)
	fmt.Fprintf(&b, "  detours %x, tells %x, targets %v\n", g.detours, g.tells, g.targets)
	fmt.Fprintf(&b, "  asserts %x, hopeful %x, assert %v, decided %v\n", g.asserts, g.hopeful, g.assert, g.decided)
	fmt.Fprintf(&b, "  starts %x, entries %v, kinds %v, sample %v, most %d\n  reached", g.starts, g.entries, g.kinds, g.sample, g.most)
	for class := range g.net.alphabet.size() {
		fmt.Fprintf(&b, " %x", g.reached(uint16(class)))
	}
	return b.String()
}

// Now writes where a walker is, in the automaton that all share.
func (w *Walker) Now() string {
	var b strings.Builder
	fmt.Fprintf(&b, "at %d, cost %d", w.offset, w.cost)
	if w.Pending() {
		b.WriteString(", pending")
	}
	for i, s := range w.states() {
		fmt.Fprintf(&b, "; lane %d: %v after %d", s.lane, s.list(), s.before)
		if s.nfa != nil {
			fmt.Fprintf(&b, " without states for %d", s.nfa.left)
		}
		if i >= len(w.states())-len(w.active) {
			fmt.Fprintf(&b, " since %d", w.active[i-len(w.states())+len(w.active)].since)
		}
	}
	for _, l := range w.asleep.list {
		fmt.Fprintf(&b, "; asleep %d from %d", l.lane, l.at)
	}
	if len(w.asleep.list) > 0 {
		fmt.Fprintf(&b, "; kept %d from %d, runs %v, wide %v", len(w.asleep.recent), w.asleep.since, w.asleep.runs, w.asleep.wide)
	}
	a := w.automaton
	fmt.Fprintf(&b, "; rows %d of %d, bytes %d, generation %d", a.used, len(a.rows.Load().states), a.bytes, a.rows.Load().generation)
	return b.String()
}

// Bounds are the numbers that decide what fits, what is kept, and when something is worth its
// time.
func Bounds() string {
	kinds := 0
	for c, k := range kindsOf {
		kinds = (31*kinds + c + int(k)) % 1000003
	}
	return fmt.Sprint(
		"alphabet ", maxRanges, maxSets, maxSingle, maxKnown, "; automaton ", maxWidth, firstRows, DefaultLimits(1), "; begin ", beginSteps,
		"; cost ", stateCost, positionCost, stepCost, wordCost, byteCredit, int(maxCost), minGain, nfaBytes, int(retryCost),
		"; gate ", kinds, wideByte, runLengths, shortestRuns, maxGap, maxGated, "; grid ", maxGrids, maxHops, fewestReach, mostReach, longList,
		"; network ", lineSet, wordSet, maxKept, "; sleep ", maxAsleep, "; trie ", narrow, rare, TrieLane, AlwaysLane, rootless,
		"; marks ", uint32(special), uint32(targetMatch))
}

// Taken is how many lists of targets, and how many words of them, are gone through with one character where all positions of the lane for what is
// always looked for are taken.
func (a *Automaton) Taken() (lists, words int) {
	d := &a.grid(AlwaysLane).detours
	for word, positions := range d.positions {
		for i := d.first[word]; i < d.first[word+1] && positions != 0; i++ {
			if positions&d.list[i].positions == 0 {
				continue
			}
			lists++
			words += int(d.list[i].to[0].to - d.list[i].to[0].from)
			if positions &^= d.list[i].positions; d.covers != nil {
				positions &^= d.covers[i]
			}
		}
	}
	return lists, words
}
