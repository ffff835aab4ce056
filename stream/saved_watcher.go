package stream

import (
	"cmp"
	"encoding/binary"
	"maps"
	"slices"

	"github.com/pertain-dev/pertain/stream/internal/effort"
	"github.com/pertain-dev/pertain/toolcall"
)

// savedTurn is the first byte of a saved turn.
const savedTurn = 8

// Save gives the state of the present turn as bytes that [Watcher.Restore] reads: all
// streams (see [Stream.Save]), the arguments of its tool calls, what waits for their files,
// and what was held back. What was told in earlier turns is the memory's.
func (w *Watcher) Save() []byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	b := binary.LittleEndian.AppendUint64([]byte{savedTurn}, w.set.fingerprint)
	number := func(n int) { b = binary.AppendUvarint(b, uint64(n)) }
	text := func(s string) { number(len(s)); b = append(b, s...) }
	texts := func(list []string) {
		number(len(list))
		for _, s := range list {
			text(s)
		}
	}
	firings := func(list []Firing) {
		number(len(list))
		for _, f := range list {
			number(f.Trigger)
			number(int(f.Offset))
			number(int(f.Decided))
		}
	}
	number(int(w.record.Turn))
	number(w.record.Interrupted)
	number(w.record.Foreign)
	for _, part := range w.share {
		number(int(part))
	}
	var told []uint32
	for t := range w.told {
		told = append(told, uint32(t))
	}
	slices.Sort(told)
	b = appendSorted(b, told)
	number(len(w.calls))
	for _, id := range slices.Sorted(maps.Keys(w.calls)) {
		c := w.calls[id]
		text(id)
		text(c.tool)
		text(c.arguments.String())
		b = append(b, flag(c.ended))
	}
	list := w.sorted()
	number(len(list))
	for _, s := range list {
		b = append(b, byte(s.source.Kind), byte(s.source.Does), flag(s.source.Anywhere))
		number(s.segment)
		text(s.source.ID)
		text(s.source.Tool)
		texts(s.source.Paths)
		firings(s.waiting)
		number(len(s.told))
		for _, u := range sortedUndecided(s.told) {
			number(u.Trigger)
			number(u.Pattern)
			number(slices.Index(savedReasons[:], u.Reason))
		}
		text(string(s.stream.Save()))
	}
	number(len(w.held))
	for _, p := range w.held {
		number(slices.Index(list, p.in))
		number(int(p.at))
		firings(p.firings)
	}
	return b
}

// sorted gives the streams that are watched, in one order.
func (w *Watcher) sorted() []*watched {
	var list []*watched
	for _, s := range w.streams {
		if s != nil {
			list = append(list, s)
		}
	}
	slices.SortFunc(list, func(x, y *watched) int {
		return cmp.Or(cmp.Compare(x.source.Kind, y.source.Kind), cmp.Compare(x.source.ID, y.source.ID), cmp.Compare(x.segment, y.segment))
	})
	return list
}

func sortedUndecided(told map[Undecided]bool) []Undecided {
	var list undecided
	for u := range told {
		list.list = append(list.list, u)
	}
	return list.sorted(func(int) bool { return false })
}

// Restore goes on in the middle of a turn that was saved, in another process too: with
// a watcher of the same triggers and the same memory it is called in place of StartTurn.
// After an error the watcher is as before.
func (w *Watcher) Restore(saved []byte) error {
	if len(saved) < 9 || saved[0] != savedTurn {
		return errDamaged
	}
	if binary.LittleEndian.Uint64(saved[1:]) != w.set.fingerprint {
		return ErrOtherSet
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	r := &savedReader{bytes: saved[9:]}
	turn, interrupted, foreign := int64(r.number()), int(r.number()), int(r.number())
	var left effort.Share
	for i := range left {
		left[i] = r.offset(effort.TurnShare()[i])
	}
	told, names := make(map[int]bool), make(map[string]bool)
	for _, t := range r.sorted(w.set.Len()) {
		told[int(t)], names[w.set.Trigger(int(t)).Name] = true, true
	}
	calls := make(map[string]*watchedCall)
	for range r.count(len(r.bytes)) {
		id := r.text()
		calls[id] = r.call()
	}
	var list []*watched
	streams := make(map[streamKey]*watched)
	for range r.count(len(r.bytes)) {
		s := r.watched(w.set)
		if s == nil {
			return errDamaged
		}
		list = append(list, s)
		streams[streamKey{s.source.Kind, s.source.ID, s.segment}] = s
	}
	var held []event
	for range r.count(len(r.bytes)) {
		in, at := r.number(), int64(r.number())
		firings := r.firings(w.set)
		if r.bad || in >= uint64(len(list)) {
			return errDamaged
		}
		held = append(held, event{list[in], at, firings})
	}
	if r.bad || len(r.bytes) > 0 || len(streams) < len(list) {
		return errDamaged
	}
	w.streams, w.calls, w.told, w.names, w.held, w.share = streams, calls, told, names, held, left
	if turn > w.record.Turn { // the memory has nothing of this turn
		w.record.Interrupted, w.record.Foreign = interrupted, min(foreign, interrupted)
	}
	w.record.Turn = max(w.record.Turn, turn)
	return nil
}

func (r *savedReader) text() string { return string(r.take(r.count(len(r.bytes)))) }

func (r *savedReader) texts() []string {
	var out []string
	for range r.count(len(r.bytes)) {
		out = append(out, r.text())
	}
	return out
}

// call reads a tool call by reading its arguments again.
func (r *savedReader) call() *watchedCall {
	c := &watchedCall{tool: r.text()}
	c.reader = toolcall.NewReader(c.tool)
	arguments := r.text()
	c.arguments.WriteString(arguments)
	c.reader.Feed(arguments)
	if c.ended = r.byte() != 0; c.ended {
		c.reader.End()
	}
	return c
}

func (r *savedReader) firings(set *Set) []Firing {
	var out []Firing
	for range r.count(set.Len()) {
		f := Firing{int(r.number()), int64(r.number()), int64(r.number())}
		if f.Trigger >= set.Len() {
			r.bad = true
			return nil
		}
		out = append(out, f)
	}
	return out
}

// watched reads a stream of a turn; nil if it cannot be.
func (r *savedReader) watched(set *Set) *watched {
	s := &watched{source: Source{Kind: Kind(r.byte()), Does: toolcall.Kind(r.byte()), Anywhere: r.byte() != 0}, segment: int(r.number())}
	s.source.ID, s.source.Tool = r.text(), r.text()
	s.source.Paths = r.texts()
	s.waiting = r.firings(set)
	for range r.count(len(r.bytes)) {
		u := Undecided{Trigger: int(r.number()), Pattern: int(r.number())}
		reason := r.number()
		if r.bad || reason >= uint64(len(savedReasons)) {
			return nil
		}
		u.Reason = savedReasons[reason]
		if s.told == nil {
			s.told = make(map[Undecided]bool)
		}
		s.told[u] = true
	}
	written := r.take(r.count(len(r.bytes)))
	if s.source.Kind > Tool || s.source.Does > toolcall.Look {
		return nil
	}
	var err error
	if s.stream, err = set.Restore(written); err != nil {
		return nil
	}
	return s
}
