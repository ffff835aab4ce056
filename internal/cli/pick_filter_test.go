package cli

import (
	"slices"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/strategy"
)

// TestSized: a terminal that says that it is larger than any takes neither gigabytes nor the time for a signal.
func TestSized(t *testing.T) {
	for size, want := range map[tea.WindowSizeMsg]tea.WindowSizeMsg{
		{Width: 80, Height: 24}:       {Width: 80, Height: 24},
		{Width: 65535, Height: 65535}: {Width: maxColumns, Height: maxRows},
		{}:                            {},
	} {
		if got := sized(nil, size); got != want {
			t.Errorf("%v: %v", size, got)
		}
	}
	if got := sized(nil, "else"); got != "else" {
		t.Error(got)
	}
}

func TestFuzzyFilter(t *testing.T) {
	var items []pickItem
	for _, s := range []strategy.Strategy{
		{Name: "Explain this error", ID: "builtin.explain-error"},
		{Name: "Translate", ID: "builtin.translate-selection", Description: "the selected text, into the language of this computer"},
		{Name: "Summarize files", ID: "user.sum", Description: "Éclair and more"},
		{Name: "Rewrite politely", ID: "user.writing.polite"},
	} {
		items = append(items, pickItem{Candidate: pertain.Candidate{Strategy: &s}})
	}
	for filter, want := range map[string][]int{
		"":                 {0, 1, 2, 3},
		"trans":            {1},
		"exp":              {0},
		"computer":         {1},
		"TRANS":            {1},
		"err":              {0, 3},
		"ete":              {0, 3},
		"éclair":           {2},
		"user":             {2, 3},
		"sum fil":          {2},
		"polite re":        {3},
		"zzz":              nil,
		"explain zzz":      nil,
		"   ":              {0, 1, 2, 3},
		"rp":               {3},
		"explainthiserror": {0},
	} {
		if got := filtered(items, filter); !slices.Equal(got, want) {
			t.Errorf("%q: want %v, got %v", filter, want, got)
		}
	}
	near, _ := fuzzy("sel", "selection")
	far, _ := fuzzy("sel", "a summary of people")
	if near <= far {
		t.Errorf("letters side by side count more: %d, %d", near, far)
	}
}
