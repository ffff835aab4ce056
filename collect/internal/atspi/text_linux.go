package atspi

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/godbus/dbus/v5"

	"github.com/pertain-dev/pertain/facts"
)

// textTime is how long reading the text of one element may take where whoever
// asks sets no limit: the program may hang.
const textTime = 60 * time.Millisecond

// maxNesting is how deep texts inside texts are read.
const maxNesting = 24

// textReader reads texts when a query asks for them.
func (s Window) textReader(elements []Element, order []int) facts.TextReader {
	return func(ctx context.Context, i int) (string, bool) {
		if _, limited := ctx.Deadline(); !limited {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, textTime)
			defer cancel()
		}
		e := &elements[order[i]]
		var b strings.Builder
		ok := s.text(ctx, e.Node, e.Role, 0, &b)
		return b.String(), ok && ctx.Err() == nil // else elements inside it may be missing
	}
}

// embedded stands in a text for an element inside it.
const embedded = '\ufffc'

// text appends an element's text with those of the elements inside it. A
// password is never read.
func (s Window) text(ctx context.Context, n Node, role uint32, depth int, b *strings.Builder) bool {
	if role == RolePasswordText || depth > maxNesting || b.Len() > 4*facts.MaxText {
		return false
	}
	if !HasText(s.Interfaces(ctx, n)) {
		return false
	}
	// Firefox gives nothing when it is asked for more than there is.
	length, err := Variant[int32](s.Property(ctx, n, "Text", "CharacterCount"))
	if err != nil {
		return false
	}
	own, err := Result[string](s.Start(ctx, n, Prefix+"Text.GetText", int32(0), min(length, facts.MaxText)))
	if err != nil {
		return false
	}
	if s.conceals(ctx, n, role, own) {
		return false
	}
	if !strings.ContainsRune(own, embedded) {
		b.WriteString(strings.ToValidUTF8(own, ""))
		return true
	}
	children, _ := s.Children(ctx, n)
	next := 0
	for _, c := range own {
		if c != embedded {
			b.WriteRune(c)
			continue
		}
		if next < len(children) {
			child := children[next]
			next++
			if childRole, err := Result[uint32](s.role(ctx, child)); err == nil {
				if block(childRole) && b.Len() > 0 && !strings.HasSuffix(b.String(), "\n") {
					b.WriteByte('\n')
				}
				s.text(ctx, child, childRole, depth+1, b)
			}
		}
	}
	return ctx.Err() == nil // else it may lack what is inside
}

// conceals tells whether an element of GTK 4 does not draw its text, of which
// the beginning is given: an entry that hides what is typed tells the password,
// and not that it is one. What it draws is told for lines alone. One that does
// not say so is taken for such an entry.
func (s Window) conceals(ctx context.Context, n Node, role uint32, own string) bool {
	if !s.Toolkit.IsGTK4() || own == "" {
		return false
	}
	const line = 3 // of AtspiTextGranularity
	lineCall, statesCall := s.Start(ctx, n, Prefix+"Text.GetStringAtOffset", int32(0), uint32(line)), s.States(ctx, n)
	is, err := StatesOf(statesCall)
	var drawn string
	<-lineCall.Done
	failed := lineCall.Store(&drawn, new(int32), new(int32)) // and where it begins and ends
	switch {
	case err == nil && is.Has(StateMultiLine): // no such text is hidden
		return false
	case err != nil || failed != nil || drawn == "":
		return true
	case IsText(role) || is.Has(StateEditable):
		return Bullets(own) || !strings.HasPrefix(drawn, own)
	}
	return !strings.HasPrefix(drawn, own) && !strings.HasPrefix(own, drawn) // such as a label, which may have more lines
}

// block tells whether a role begins a line of its own.
func block(role uint32) bool {
	switch role {
	case RoleListItem, RoleTable, RoleTableRow, RoleParagraph, RoleHeading, RoleSection, RoleForm, RoleGrouping, RoleBlockQuote, RoleArticle, RoleLandmark, RolePanel, RoleList:
		return true
	}
	return false
}

// Selected is the selected text of a window whose element n has the keyboard:
// that of n, or of the page that it is in. nested tells that it was put together
// of several elements. The error says that the program did not answer.
func (s Window) Selected(ctx context.Context, n Node) (text string, nested bool, err error) {
	role, err := Result[uint32](s.role(ctx, n))
	if err != nil || role == RolePasswordText {
		return "", false, err
	}
	if role == RoleDocumentFrame && s.Toolkit.Matches() && !s.Toolkit.pages() {
		return s.selectedPages(ctx, n)
	}
	if !s.Toolkit.pages() || IsText(role) || role == RoleDocumentWeb {
		text, nested, err = s.selectedIn(ctx, n)
		if err != nil || text != "" || !s.Toolkit.pages() {
			return text, nested, err
		}
	}
	for range maxNesting { // such as a link, which knows its own part alone
		if role == RoleDocumentWeb {
			return s.selectedIn(ctx, n)
		}
		above, err := Result[dbus.Variant](s.Property(ctx, n, "Accessible", "Parent"))
		if err == nil {
			err = dbus.Store([]any{above.Value()}, &n)
		}
		if err != nil || n.None() || n == s.Top {
			return "", false, ctx.Err()
		}
		if role, err = Result[uint32](s.role(ctx, n)); err != nil {
			return "", false, err
		}
	}
	return "", false, nil
}

// Bullets tells whether a text is what a password looks like.
func Bullets(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return strings.ContainsRune("●•∙⬤*", first) && strings.Trim(text, string(first)) == ""
}
