package tokens_test

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/tokens"
)

// TestCount holds counts that tiktoken gives; peertest compares many more.
func TestCount(t *testing.T) {
	e, err := tokens.Load()
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{
		"": 0, "hello world": 2, "tiktoken is great!": 6, "antidisestablishmentarianism": 6, "2 + 2 = 4": 7, "お誕生日おめでとう": 8,
		"a\n\n  b": 4, "   ": 1, "\xff\xfe": 2,
	} {
		if got := e.Count(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
	if got := e.Count(strings.Repeat("é", 200_000)); got == 0 { // one word of half a megabyte
		t.Error("nothing is counted")
	}
}
