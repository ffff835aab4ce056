package stream

import (
	"encoding/binary"
	"slices"

	"github.com/pertain-dev/pertain/stream/internal/effort"
)

// Reasons as they are saved.
var savedReasons = [...]Reason{StepLimit, WorkLimit}

// save appends what a stream knows of look-around. There are no candidates between
// two pieces: all were looked at. What the states took is not saved: whoever goes on makes those that it needs anew.
func (l *verifier) save(b []byte) []byte {
	number := func(n int64) { b = binary.AppendUvarint(b, uint64(n)) }
	for i := range l.share {
		number(l.share[i])
		number(l.spent[i].Tried)
		number(l.spent[i].Met)
	}
	number(l.base)
	number(l.block)
	number(int64(len(l.window)))
	b = append(b, l.window...)
	number(int64(len(l.undecided.list)))
	for _, u := range l.undecided.list {
		number(int64(u.Trigger))
		number(int64(u.Pattern))
		number(u.From)
		number(u.To)
		number(int64(u.Starts))
		number(int64(slices.Index(savedReasons[:], u.Reason)))
	}
	number(int64(len(l.list)))
	for i := range l.list {
		k := &l.list[i]
		number(int64(k.verified))
		b = append(b, flag(k.always)|flag(k.done)<<1|flag(k.idle)<<2|flag(k.state != nil)<<3|flag(k.trial != nil)<<4)
		number(k.at + 1)
		number(k.met)
		number(k.lost)
		if k.state != nil {
			written := k.state.Encode()
			number(int64(len(written)))
			b = append(b, written...)
		}
		if t := k.trial; t != nil {
			b = append(b, flag(t.waiting)|flag(t.again)<<1|flag(t.waits)<<2)
			number(t.resume)
			number(t.spent)
			number(t.cursor + 1)
			number(t.open)
			number(int64(len(t.skip)))
			for _, s := range t.skip {
				number(s.from)
				number(s.to)
			}
		}
	}
	return b
}

func (r *savedReader) verifier(s *Set, l *verifier, offset int64) {
	for i := range l.share {
		l.share[i], l.spent[i].Tried, l.spent[i].Met = r.offset(effort.Whole), r.offset(1<<50), r.offset(1<<50)
	}
	l.base, l.block = r.offset(offset), r.offset(offset)
	l.window = slices.Clone(r.take(r.count(4 * block)))
	if l.base > l.block || offset-l.block >= block || l.base+int64(len(l.window)) != offset {
		r.bad = true
	}
	for range r.count(len(savedReasons) * len(s.verified)) {
		u := Undecided{Trigger: int(r.number()), Pattern: int(r.number()), From: r.offset(offset), To: r.offset(offset), Starts: int(r.offset(offset + 1))}
		why := r.number()
		if u.Trigger >= len(s.triggers) || u.Trigger < 0 || why >= uint64(len(savedReasons)) {
			r.bad = true
			return
		}
		u.Reason = savedReasons[why]
		l.undecided.add(u)
	}
	l.list, l.index = nil, nil
	for range r.count(len(s.verified)) {
		expr := r.number()
		if expr >= uint64(len(s.verified)) || l.index[int32(expr)] > 0 || len(l.list) > 0 && l.list[0].verified == int32(expr) {
			r.bad = true
			return
		}
		r.verification(s, l, l.of(int32(expr)), offset)
	}
}

func (r *savedReader) verification(s *Set, l *verifier, k *verification, offset int64) {
	flags := r.byte()
	k.always, k.done, k.idle = flags&1 != 0, flags&2 != 0, flags&4 != 0
	k.at, k.met, k.lost = r.offset(offset+1)-1, r.offset(1<<50), r.offset(offset)
	e := s.verified[k.verified].effort
	k.followed, k.explored = e.Follow.At(offset)-e.Follow.Once, e.Explore.At(offset)-e.Explore.Once
	r.bad = r.bad || k.always && k.idle
	if k.lost > 0 {
		l.deafen(s, k.verified)
	}
	if flags&8 != 0 {
		written := r.take(r.count(maxSaved))
		expr := s.load(s.verified[k.verified])
		if expr.automaton == nil {
			r.bad = true
			return
		}
		// One that is not idle is up to date, and an idle one is read from the
		// window only while it is in it.
		if k.state = expr.automaton.Decode(written); k.state == nil || k.at < 0 || !k.idle && k.at != offset {
			r.bad = true
		}
	}
	if flags&16 == 0 {
		// One that follows the text all the time has a state from the start on.
		r.bad = r.bad || k.always && !k.done && k.state == nil && offset > 0
		return
	}
	r.bad = r.bad || k.state != nil // what is tried is not followed
	more := r.byte()
	t := &trial{waiting: more&1 != 0, again: more&2 != 0, waits: more&4 != 0}
	// Offsets are tried in the text up to where the verification is, and no further.
	tried := max(k.at, l.base)
	t.resume, t.spent, t.cursor, t.open = r.offset(tried), r.offset(1<<60), r.offset(tried+1)-1, r.offset(tried)
	for range r.count(4 * block) {
		// The offset at the end of what was tried reaches one byte beyond it.
		t.skip = append(t.skip, span{r.offset(tried), r.offset(tried + 1)})
	}
	k.trial = t
	// What is tried with every character goes on where it is, which is in the window.
	if s.verified[k.verified].early || (k.always || t.due()) && k.at < l.base {
		r.bad = true
	}
}

// offset reads a number that is not beyond another.
func (r *savedReader) offset(most int64) int64 {
	n := int64(r.number())
	if n > most {
		r.bad = true
		return 0
	}
	return n
}
