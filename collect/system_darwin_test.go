package collect

import (
	"errors"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/facts"
)

// TestLibraries finds every function that is called on this system.
func TestLibraries(t *testing.T) {
	d := newDesktop(Options{})
	if _, err := d.accessibility(); err != nil {
		t.Error(err)
	}
	if _, err := d.appKit(); err != nil {
		t.Error(err)
	}
	if _, err := d.windows(); err != nil {
		t.Error(err)
	}
	if _, err := d.processes(); err != nil {
		t.Error(err)
	}
}

// TestCollectorsAnswer asks every collector once: whatever this machine allows,
// each answers, or says why not in words of its own.
func TestCollectorsAnswer(t *testing.T) {
	needs := facts.Needs{}
	for _, need := range []string{facts.Visual, selectedText, "clipboard.text", "clipboard.hasText", "clipboard.hasImage", "clipboard.files", "extra.file_manager", "extra.browser"} {
		needs.Add(need)
	}
	d := newDesktop(Options{})
	defer d.close()
	for _, c := range d.collectors() {
		request := facts.Request{Needs: needs}
		if !c.CanCollect(t.Context(), nil, request) {
			t.Logf("%s: no desktop", c.Info().ID)
			continue
		}
		began := time.Now()
		part, err := c.Collect(t.Context(), nil, request)
		var known *facts.CollectError
		if err != nil && !errors.As(err, &known) {
			t.Errorf("%s: %v", c.Info().ID, err)
		}
		t.Logf("%s: %v, %v, %v", c.Info().ID, time.Since(began), part.Summary, err)
	}
}
