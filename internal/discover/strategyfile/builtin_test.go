package strategyfile_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/pertain-dev/pertain/internal/discover/strategyfile"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/plan"
	"github.com/pertain-dev/pertain/strategy"
)

// TestBuiltinStrategiesAreValid is where a mistake in a strategy of the program itself shows: nobody else can mend it.
func TestBuiltinStrategiesAreValid(t *testing.T) {
	provider := strategyfile.Providers(files.NewMemory(files.Unix), strategyfile.Roots{Builtin: true})[0]
	entries, err := provider.List(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) < 12 {
		t.Errorf("%d builtin strategies, want a dozen", len(entries))
	}
	n := &strategy.Normalizer{Preprocessors: plan.Preprocessors()}
	ids := map[string]bool{}
	for _, e := range entries {
		data, err := provider.Read(context.Background(), e)
		if err != nil {
			t.Fatal(err)
		}
		s := n.Normalize(context.Background(), e.Name, data, e.Origin)
		if len(s.Diagnostics) > 0 {
			t.Errorf("%s: %v", e.Name, s.Diagnostics)
		}
		if ids[strategy.Key(s.ID)] {
			t.Errorf("%s: the id %s is taken", e.Name, s.ID)
		}
		ids[strategy.Key(s.ID)] = true
		if s.Description == "" || s.Icon == "" || s.Body == "" || !bytes.Contains(data, []byte("\nwhen:")) {
			t.Errorf("%s lacks a description, an icon, a body or a condition", e.Name)
		}
		if found, ok := provider.Find(e.Name); !ok || found != e {
			t.Errorf("%s is not found by its name", e.Name)
		}
	}
	if _, ok := provider.Find("builtin/nothing.strategy.md"); ok {
		t.Error("something that is not there is found")
	}
	if provider.ID() != "builtin" || provider.Roots() != nil {
		t.Errorf("%s %v", provider.ID(), provider.Roots())
	}
}

// TestBuiltinIsTrusted: what is in the program itself is.
func TestBuiltinIsTrusted(t *testing.T) {
	for _, p := range strategyfile.Providers(nil, strategyfile.Roots{Builtin: true}) {
		entries, err := p.List(t.Context())
		if err != nil || len(entries) == 0 {
			t.Fatal(entries, err)
		}
		for _, e := range entries {
			found, ok := p.Find(e.Name)
			if !e.Origin.Trusted || e.Origin.Provider != "builtin" || !ok || found != e {
				t.Errorf("%+v", e)
			}
		}
		if _, ok := p.Find("other/" + entries[0].Origin.Path); ok {
			t.Error("found elsewhere")
		}
	}
}
