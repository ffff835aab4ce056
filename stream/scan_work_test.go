package stream_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/stream"
)

// TestScanWork: hundreds of slow triggers in hundreds of texts end when the work of a whole scan is used up; what is not known then is
// told, and a trigger that is not slow is found in every text. Without a limit together, nothing changes.
func TestScanWork(t *testing.T) {
	const triggers, texts = 150, 400
	patterns := []string{`foo(?!bar)`}
	for i := range triggers {
		patterns = append(patterns, fmt.Sprintf(`(?=(a|aa)+b)(?<!x)(a*)*c[%d-9]?z`, i%9)+strings.Repeat("?", i%2))
	}
	set := compile(t, patterns...)
	text := strings.Repeat("a", 2000) + "xbcz foo"
	work := set.ScanWork()
	one, other := work.Scanner(set), work.Scanner(set)
	least := 128<<20 + 128*len(text)*texts // steps that a scan may take, in all
	found, undecided, first := 0, 0, 0
	for i := range texts {
		scanner := one
		if i%2 == 1 {
			scanner = other
		}
		for _, m := range scanner.Scan(text) {
			if m.Trigger == 0 {
				found++
			}
		}
		open := scanner.Undecided()
		if undecided += len(open); i == 0 {
			first = work.Spent()
		}
		for _, u := range open {
			if u.Trigger == 0 || u.Reason != stream.WorkLimit {
				t.Fatalf("text %d: %+v", i, u)
			}
		}
	}
	if spent := work.Spent(); found != texts || undecided == 0 || first*texts < 2*least || spent < least/2 || spent > least+2*first {
		t.Errorf("found in %d texts, %d undecided, %d steps of %d, the first text %d", found, undecided, spent, least, first)
	}
	if alone := set.Scanner(); len(alone.Scan(text)) == 0 || len(alone.Undecided()) > 0 {
		t.Errorf("a scanner alone: %v", alone.Undecided())
	}
}
