package stream_test

import (
	"slices"
	"testing"

	"github.com/pertain-dev/pertain/stream"
)

// FuzzFeed: whatever the pattern and the text are, the answers do not depend on where
// the text is cut, nor on whether the stream was saved there.
func FuzzFeed(f *testing.F) {
	for _, r := range realistic {
		f.Add(r.pattern, r.texts, 3)
	}
	f.Add(`a$|a[^]|(b|c)+?\2(?<!d)`, "ab\xffcc\xe2\x82", 4)
	for i, pattern := range longTrials {
		f.Add(pattern, "h\xe2", i%3)
		f.Add(pattern, "", 0)
	}
	f.Fuzz(func(t *testing.T, pattern, text string, cut int) {
		if len(pattern) > 200 || len(text) > 400 {
			return
		}
		set, problems := stream.Compile([]stream.Trigger{{Patterns: []string{pattern}}, {Patterns: []string{"x|" + pattern}}}, stream.Options{})
		if len(problems) > 0 {
			return
		}
		cut = max(0, min(cut, len(text)))
		want := feed(set, text)
		if got := feed(set, text[:cut], text[cut:]); !slices.Equal(got, want) {
			t.Errorf("/%s/ on %q: whole %v, cut at %d %v", pattern, text, want, cut, got)
		}
		stateless := compileValid([]string{pattern, "x|" + pattern}) // no state is known
		stream.ForceNFA(stateless, 1+cut%7)
		if got := feed(stateless, text[:cut], text[cut:]); !slices.Equal(got, want) {
			t.Errorf("/%s/ on %q: states %v, nfas %v", pattern, text, want, got)
		}
		st := set.Stream()
		got := slices.Clone(st.Feed(text[:cut]))
		st, err := set.Restore(st.Save())
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, st.Feed(text[cut:])...)
		if got = append(got, st.End()...); !slices.Equal(got, want) {
			t.Errorf("/%s/ on %q: whole %v, saved at %d %v", pattern, text, want, cut, got)
		}
		within(t, pattern, text, st.Undecided())
		scanner := set.Scanner()
		for _, m := range scanner.Scan(text) {
			if m.Start < 0 || m.Start > m.End || m.End > len(text) {
				t.Errorf("/%s/ on %q: found %v", pattern, text, m)
			}
		}
		within(t, pattern, text, scanner.Undecided())
	})
}
