package collect

import (
	"testing"
	"time"

	"github.com/pertain-dev/pertain/collect/internal/browser"
)

func TestAXPage(t *testing.T) {
	h := newAXHeap(t)
	page := h.element("AXWebArea", axAddress, "https://example.com/a?b", axTitle, "Example").at(0, 50, 800, 600)
	page.with(h.element("AXWebArea", axAddress, "https://example.com/frame").at(0, 50, 900, 700)) // inside of the page
	window := h.element("AXWindow").at(0, 0, 1000, 700).with(
		h.element("AXWebArea", axAddress, "about:sidebar").at(800, 50, 200, 600),
		h.element("AXGroup").at(0, 50, 800, 600).with(page),
		h.element("AXWebArea", axAddress, "https://example.com/hidden").at(5000, 5000, 900, 900),
	)
	for _, tt := range []struct {
		name   string
		change func()
		want   browser.Tab
		status axStatus
	}{
		{"the largest that shows", func() {}, browser.Tab{URL: "https://example.com/a?b", Title: "Example"}, axSuccess},
		{"by its description", func() { delete(page.values, axTitle); page.values[axDescription] = "Text" }, browser.Tab{URL: "https://example.com/a?b", Title: "Text"}, axSuccess},
		{"without an address", func() { delete(page.values, axAddress) }, browser.Tab{URL: "about:sidebar"}, axSuccess},
		{"hung", func() { window.cost = time.Hour }, browser.Tab{}, axCannotComplete},
	} {
		tt.change()
		ref := h.ref(window)
		h.spent = 0
		got, status := axPageOf(h, ref, h.left(time.Second))
		if got != tt.want || status != tt.status {
			t.Errorf("%s: %+v, %d", tt.name, got, status)
		}
		h.release(ref)
	}
	if h.owned() != 0 {
		t.Errorf("%d objects are left", h.owned())
	}
}
