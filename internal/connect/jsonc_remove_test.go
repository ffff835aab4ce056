package connect

import (
	"errors"
	"strings"
	"testing"

	"github.com/tailscale/hujson"
)

// TestManyOwn: as many items as are allowed are taken out; of more none is, and the text is read once to see it. What is allocated
// counts how often it is read.
func TestManyOwn(t *testing.T) {
	own := func(_ string, v hujson.Value) bool { return strings.TrimSpace(v.String()) == `"ours"` }
	text := func(count int) string {
		return `{"hooks":{"Stop":[` + strings.Repeat(`{"matcher":"*","hooks":["ours"]},`, count) + `"theirs"]}}`
	}
	for _, count := range []int{1, maxOwn} {
		j := jsonText{text: text(count)}
		if found, err := j.removeOwn([]string{"hooks"}, own); !found || err != nil || j.text != text(0) {
			t.Errorf("%d: %v, %v: %s", count, found, err, j.text)
		}
	}
	for _, count := range []int{maxOwn + 1, 2_000} {
		j := jsonText{text: text(count)}
		read := testing.AllocsPerRun(1, func() {
			if _, err := (&jsonText{text: j.text}).parse(); err != nil {
				t.Fatal(err)
			}
		})
		removed := testing.AllocsPerRun(1, func() {
			if _, err := (&jsonText{text: j.text}).removeOwn([]string{"hooks"}, own); !errors.Is(err, errManyOwn) {
				t.Fatal(err)
			}
		})
		if j.text != text(count) || len(j.splices) > 0 {
			t.Errorf("%d: %d bytes are left of %d", count, len(j.text), len(text(count)))
		}
		if removed > 5*read {
			t.Errorf("%d: reading takes %v allocations, and this %v", count, read, removed)
		}
	}
}
