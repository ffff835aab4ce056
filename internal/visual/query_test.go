package visual_test

import (
	"testing"

	"github.com/pertain-dev/pertain/internal/visual"
)

func parse(t testing.TB, text string) *visual.Query {
	t.Helper()
	q, err := visual.Parse(text, visual.Options{})
	if err != nil {
		t.Fatalf("%s: %d+%d: %s (%s)", text, err.Offset, err.Length, err.Message, err.Hint)
	}
	return q
}
