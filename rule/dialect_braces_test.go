package rule

import (
	"fmt"
	"testing"
)

func TestFirstBraces(t *testing.T) {
	for text, want := range map[string]string{
		"a{bc,de}h":     `1 8 ["bc" "de"]`,
		"{bc,d{e,f},g}": `0 13 ["bc" "d{e,f}" "g"]`,
		`\{a{b,\},c}`:   `3 11 ["b" "\\}" "c"]`,
		"{a":            `0 0 []`,
		"{a{bc,d}":      `2 8 ["bc" "d"]`,
		"a":             `0 0 []`,
		"{}":            `0 2 [""]`,
	} {
		open, end, items := firstBraces(text)
		if got := fmt.Sprintf("%d %d %q", open, end, items); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
