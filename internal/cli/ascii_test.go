package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// TestSignsHaveASCII: every sign that the program has in a text of its own has a form for terminals without it.
func TestSignsHaveASCII(t *testing.T) {
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") || name == "ascii.go" || name == "pick_view.go" { // the picker draws icons only where they can be shown
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			literal, ok := n.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(literal.Value)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range text {
				if r <= unicode.MaxASCII || unicode.IsLetter(r) || !unicode.IsPrint(r) {
					continue
				}
				seen++
				if plain := asciiSigns.Replace(string(r)); plain == string(r) {
					t.Errorf("%q has no form in ASCII, in %q", r, text)
				}
			}
			return true
		})
	}
	if seen == 0 {
		t.Error("no sign was found")
	}
}
