package ax

import (
	"testing"
	"time"

	"github.com/pertain-dev/pertain/collect/internal/browser"
)

func TestAXPage(t *testing.T) {
	h := newHeap(t)
	page := h.element("AXWebArea", AttributeAddress, "https://example.com/a?b", AttributeTitle, "Example").at(0, 50, 800, 600)
	page.with(h.element("AXWebArea", AttributeAddress, "https://example.com/frame").at(0, 50, 900, 700)) // inside of the page
	window := h.element("AXWindow").at(0, 0, 1000, 700).with(
		h.element("AXWebArea", AttributeAddress, "about:sidebar").at(800, 50, 200, 600),
		h.element("AXGroup").at(0, 50, 800, 600).with(page),
		h.element("AXWebArea", AttributeAddress, "https://example.com/hidden").at(5000, 5000, 900, 900),
	)
	for _, tt := range []struct {
		name   string
		change func()
		want   browser.Tab
		status Status
	}{
		{"the largest that shows", func() {}, browser.Tab{URL: "https://example.com/a?b", Title: "Example"}, StatusSuccess},
		{"by its description", func() { delete(page.values, AttributeTitle); page.values[AttributeDescription] = "Text" }, browser.Tab{URL: "https://example.com/a?b", Title: "Text"}, StatusSuccess},
		{"without an address", func() { delete(page.values, AttributeAddress) }, browser.Tab{URL: "about:sidebar"}, StatusSuccess},
		{"hung", func() { window.cost = time.Hour }, browser.Tab{}, StatusCannotComplete},
	} {
		tt.change()
		ref := h.ref(window)
		h.spent = 0
		got, status := PageOf(h, ref, h.left(time.Second))
		if got != tt.want || status != tt.status {
			t.Errorf("%s: %+v, %d", tt.name, got, status)
		}
		h.Release(ref)
	}
	if h.owned() != 0 {
		t.Errorf("%d objects are left", h.owned())
	}
}
