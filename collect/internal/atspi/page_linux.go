package atspi

import (
	"cmp"
	"context"

	"github.com/godbus/dbus/v5"
)

// Page is what a browser tells of a page.
type Page struct{ URL, Title string }

// SamePage reads a page, if it is the first that shows now and its window, whose
// name comes with it, calls itself active, all in one row of calls.
func (s Window) SamePage(ctx context.Context, document Node) (found Page, window string, same bool) {
	state, name := s.States(ctx, s.Top), s.Name(ctx, s.Top)
	first := s.startMatch(ctx, s.Top, 1<<StateShowing, []uint32{RoleDocumentWeb}, 1)
	read := s.startPage(ctx, document)
	hits, err := Result[[]Node](first)
	found, ok := read.page()
	is, unknown := StatesOf(state)
	window, unnamed := Variant[string](name)
	err = cmp.Or(err, unknown, unnamed)
	return found, window, ok && err == nil && is.Has(StateActive) && len(hits) == 1 && hits[0] == document
}

// WebDocument finds the page that shows; none if there is none. One is asked for and no
// more: with the first, a browser stops looking, and a long page takes it seconds, in which
// it does nothing else. Browsers build their tree when it is first walked, so an empty
// answer is not the last word.
func (s Window) WebDocument(ctx context.Context) (Page, Node, error) {
	hits, err := s.match(ctx, s.Top, 1<<StateShowing, []uint32{RoleDocumentWeb}, 1)
	if err == nil {
		if t, document := s.firstPage(ctx, hits); !document.None() {
			return t, document, nil
		}
	}
	if ctx.Err() != nil {
		return Page{}, Node{}, ctx.Err()
	}
	elements, left, err := s.walk(ctx)
	if err != nil {
		return Page{}, Node{}, err
	}
	hits = nil
	for _, e := range elements {
		if e.Role == RoleDocumentWeb && e.States.Has(StateShowing) {
			hits = append(hits, e.Node)
		}
	}
	t, document := s.firstPage(ctx, hits)
	if document.None() && left == LeftForTime {
		return Page{}, Node{}, errUnread
	}
	return t, document, nil
}

// firstPage reads the first page that has an address; pages inside pages come
// after it.
func (s Window) firstPage(ctx context.Context, documents []Node) (Page, Node) {
	for _, document := range documents {
		if t, ok := s.startPage(ctx, document).page(); ok {
			return t, document
		}
	}
	return Page{}, Node{}
}

// pageCalls are under way to a page.
type pageCalls struct{ attributes, name *dbus.Call }

func (s Window) startPage(ctx context.Context, document Node) pageCalls {
	return pageCalls{s.Start(ctx, document, Prefix+"Document.GetAttributes"), s.Name(ctx, document)}
}

// page waits for the answers; false if the page has no address.
func (p pageCalls) page() (Page, bool) {
	attributes, err := Result[map[string]string](p.attributes)
	t := Page{URL: attributes["DocURL"], Title: ValidText(Variant[string](p.name))} // Firefox
	if t.URL == "" {
		t.URL = attributes["URI"] // Chromium
	}
	if given := attributes["Title"]; given != "" {
		t.Title = given
	}
	return t, err == nil && t.URL != ""
}
