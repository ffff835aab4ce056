package cli

import (
	"testing"

	"github.com/pertain-dev/pertain/cond"
)

func TestOperatorWords(t *testing.T) {
	for label, want := range map[string]string{
		"length min 20, max 20000": "is 20 to 20,000 characters",
		"length min 1":             "has at least 1 character",
		"length max 1234567":       "has at most 1,234,567 characters",
		"length equals 3":          "has exactly 3 characters",
		"count min 2":              "has at least 2 items",
		"count min 0.5":            "has at least 0.5 items",
		`contains "a b"`:           `contains "a b"`,
		`in ["a", "b"]`:            `is one of ["a", "b"]`,
		"max 4":                    "is at most 4",
		"unheard of":               "unheard of",
	} {
		if got := operatorWords(&cond.Trace{Kind: "operator", Label: label}); got != want {
			t.Errorf("%s: got %q, want %q", label, got, want)
		}
	}
}
