package plan_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/plan"
	"github.com/pertain-dev/pertain/strategy"
)

// TestManyUnknownPlaceholders: of placeholders that nothing fills, no more are looked for than anybody is shown.
func TestManyUnknownPlaceholders(t *testing.T) {
	var body strings.Builder
	for i := range 3 * diag.MaxPerFile {
		fmt.Fprintf(&body, "{clipboard.tx%d}", i)
	}
	s := new(strategy.Normalizer).Normalize(t.Context(), "/w/s.strategy.md", []byte("---\nname: S\n---\n"+body.String()), strategy.Origin{Provider: "user"})
	if n := len(plan.Check(s, nil)); n != diag.MaxPerFile+1 {
		t.Errorf("%d are told", n)
	}
}
