package collect

import (
	"context"

	"github.com/pertain-dev/pertain/collect/internal/clipboard"
	"github.com/pertain-dev/pertain/collect/internal/wayland"
	"github.com/pertain-dev/pertain/collect/internal/x11"
	"github.com/pertain-dev/pertain/facts"
)

// clipboardReader reads what the user has copied (docs/reference/paths.md).
type clipboardReader struct {
	*desktop
	id      string
	wayland bool
}

func (c clipboardReader) Info() facts.CollectorInfo {
	return facts.CollectorInfo{ID: c.id, Serves: []string{"clipboard"}}
}

func (c clipboardReader) CanCollect(context.Context, *facts.Snapshot, facts.Request) bool {
	if c.wayland {
		return c.desktop.wayland()
	}
	return x11.IsLocal(c.options.Env("DISPLAY"))
}

func (c clipboardReader) Collect(ctx context.Context, _ *facts.Snapshot, request facts.Request) (facts.Part, error) {
	if err := c.allowed(ctx); err != nil {
		return facts.Part{}, err
	}
	source, err := c.source(ctx, c.wayland)
	if err != nil {
		return facts.Part{}, err
	}
	defer source.Close()
	return clipboard.Read(ctx, source, request.Needs.Names())
}

// allowed refuses to read what was perhaps copied in a window that must not be
// read, as far as can be known: while it is in front.
func (d *desktop) allowed(ctx context.Context) error {
	if !d.private().Asked() {
		return nil
	}
	if d.private().Broken {
		return d.private().Refuses("")
	}
	_, err := d.front(ctx)
	return d.refusesClipboard(err)
}

// source opens the way to the selections.
func (d *desktop) source(ctx context.Context, compositor bool) (clipboard.Source, error) {
	if compositor {
		control, err := wayland.Open(ctx, d.waylandSocket())
		if err != nil {
			return nil, err
		}
		return control, nil
	}
	e, err := d.exchange(ctx)
	if err != nil {
		return nil, x11.Unreachable(err)
	}
	return e, nil
}
