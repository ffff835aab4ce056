package jsonscan_test

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/jsonscan"
)

func TestTooDeep(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "{}": false, strings.Repeat("[", 500): false, strings.Repeat("[", 501): true, strings.Repeat("[]", 5000): false,
		strings.Repeat(`{"a":`, 1_000_000): true,
	} {
		if got := jsonscan.TooDeep(text); got != want {
			t.Errorf("%.20s… of %d bytes: %t", text, len(text), got)
		}
	}
}
