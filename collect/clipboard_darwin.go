package collect

import (
	"context"

	"github.com/pertain-dev/pertain/facts"
)

// clipboardReader reads what the user has copied (docs/reference/paths.md).
type clipboardReader struct{ *desktop }

func (clipboardReader) Info() facts.CollectorInfo {
	return facts.CollectorInfo{ID: "macos.clipboard", Serves: []string{"clipboard"}}
}

func (c clipboardReader) Collect(ctx context.Context, _ *facts.Snapshot, request facts.Request) (facts.Part, error) {
	if c.private().Asked() {
		_, err := c.checked(ctx)
		if err := c.refusesClipboard(err); err != nil {
			return facts.Part{}, err
		}
	}
	k, err := c.appKit()
	if err != nil {
		return facts.Part{}, errSystem(err)
	}
	c.pasting.Lock()
	defer c.pasting.Unlock()
	return k.ReadPasteboard(request.Needs.Names())
}

// pasteChanges counts what was ever copied.
func (d *desktop) pasteChanges() int {
	k, err := d.appKit()
	if err != nil {
		return 0
	}
	d.pasting.Lock()
	defer d.pasting.Unlock()
	return k.PasteChanges()
}
