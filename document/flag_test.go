package document_test

import (
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
)

func TestFlagHint(t *testing.T) {
	for text, want := range map[string]string{
		"a: no":      "`no` is a text in today's YAML; write `false` without quotes",
		"a: On":      "`On` is a text in today's YAML; write `true` without quotes",
		"a: perhaps": "write true or false without quotes",
		"a: 3":       "write true or false without quotes",
	} {
		root, problems := document.ParseYAML(diag.NewSource("x", text))
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		if got := document.FlagHint(root.Get("a")); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
}
