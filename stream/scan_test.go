package stream_test

import (
	"fmt"
	"strings"
	"testing"
)

func TestScan(t *testing.T) {
	set := compile(t, `\.unwrap\(\)`, `TODO\b`, `import .* from ['"]lodash`, `foo(?!bar)`, `a+`, `^$`)
	text := "x.unwrap().unwrap() TODO\nTODOS TODO\nimport _ from 'lodash'; aaa aa\nfoobar foobaz foo\n\nz.unwrap()"
	var got []string
	for _, m := range set.Scanner().Scan(text) {
		line := 1 + strings.Count(text[:m.End], "\n")
		got = append(got, fmt.Sprintf("%d:%d:%s", m.Trigger, line, text[m.Start:m.End]))
	}
	want := []string{"4:1:a", "0:1:.unwrap()", "1:1:TODO", "1:2:TODO", "4:3:a", "2:3:import _ from 'lodash", "4:4:a", "3:4:foo", "4:6:a", "0:6:.unwrap()"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("found %q\n want %q", got, want)
	}
}

// TestScanAgain: one scanner gives the same for each text as a new one.
func TestScanAgain(t *testing.T) {
	w := newWriter(41)
	for range rounds(200) {
		var patterns []string
		for range 1 + w.IntN(8) {
			patterns = append(patterns, w.expression())
		}
		set := compileValid(patterns)
		again := set.Scanner()
		for range 4 {
			text := w.text() + w.broken() + w.text()
			got, want := again.Scan(text), set.Scanner().Scan(text)
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("%q on %q: %v, then %v", patterns, text, want, got)
			}
			fired := map[int]bool{}
			for _, f := range feed(set, text) {
				fired[f.Trigger] = true
			}
			found := map[int]bool{}
			for _, m := range want {
				if m.Start < 0 || m.Start > m.End || m.End > len(text) {
					t.Fatalf("%q on %q: %+v", patterns, text, m)
				}
				found[m.Trigger] = true
			}
			for i := range patterns {
				if fired[i] != found[i] {
					t.Fatalf("/%s/ on %q: fires %v, found %v", patterns[i], text, fired[i], found[i])
				}
			}
		}
	}
}
