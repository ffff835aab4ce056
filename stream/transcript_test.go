package stream_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestTranscripts replays what models said, cut at every position, at random, and
// in single bytes.
func TestTranscripts(t *testing.T) {
	list, err := os.ReadFile(filepath.Join("testdata", "transcripts", "triggers.txt"))
	if err != nil {
		t.Fatal(err)
	}
	patterns := strings.Split(strings.TrimSpace(string(list)), "\n")
	set := compile(t, patterns...)
	names, err := filepath.Glob(filepath.Join("testdata", "transcripts", "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	fired := map[int]bool{}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		want := feed(set, text)
		for _, f := range want {
			fired[f.Trigger] = true
		}
		for cut := range len(text) {
			if got := feed(set, text[:cut], text[cut:]); !slices.Equal(got, want) {
				t.Errorf("%s cut at %d: %v, want %v", name, cut, got, want)
			}
		}
		w := newWriter(uint64(len(text)))
		for range 50 {
			pieces := w.pieces(text)
			if got := feed(set, pieces...); !slices.Equal(got, want) {
				t.Errorf("%s in pieces %q: %v, want %v", name, pieces, got, want)
			}
		}
		bytes := make([]string, len(text))
		for i := range bytes {
			bytes[i] = text[i : i+1]
		}
		if got := feed(set, bytes...); !slices.Equal(got, want) {
			t.Errorf("%s in single bytes: %v, want %v", name, got, want)
		}
	}
	for i, p := range patterns {
		if !fired[i] {
			t.Errorf("no transcript has a match of /%s/", p)
		}
	}
}
