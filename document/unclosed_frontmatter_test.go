package document_test

import (
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
)

func TestUnclosed(t *testing.T) {
	for text, want := range map[string]string{
		"---\nname: a\ndescription: About it\n\nBody: x\n":       "name=a description=About it",
		"---\nname: a\ndescription: >\n  About\n  it\n# Title\n": "name=a description=About it\n",
		"---\nname: a\ndescription: *.ts files: all\nText.\n":    "name=a description=*.ts files: all",
		"\n---\r\nname: a\r\ntags:\r\n- x\r\n":                   "name=a tags=",
		"---\nname: a":                                           "name=a",
		"---\n\nname: a\n":                                       "",
		"---\nSome text.\n":                                      "",
		"---\n":                                                  "",
		"name: a\n":                                              "",
		"":                                                       "",
	} {
		got := ""
		if node := document.Unclosed(diag.NewSource("x", text)); node != nil {
			for i, e := range node.Entries {
				if i > 0 {
					got += " "
				}
				got += e.Key.Text + "=" + e.Value.Text
			}
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
