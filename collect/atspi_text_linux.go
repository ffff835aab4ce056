package collect

import (
	"context"
	"strings"
	"time"

	"github.com/godbus/dbus/v5"

	"github.com/pertain-dev/pertain/facts"
)

// textTime is how long reading the text of one element may take where whoever
// asks sets no limit: the program may hang.
const textTime = 60 * time.Millisecond

// maxNesting is how deep texts inside texts are read.
const maxNesting = 24

// textReader reads texts when a query asks for them.
func (s scene) textReader(elements []visited, order []int) facts.TextReader {
	return func(ctx context.Context, i int) (string, bool) {
		if _, limited := ctx.Deadline(); !limited {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, textTime)
			defer cancel()
		}
		e := &elements[order[i]]
		var b strings.Builder
		ok := s.text(ctx, e.node, e.role, 0, &b)
		return b.String(), ok
	}
}

// embedded stands in a text for an element inside it.
const embedded = '\ufffc'

// text appends an element's text with those of the elements inside it. A
// password is never read.
func (s scene) text(ctx context.Context, n node, role uint32, depth int, b *strings.Builder) bool {
	if role == rolePassword || depth > maxNesting || b.Len() > 4*facts.MaxText {
		return false
	}
	if !hasText(s.interfaces(ctx, n)) {
		return false
	}
	// Firefox gives nothing when it is asked for more than there is.
	length, err := variant[int32](s.property(ctx, n, "Text", "CharacterCount"))
	if err != nil {
		return false
	}
	own, err := result[string](s.start(ctx, n, atspi+"Text.GetText", int32(0), min(length, facts.MaxText)))
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
	children, _ := s.children(ctx, n)
	next := 0
	for _, c := range own {
		if c != embedded {
			b.WriteRune(c)
			continue
		}
		if next < len(children) {
			child := children[next]
			next++
			if childRole, err := result[uint32](s.role(ctx, child)); err == nil {
				if block(childRole) && b.Len() > 0 && !strings.HasSuffix(b.String(), "\n") {
					b.WriteByte('\n')
				}
				s.text(ctx, child, childRole, depth+1, b)
			}
		}
	}
	return true
}

// conceals tells whether an element of GTK 4 does not draw its text, of which
// the beginning is given: an entry that hides what is typed tells the password,
// and not that it is one. What it draws is told for lines alone. One that does
// not say so is taken for such an entry.
func (s scene) conceals(ctx context.Context, n node, role uint32, own string) bool {
	if !s.toolkit.gtk4() || own == "" {
		return false
	}
	const line = 3 // of AtspiTextGranularity
	lineCall, statesCall := s.start(ctx, n, atspi+"Text.GetStringAtOffset", int32(0), uint32(line)), s.states(ctx, n)
	is, err := statesOf(statesCall)
	var drawn string
	<-lineCall.Done
	failed := lineCall.Store(&drawn, new(int32), new(int32)) // and where it begins and ends
	switch {
	case err == nil && is.has(stateMultiLine): // no such text is hidden
		return false
	case err != nil || failed != nil || drawn == "":
		return true
	case isText(role) || is.has(stateEditable):
		return bullets(own) || !strings.HasPrefix(drawn, own)
	}
	return !strings.HasPrefix(drawn, own) && !strings.HasPrefix(own, drawn) // such as a label, which may have more lines
}

// block tells whether a role begins a line of its own.
func block(role uint32) bool {
	switch role {
	case roleListItem, roleTable, roleTableRow, 73, 83, 85, 87, 99, 105, 109, 110, 39, roleList:
		return true
	}
	return false
}

// selected is the selected text of a window whose element n has the keyboard:
// that of n, or of the page that it is in. nested tells that it was put together
// of several elements. The error says that the program did not answer.
func (s scene) selected(ctx context.Context, n node) (text string, nested bool, err error) {
	role, err := result[uint32](s.role(ctx, n))
	if err != nil || role == rolePassword {
		return "", false, err
	}
	if !s.toolkit.pages() || isText(role) || role == roleDocumentWeb {
		text, nested, err = s.selectedIn(ctx, n)
		if err != nil || text != "" || !s.toolkit.pages() {
			return text, nested, err
		}
	}
	for range maxNesting { // such as a link, which knows its own part alone
		if role == roleDocumentWeb {
			return s.selectedIn(ctx, n)
		}
		above, err := result[dbus.Variant](s.property(ctx, n, "Accessible", "Parent"))
		if err == nil {
			err = dbus.Store([]any{above.Value()}, &n)
		}
		if err != nil || n.none() || n == s.top {
			return "", false, ctx.Err()
		}
		if role, err = result[uint32](s.role(ctx, n)); err != nil {
			return "", false, err
		}
	}
	return "", false, nil
}
