package collect

import (
	"time"

	"github.com/pertain-dev/pertain/collect/internal/browser"
)

// axPageOf is the page that a browser's window shows; its address is empty if
// there is none. window stays the caller's.
//
// Of several, as with a panel at the side, the largest counts. What is inside a
// page is not looked at.
func axPageOf(s axSystem, window axRef, left func() time.Duration) (browser.Tab, axStatus) {
	w := &axWalk{system: s, left: left, shut: "AXWebArea"}
	defer w.close()
	s.retain(window)
	if status := w.roam(window); status != axSuccess {
		return browser.Tab{}, status
	}
	var found browser.Tab
	largest := -1.0
	for i := range w.nodes {
		e := &w.nodes[i]
		size := e.bounds.Width * e.bounds.Height
		limit := left()
		if e.role != "AXWebArea" || e.offscreen || size <= largest || limit <= 0 {
			continue
		}
		answer, status := axRead(s, e.ref, axOfPage, axMaxAddress, limit)
		if address := answer.text(axAddress); status == axSuccess && address != "" {
			found, largest = browser.Tab{URL: address, Title: answer.text(axTitle)}, size
			if found.Title == "" {
				found.Title = answer.text(axDescription)
			}
		}
		answer.close()
	}
	return found, axSuccess
}

// axMaxAddress is how much of an address is read, in UTF-16 units.
const axMaxAddress = 64 << 10
