//go:build desktop && linux

package collect_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestDesktopTexts: the texts of a long page are not read in the time of a question.
// `context --show-values` does not wait for them, and tells which are missing.
func TestDesktopTexts(t *testing.T) {
	s := newSession(t)
	page := s.home + "/long.html"
	var b strings.Builder
	b.WriteString("<!doctype html><title>Long page</title>")
	for i := range 1500 {
		fmt.Fprintf(&b, "<p>Paragraph %d with <a href=#%d>a link</a> and <b>bold</b> text</p>", i, i)
	}
	write(t, page, b.String())
	defer s.chromium("--start-maximized", "file://"+page).end()
	s.showsTab("file://"+page, "Long page", func() {})

	var v seen
	var took time.Duration
	defer func() {
		if t.Failed() {
			t.Logf("in %s: %s", took, v.raw)
		}
	}()
	s.until("the page, within the limits, and how many texts are missing", func() bool {
		start := time.Now()
		v = s.look("visual")
		took = time.Since(start)
		missing := 0
		v.each(func(e map[string]any) {
			if text, told := e["text"]; told && text == nil {
				missing++
			}
		})
		said := false
		for _, d := range v.Parts[0].Diagnostics {
			said = said || d.Code == "extra.provider_timeout" && strings.HasPrefix(d.Message, fmt.Sprintf("the texts of %d of ", missing))
		}
		if v.Parts[0].Available && said != (missing > 0) {
			t.Fatalf("%d texts are missing, and said is %v", missing, said)
		}
		// Two calls of 200 ms each, and what a busy machine adds; it was never less than two seconds.
		return said && took < 1200*time.Millisecond
	})
	context, err := json.Marshal(v.Snapshot)
	if err != nil {
		t.Fatal(err)
	}
	write(t, s.home+"/now.json", string(context))
	if answer := s.pertain("query", "//Unknown/@text", "--context", s.home+"/now.json", "--json"); !strings.Contains(answer, `"partial": true`) {
		t.Errorf("nothing is said to be missing: %s", answer)
	}
}
