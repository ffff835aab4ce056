package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/journal"
	"github.com/pertain-dev/pertain/stream"
)

// guard copies a text and watches it.
type guard struct {
	set       *stream.Set
	out       io.Writer
	notes     io.Writer // for people
	together  bool      // both go to one terminal or file
	midLine   bool      // what was copied does not end with a line break
	json      bool
	reminds   bool            // what goes on in spite of a trigger does so because the settings or the rule want it
	watcher   *stream.Watcher // decides what fires, and what that comes to
	policy    stream.Policy   // of the watcher
	keepGoing bool            // nothing can stop the copy
	silent    []bool          // triggers that the conversation has done with

	fired  []*stream.Trigger // in the order reported
	did    []journal.Entry   // what they came to, in the same order
	others int               // of these, of rules that are not the user's own
}

// readSize is how much is read at once, in bytes. A pipe gives what there is.
const readSize = 64 << 10

// run copies from in until the end or the first trigger.
func (g *guard) run(ctx context.Context, in io.Reader) (fired bool, err error) {
	st := g.set.Stream()
	var back rewind
	open := st.Undecided
	defer func() { g.tellUndecided(open()) }()
	var held []byte           // the end of what was read, not yet copied
	var found []stream.Firing // what has fired, if more may fire at the same offset
	for piece := range pieces(ctx, in) {
		if piece.err != nil {
			return fired, piece.err
		}
		held = append(held, piece.text...)
		if !g.keepGoing {
			back.add(st, piece.text)
		}
		found = g.watched(found, st.FeedBytes(piece.text))
		if piece.last {
			found = g.watched(found, st.End())
		}
		if len(found) > 0 && g.keepGoing {
			verdict, err := g.watcher.Claim(ctx, prose, found)
			if err != nil {
				return true, unkept(err)
			}
			fired = fired || len(verdict.Fired) > 0
			if err := g.report(verdict); err != nil {
				return fired, err
			}
			found = found[:0]
		}
		for len(found) > 0 {
			at := earliest(found)
			if !piece.last && at >= st.Whole() && st.Pending() {
				break // more may fire there
			}
			var here []stream.Firing
			found, here = apart(found, at)
			// It is remembered before it is told: a call that is cut short must not fire for the
			// same rule again and again.
			verdict, err := g.watcher.Claim(ctx, prose, here)
			if err != nil {
				return true, unkept(err)
			}
			if verdict.Interrupt {
				open = func() []stream.Undecided { return back.undecided(g, at, st.Undecided()) }
				return true, g.stop(verdict, at, held, st.Offset())
			}
			fired = fired || len(verdict.Fired) > 0
			if err := g.report(verdict); err != nil {
				return fired, err
			}
		}
		keep := 0
		if !piece.last && !g.keepGoing {
			keep = int(st.Offset() - st.Whole())
			if len(found) > 0 || st.Pending() {
				keep += lastSize(held[:max(len(held)-keep, 0)])
			}
		}
		if err := g.copy(held[:len(held)-keep]); err != nil {
			return fired, err
		}
		held = append(held[:0], held[len(held)-keep:]...)
	}
	return fired, ctx.Err()
}

// input is a piece of what is read.
type input struct {
	text []byte
	last bool
	err  error
}

// pieces reads in the background, so that an interrupt is heeded while nothing
// arrives. A piece is good until the next.
func pieces(ctx context.Context, in io.Reader) iter.Seq[input] {
	return func(yield func(input) bool) {
		read, more := make(chan input), make(chan bool)
		defer close(more)
		go func() {
			buffer := make([]byte, readSize)
			for {
				n, err := in.Read(buffer)
				last := errors.Is(err, io.EOF)
				if n > 0 || last || err == nil {
					select {
					case read <- input{text: buffer[:n], last: last}:
					case <-more: // nobody waits any more
						return
					}
					if last || !<-more {
						return
					}
				}
				if err != nil {
					select {
					case read <- input{err: fmt.Errorf("standard input cannot be read: %w", err)}:
					case <-more:
					}
					return
				}
			}
		}()
		for {
			select {
			case <-ctx.Done():
				return
			case next := <-read:
				if !yield(next) || next.last || next.err != nil {
					return
				}
				more <- true
			}
		}
	}
}

// prose is what a guard reads.
var prose = stream.Source{Kind: stream.Text}

// watches says whether a trigger watches text in this turn.
func (g *guard) watches(trigger int) bool { return g.set.Watches(trigger, prose) && !g.silent[trigger] }

// watched adds those that watch text.
func (g *guard) watched(found []stream.Firing, more []stream.Firing) []stream.Firing {
	for _, f := range more {
		if g.watches(f.Trigger) {
			found = append(found, f)
		}
	}
	return found
}

func earliest(found []stream.Firing) int64 {
	at := found[0].Offset
	for _, f := range found {
		at = min(at, f.Offset)
	}
	return at
}

// lastSize gives the size of the last character.
func lastSize(text []byte) int {
	_, size := utf8.DecodeLastRune(text)
	return size
}

// apart gives what fires later than at an offset, and what fires there.
func apart(found []stream.Firing, at int64) (later, here []stream.Firing) {
	for _, f := range found {
		if f.Offset == at {
			here = append(here, f)
		}
	}
	return slices.DeleteFunc(found, func(f stream.Firing) bool { return f.Offset == at }), here
}

// stop copies what comes before the character that completed the match, and
// reports what fired there. held ends at offset end of the text.
func (g *guard) stop(verdict stream.Verdict, at int64, held []byte, end int64) error {
	before := held[:max(int64(len(held))-(end-at), 0)]
	if err := g.copy(before[:len(before)-lastSize(before)]); err != nil {
		return err
	}
	return g.report(verdict)
}

func (g *guard) copy(text []byte) error {
	if g.json || len(text) == 0 {
		return nil
	}
	g.midLine = text[len(text)-1] != '\n'
	_, err := g.out.Write(text)
	return err
}

// newLine keeps a note apart from the text, where somebody sees both in one place.
// The copy itself gets nothing but the text.
func (g *guard) newLine() {
	if g.together && g.midLine {
		fmt.Fprintln(g.notes)
		g.midLine = false
	}
}

// sameOutput tells whether two outputs are one terminal, pipe or file.
func sameOutput(a, b io.Writer) bool {
	one, other := fileOf(a), fileOf(b)
	if one == nil || other == nil {
		return false
	}
	first, err := one.Stat()
	if err != nil {
		return false
	}
	second, err := other.Stat()
	return err == nil && os.SameFile(first, second)
}
