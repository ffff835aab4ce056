//go:build desktop && linux

package collect_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestDesktopTexts: the texts of a long page are not read in the time of a question.
// `context --show-values` does not wait for them, and tells which are missing.
func TestDesktopTexts(t *testing.T) {
	t.Parallel()
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

	// A busy machine reads some of the page in this time, and an idle one not all texts.
	s.config("options: {extraTimeout: 500ms}\n")
	var v seen
	defer func() {
		if t.Failed() {
			t.Logf("last seen: %s", v.raw)
		}
	}()
	s.until("the page, and how many texts are missing", func() bool {
		v = s.look("visual")
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
		return said
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
