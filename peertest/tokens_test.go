package peertest_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tiktoken-go/tokenizer"
	"pgregory.net/rapid"

	"github.com/pertain-dev/pertain/internal/tokens"
)

// blankLine is a line of blanks alone.
var blankLine = regexp.MustCompile(`[\r\n][\t \x{a0}]+[\r\n]`)

// TestTokens compares counts with another implementation of the encoding, over the
// project's own documents and random texts.
func TestTokens(t *testing.T) {
	peer, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		t.Fatal(err)
	}
	own, err := tokens.Load()
	if err != nil {
		t.Fatal(err)
	}
	same := func(t interface{ Errorf(string, ...any) }, name, text string) {
		want, err := peer.Count(text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got := own.Count(text); got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
	}
	for _, pattern := range []string{"../*.md", "../docs/*.md", "../internal/discover/*.go"} {
		names, _ := filepath.Glob(pattern)
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			same(t, name, string(data))
		}
	}
	parts := rapid.SampledFrom([]string{" ", "  ", "\n", "\r\n", "\t", "a", "B", "don't", "WE'LL", "été", "日本", "12", "3456", "…", "/", "//", ".", "_", "\u00a0", "🙂", "ǅ", "ʰ", "\u0301"})
	rapid.Check(t, func(rt *rapid.T) {
		text := strings.Join(rapid.SliceOfN(parts, 0, 30).Draw(rt, "parts"), "")
		if blankLine.MatchString(text) {
			return // the peer splits them where OpenAI's own does not; see below
		}
		same(rt, text, text)
	})
	// As OpenAI's tiktoken counts them, in its version for JavaScript.
	for text, want := range map[string]int{"\n \n": 1, " \n \n": 1, "\n\n \n": 1, "a\n \nb": 3, "\n  \n": 1} {
		if got := own.Count(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
