package cli

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// TestVisiblePart compares what is in view with what it is to be, drawn the slow
// way, and draws a long line, which that way would take minutes for.
func TestVisiblePart(t *testing.T) {
	p := &picker{}
	letters := []rune("abc déà全部ー한👍 ") // none that changes how wide the one before is
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var l textLine
		for range random.IntN(60) {
			l.text = append(l.text, letters[random.IntN(len(letters))])
		}
		l.at = random.IntN(len(l.text) + 1)
		width := random.IntN(30)
		from := 0
		for from < l.at && ansi.StringWidth(string(l.text[from:l.at])) > width {
			from++
		}
		if got, want := p.visiblePart(&l, width), ansi.Truncate(string(l.text[from:]), width, ""); got != want {
			t.Fatalf("%q at %d, width %d: got %q, want %q", string(l.text), l.at, width, got, want)
		}
	}
	var l textLine
	for range 10 {
		l.insert(strings.Repeat("pasted text\n", 5000))
	}
	if len(l.text) != maxLine || l.at != maxLine {
		t.Errorf("the line has %d characters, the cursor is at %d", len(l.text), l.at)
	}
	for _, at := range []int{0, maxLine / 2, maxLine} {
		l.at = at
		for range 50 {
			if got := ansi.StringWidth(p.visiblePart(&l, 70)); got != 70 {
				t.Fatalf("%d places are in view", got)
			}
		}
	}
	if _, ok := fuzzy(string(l.text), "pasted text"); ok {
		t.Error("a text holds one that is longer")
	}
}
