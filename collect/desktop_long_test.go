//go:build desktop && linux

package collect_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/pertain-dev/pertain/facts"
)

// longPage: of a page with thousands of elements, Chromium tells address, title and
// selection in the usual time, and also to who watches.
func longPage(s *session, _, _ string) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "<!doctype html><title>Long page</title><style>p{margin:0;height:60px;font-size:40px}</style>")
		for i := range 1500 {
			fmt.Fprintf(w, "<p>Paragraph%d</p><p>with <a href=#%d>a link</a> and <b>bold</b> text</p>", i, i)
		}
	}))
	defer server.Close()
	address := strings.Replace(server.URL, "127.0.0.1", "localhost", 1) + "/"
	defer s.chromium("--start-maximized", address).end()
	s.showsTab(address, "Long page", func() {})
	w := s.warm()
	defer w.end()
	var told facts.Gathering
	watched := func(fact string) string {
		out, _ := w.ask(fact)
		told = out
		row, _ := facts.Lookup(fact)
		return out.Snapshot.At(row).Text()
	}
	s.until("the address, by who watches", func() bool { return watched("extra.browser.active_tab.url") == address })
	selects := func(text string, act func()) {
		s.t.Helper()
		last := ""
		defer func() {
			if s.t.Failed() {
				s.t.Logf("last seen: %s\nby who watches: %+v", last, told)
			}
		}()
		s.until("the selected "+text, func() bool {
			act()
			v := s.look("attachments.selection.text")
			last = v.raw
			return v.text("attachments", "selection", "text") == text
		})
		s.until("the selected "+text+", by who watches", func() bool { return watched("attachments.selection.text") == text })
	}
	// Two double clicks soon after each other are a click of three and more, which selects the whole line.
	selects("Paragraph1", seldom(func() { s.user("mousemove", "120", "290", "click", "--repeat", "2", "--delay", "20", "1") }))
}
