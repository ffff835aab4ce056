package document_test

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/document"
)

func TestFirstHeading(t *testing.T) {
	for text, want := range map[string]string{
		"":                                        "",
		"text\n\n# One\n\n# Two\n":                "One",
		"#no\n# Yes #\n":                          "Yes",
		"# C#\n":                                  "C#",
		"#\n##  ##\n### Three\n":                  "Three",
		"####### no\n   ## yes":                   "yes",
		"    # code\n\n# Yes":                     "Yes",
		"```sh\n# no\n```\n# Yes":                 "Yes",
		"````\n```\n# no\n````\n# Yes":            "Yes",
		"~~~\n# no":                               "",
		"<!-- # no -->\n# Yes":                    "Yes",
		"<!--\n# no\n\nNo\n==\n-->\n# Yes":        "Yes",
		"<!-- a\n# no\nb --> # no\n# Yes":         "Yes",
		"<pre>\n# no\n\n# no\n</pre>\n# Yes":      "Yes",
		"Title\n=====\n\n# Later\n":               "Title",
		"Title\n---\n":                            "Title",
		"Two\nlines\n==\n":                        "Two lines",
		"---\n\nText.\n\n---\n\n# Yes\n":          "Yes",
		"- item\n---\n# Yes\n":                    "Yes",
		"> quote\n---\n# Yes\n":                   "Yes",
		"1. item\n   more\n---\n# Yes":            "Yes",
		"a | b\n--- | ---\n# Yes":                 "Yes",
		"| a |\n| --- |\n# Yes":                   "Yes",
		"Title\r\n=====\r\n":                      "Title",
		"===\n# Yes":                              "Yes",
		"# \tTabs\t\n":                            "Tabs",
		strings.Repeat("<!--", 10_000) + "\n# no": "",
	} {
		if got := document.FirstHeading(text); got != want {
			t.Errorf("%.40q: %q, want %q", text, got, want)
		}
	}
}
