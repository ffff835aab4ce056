package diag_test

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
)

// TestExcerptOfALongLine: what is shown of a line depends on what is near the place, and on nothing else of it.
func TestExcerptOfALongLine(t *testing.T) {
	shown := func(before, after string) []string {
		t.Helper()
		lines := strings.Split(render(t, diag.TextOptions{}, mark(before+"HERE"+after, "HERE")), "\n")
		for i, line := range lines {
			if strings.Contains(line, "HERE") {
				return lines[i : i+2]
			}
		}
		t.Fatalf("the place is not shown: %q", lines)
		return nil
	}
	for name, part := range map[string]string{"letters": "left ", "wide": "漢字", "marks": "e\u0301", "nothing that takes room": "\u0301"} {
		far := strings.Repeat(part, 20_000)
		got := shown(far, far)
		if len(got[0]) > 20_000 || strings.Count(got[0], "…") != 2 {
			t.Errorf("%s: %d bytes, %d cuts", name, len(got[0]), strings.Count(got[0], "…"))
		}
		other := shown("\x00"+far+far, far+"\x00")
		if len(other[0]) > 20_000 {
			t.Errorf("%s: %d bytes", name, len(other[0]))
		}
	}
	near := strings.Repeat("left ", 2_000)
	got, want := shown(near, near), shown(strings.Repeat("left ", 400), strings.Repeat("left ", 400))
	text := func(line string) string { _, rest, _ := strings.Cut(line, "…"); return rest }
	if text(got[0]) != text(want[0]) || strings.Count(got[1], "^") != 4 {
		t.Errorf("%q\n%q, want\n%q", got[0], got[1], want[0])
	}
	if i, j := strings.Index(got[0], "HERE"), strings.Index(got[1], "^"); i-len("…")+1 != j {
		t.Errorf("the carets are at %d, the place at %d\n%s\n%s", j, i, got[0], got[1])
	}
}
