package ax

import (
	"time"

	"github.com/pertain-dev/pertain/collect/internal/browser"
)

// PageOf is the page that a browser's window shows; its address is empty if
// there is none. window stays the caller's.
//
// Of several, as with a panel at the side, the largest counts. What is inside a
// page is not looked at.
func PageOf(s System, window Ref, left func() time.Duration) (browser.Tab, Status) {
	w := &Walk{system: s, left: left, shut: "AXWebArea"}
	defer w.close()
	s.Retain(window)
	if status := w.roam(window); status != StatusSuccess {
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
		answer, status := Read(s, e.ref, ListOfPage, MaxAddress, limit)
		if address := answer.text(AttributeAddress); status == StatusSuccess && address != "" {
			found, largest = browser.Tab{URL: address, Title: answer.text(AttributeTitle)}, size
			if found.Title == "" {
				found.Title = answer.text(AttributeDescription)
			}
		}
		answer.close()
	}
	return found, StatusSuccess
}

// MaxAddress is how much of an address is read, in UTF-16 units.
const MaxAddress = 64 << 10
