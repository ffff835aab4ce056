package cli

import (
	"slices"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/stream"
)

// rewind lets a guard that stops tell what was undecided at that offset. What it has
// read goes further, as far as the text happened to have arrived.
type rewind struct {
	saved []byte // a stream at offset; nil: the beginning
	from  int64  // bytes
	text  []byte // what was fed since
}

// rewindSize is after how much text the stream is saved, in bytes: seldom, since
// what look-around sees is saved with it.
const rewindSize = 256 << 10

// add takes note of a piece that st is to be fed next.
func (r *rewind) add(st *stream.Stream, piece []byte) {
	if len(r.text) >= rewindSize {
		r.saved, r.from, r.text = st.Save(), st.Offset(), r.text[:0]
	}
	r.text = append(r.text, piece...)
}

// undecided is what is undecided where something fires at an offset and nothing that
// could still be told to fire there is open: after one character more at most. now
// is what is undecided in all that was read.
func (r *rewind) undecided(g *guard, at int64, now []stream.Undecided) []stream.Undecided {
	st := g.set.Stream()
	if r.saved != nil {
		var err error
		if st, err = g.set.Restore(r.saved); err != nil {
			return slices.DeleteFunc(now, func(u stream.Undecided) bool { return u.From >= at }) // it was too large to be saved
		}
	}
	known := min(max(at-r.from, 0), int64(len(r.text)))
	fires := at <= r.from || len(g.watched(nil, st.FeedBytes(r.text[:known]))) > 0
	for rest := r.text[known:]; st.Whole() <= at && (!fires || st.Pending()); {
		if len(rest) == 0 {
			st.End()
			break
		}
		_, size := utf8.DecodeRune(rest)
		fires = len(g.watched(nil, st.FeedBytes(rest[:size]))) > 0 || fires
		rest = rest[size:]
	}
	return st.Undecided()
}
