package uia

import (
	"context"
	"runtime"
	"strings"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/go-ole/go-ole"

	"github.com/pertain-dev/pertain/collect/internal/com"
	"github.com/pertain-dev/pertain/collect/internal/uia/api"
	"github.com/pertain-dev/pertain/facts"
)

// textTime is how long reading the text of one element may take where whoever
// asks sets no limit: the program may hang.
const textTime = 60 * time.Millisecond

// textSource is where the text of an element is.
type textSource uint8

const (
	noText        textSource = iota
	patternedText            // TextPattern: what is written in it
	valueText                // ValuePattern: its value as a text
)

// texts reads the texts of a tree's elements when a query asks for them. It
// holds the elements that have any; they are released with it.
type texts struct {
	elements []*com.Object // by index in the tree; nil: it has no text of its own
	sources  []textSource
	labels   []string    // the texts of labels, which are their names
	busy     atomic.Bool // a program that hangs is not asked again before it has answered
}

func newTexts(elements []element, order []int) *texts {
	t := &texts{elements: make([]*com.Object, len(order)), sources: make([]textSource, len(order)), labels: make([]string, len(order))}
	var held []*com.Object
	for i, at := range order {
		e := &elements[at]
		t.elements[i], t.sources[i] = e.element, e.texts
		if e.element != nil {
			held = append(held, e.element)
		} else if e.control == controlText && e.states&facts.Password == 0 {
			t.labels[i] = e.name
		}
	}
	runtime.AddCleanup(t, releaseLater, held)
	return t
}

// read is the tree's reader. A password is never read.
func (t *texts) read(ctx context.Context, i int) (string, bool) {
	if t.sources[i] == noText {
		return t.labels[i], t.labels[i] != ""
	}
	if _, limited := ctx.Deadline(); !limited {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, textTime)
		defer cancel()
	}
	if !t.busy.CompareAndSwap(false, true) {
		return "", false
	}
	type answer struct {
		text string
		ok   bool
	}
	a, err := com.Await(ctx, func() (answer, error) {
		defer t.busy.Store(false)
		defer runtime.KeepAlive(t)
		text, ok := readText(t.elements[i], t.sources[i])
		return answer{text, ok}, nil
	}, nil)
	return a.text, err == nil && a.ok
}

// readText asks a program for the text of an element, unless it has become a
// password since.
func readText(e *com.Object, from textSource) (string, bool) {
	if password, told := current(e, api.PropertyIsPassword).(bool); !told || password {
		return "", false
	}
	if from == valueText {
		value := pattern(e, api.PatternValue, api.IIDValuePattern)
		if value == nil {
			return "", false
		}
		defer value.Release()
		text, err := value.Text(api.SlotCurrentValue)
		return strings.ToValidUTF8(text, ""), err == nil
	}
	pattern := pattern(e, api.PatternText, api.IIDTextPattern)
	if pattern == nil {
		return "", false
	}
	defer pattern.Release()
	document, err := pattern.Object(api.SlotTextDocumentRange)
	if err != nil || document == nil {
		return "", false
	}
	defer document.Release()
	return rangeText(document)
}

// rangeText is the text of a range (IUIAutomationTextRange), as much of it as
// anybody reads.
func rangeText(r *com.Object) (string, bool) {
	text, err := r.Text(api.SlotRangeGetText, facts.MaxText)
	return strings.ToValidUTF8(strings.ReplaceAll(text, "\r", "\n"), ""), err == nil
}

// pattern is a control pattern of an element; nil where it has none.
func pattern(o *com.Object, number uintptr, iid *ole.GUID) *com.Object {
	id := com.Escaped[ole.GUID]()
	*id = *iid
	defer runtime.KeepAlive(id)
	p, _ := o.Object(api.SlotGetCurrentPatternAs, number, uintptr(unsafe.Pointer(id)))
	return p
}

// maxRanges is how many selected stretches of one text are read.
const maxRanges = 16

// selectedRanges is the selected text of an element. known tells that the
// element can say it.
func selectedRanges(e *com.Object) (text string, known bool) {
	pattern := pattern(e, api.PatternText, api.IIDTextPattern)
	if pattern == nil {
		return "", false
	}
	defer pattern.Release()
	array, err := pattern.Object(api.SlotTextGetSelection)
	if err != nil {
		return "", false
	}
	ranges, _, err := items(array, maxRanges)
	if err != nil {
		return "", false
	}
	defer com.ReleaseAll(ranges)
	var parts []string
	for _, r := range ranges {
		if part, ok := rangeText(r); ok && part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "\n"), true
}
