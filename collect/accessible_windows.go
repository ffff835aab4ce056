package collect

import (
	"context"

	"github.com/pertain-dev/pertain/collect/internal/browser"
	"github.com/pertain-dev/pertain/collect/internal/privacy"
	"github.com/pertain-dev/pertain/collect/internal/process"
	"github.com/pertain-dev/pertain/collect/internal/uia"
)

// accessible finds a window in UI Automation. Windows keeps programs apart that have
// different rights: of a window of an administrator's program there would be the
// frame, and nothing in it.
func (d *desktop) accessible(ctx context.Context, w window) (uia.Window, error) {
	if process.Higher(w.pid) {
		return uia.Window{}, uia.NotAllowed()
	}
	a, err := d.uia.Open(ctx)
	if err != nil {
		return uia.Window{}, uia.Unanswered(ctx, err)
	}
	s := a.Window(uia.Target{Handle: w.handle, Title: w.title, PID: w.pid, Process: w.process})
	if err := d.guardName(ctx, w, s); err != nil {
		return uia.Window{}, err
	}
	return s, nil
}

// guardName refuses a window of Chromium that says only by its accessible name
// that it is a private one.
func (d *desktop) guardName(ctx context.Context, w window, s uia.Window) error {
	p := d.private()
	if !p.Asked() || !browser.IsChromiumProgram(w.process) {
		return nil
	}
	name, err := s.Name(ctx)
	if err != nil {
		return uia.Unanswered(ctx, err)
	}
	if err := p.Refuses(name, w.process, w.class); err != nil {
		return err
	}
	if !p.NoDefaults && browser.Bracketed(name, w.title) {
		return privacy.ErrUsual
	}
	return nil
}

// tellsPrivacy refuses a window that says by its accessible name that it is a
// private one, or does not say its name.
func (d *desktop) tellsPrivacy(ctx context.Context, w window) error {
	_, err := d.accessible(ctx, w)
	return err
}
