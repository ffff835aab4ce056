//go:build desktop && linux

package collect_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/pertain-dev/pertain/facts"
)

// tab is the active tab as the warm process knows it; "" where it does not.
func (w *warmed) tab() (address, title string) {
	w.t.Helper()
	out, _ := w.ask("extra.browser")
	at := func(path string) string {
		row, _ := facts.Lookup(path)
		return out.Snapshot.At(row).Text()
	}
	return at("extra.browser.active_tab.url"), at("extra.browser.active_tab.title")
}

// wandering is a page that goes elsewhere when a key is pressed: n to another
// address without another title, h to another part of it, t to another title at
// the same address. Chromium tells another address when something else of the
// page has changed, too.
const wandering = `<!doctype html><title>%[1]s</title><main><h1>%[1]s</h1><p>words</p></main><script>
addEventListener('keydown', e => {
	if (e.key == 'n') history.pushState(null, '', location.pathname + '?n=1')
	if (e.key == 'h') location.hash = 'place'
	if (e.key == 'n' || e.key == 'h') document.querySelector('p').textContent = location.href
	if (e.key == 't') document.title = 'Another title'
})
</script>`

// tabsStayFresh: a process that watches never tells another tab, another address
// or another title than the browser shows. Each step is seen by a process of its
// own first; then the next answer of the warm one must have it.
func (s *session) tabsStayFresh(start func(addresses ...string) *app, number func(tab int)) {
	s.t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, wandering, "Same "+strings.TrimLeft(r.URL.Path, "/")[:1])
	}))
	s.t.Cleanup(server.Close)
	base := strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
	first, twin, other := base+"/a1", base+"/a2", base+"/b"
	defer start(first, twin, other).end()
	w := s.warm()
	defer w.end()
	step := func(address, title string, act func()) {
		s.t.Helper()
		s.showsTab(address, title, act)
		if got, named := w.tab(); got != "" && (got != address || named != title) {
			s.t.Errorf("the warm answer is %s %q, want %s %q", got, named, address, title)
		}
		s.until("the warm answer "+address, func() bool {
			got, named := w.tab()
			return got == address && named == title
		})
		var took []float64
		for range 9 {
			_, t := w.ask("extra.browser")
			took = append(took, float64(t.Microseconds())/1000)
		}
		s.t.Logf("%-40s warm %.1f ms", strings.TrimPrefix(address, base)+" "+title, median(took))
	}
	press := func(key string) func() {
		return func() {
			s.clickPage()
			s.keys(key)
		}
	}
	step(first, "Same a", func() { number(1) })
	step(twin, "Same a", func() { number(2) }) // whose window has the same title
	step(other, "Same b", func() { number(3) })
	step(first, "Same a", func() { number(1) })
	step(first+"?n=1", "Same a", press("n"))
	step(first+"?n=1#place", "Same a", press("h"))
	step(first+"?n=1#place", "Another title", press("t"))
	step(twin, "Same a", func() { number(2) })
	step(first+"?n=1#place", "Another title", func() { number(1) })
	step(other, "Same b", func() { s.visit(other) })
}

// clickPage gives the page the keyboard.
func (s *session) clickPage() { s.user("mousemove", "640", "500", "click", "1") }

func chromiumPortFresh(s *session, _, _ string) {
	s.tabsStayFresh(func(addresses ...string) *app {
		return s.chromium(append([]string{"--remote-debugging-port=0"}, addresses...)...)
	}, func(tab int) { s.keys(fmt.Sprintf("ctrl+%d", tab)) })
}

func chromiumFresh(s *session, _, _ string) {
	s.tabsStayFresh(func(addresses ...string) *app { return s.chromium(addresses...) }, func(tab int) { s.keys(fmt.Sprintf("ctrl+%d", tab)) })
}

func firefoxFresh(s *session, _, _ string) {
	need(s.t, "firefox-esr")
	s.accessible()
	s.tabsStayFresh(s.startFirefox, func(tab int) { s.keys(fmt.Sprintf("alt+%d", tab)) })
}
