package stream_test

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/stream"
)

// opened are expressions with a look-around that stays open, so that something waits
// to be decided at each of many places, or is looked at from each of them.
var opened = []string{
	`zz(?= [^]*w)`, `b(?=(?:.|\n)*END)`, `zz(?=.*\n)`, `(?=[^]*w)zz`, `zz(?=[^]*w)|q`,
	`zz(?! [^]*$)`, `zz(?![^]*y $)`, `(?![^]*zz)w`, `zz(?!(?:.|\n)*y )`,
	`(?<=w[^]*)zz`, `(?<!zz[^]*)w`, `zz(?<=w[^]* zz)`, `(?<=a[^]*)zz(?= [^]*w)`, `zz(?= [^]*(?<=q)w)`, `zz(?=[^]*(?<!y )w)`,
	`(zz)(?= [^]*w\1)`, `(?:zz(?= [^]*w)|yy(?! [^]*w)q)`,
}

// TestOpenLooks: however long a look-around stays open, a stream keeps no more than
// the window of the text, and nothing for each place where one is: what it would keep
// it would go through with each piece.
func TestOpenLooks(t *testing.T) {
	t.Parallel()
	const window, waiting = 64<<10 + 8, 1 << 10 // bytes
	for _, pattern := range opened {
		for _, piece := range []string{"abc zz y ", strings.Repeat("abc zz y ", 3_000)} {
			st := compile(t, pattern).Stream()
			for fed := 0; fed < 256<<10; fed += len(piece) {
				if found := st.Feed(piece); len(found) > 0 {
					t.Fatalf("/%s/ fires: %v", pattern, found)
				}
				if text, more := stream.KeptVerifier(st); text > window || more > waiting {
					t.Fatalf("/%s/ keeps %d bytes of the text and %d of what waits, after %d bytes in pieces of %d", pattern, text, more, st.Offset(), len(piece))
				}
			}
			if u := st.Undecided(); u != nil && !strings.Contains(pattern, `\1`) {
				t.Errorf("/%s/: %v", pattern, u)
			}
		}
	}
}
