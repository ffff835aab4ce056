package document_test

import (
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
)

// TestMissed: frontmatter that only its author takes for it is told; Markdown that looks
// like it is not.
func TestMissed(t *testing.T) {
	for text, want := range map[string]bool{
		"———\ndescription: d\n———\nText.":                         true,
		"--\nglobs: '*.ts'\n--\nText.":                            true,
		"+++\nglobs = '*.ts'\n+++\nText.":                         true,
		"--- yaml\ndescription: d\n---\nText.":                    true,
		"```yaml\ndescription: d\n```\nText.":                     true,
		"```\n---\npaths: x\n---\n```\nText.":                     true,
		"globs: '*.ts'\nalwaysApply: false\n---\nText.":           true,
		"# Rule\n\n---\ndescription: d\n---\nText.":               true,
		"<!-- made by\na program -->\n---\napplyTo: x\n---\nText": true,
		"---\nauthor: me\nglobs： '*.ts'\n---\nText.":              true,

		"---\u2028paths: x\u2028---\u2028Text.":       true,
		"---\u0085paths: x\u0085---\u0085Text.":       true,
		"paths: \"**/*.py\"\n\nText.":                 true,
		"description: d\nglobs:\n  - '*.ts'\n\nText.": true,
		"\nalwaysApply: true\r\n\r\nText.":            true,

		"paths: these are the ways.\nAnd so it goes on.\n\nText.": false,
		"paths: \"**/*.py\"\n\n":                                  false,
		"":                                                        false,
		"Text.":                                                   false,
		"# Rule\n\nText.\n":                                       false,
		"---\n\nText.\n\n---":                                     false,
		"---\nauthor: me\n---":                                    false,
		"***\n\nText: with a colon.\n\n***\n":                     false,
		"# How to write rules\n\n```yaml\n---\ndescription: d\n---\n```\n":               false,
		"Write this:\n\n---\ndescription: d\n---\n":                                      false,
		"description: this is how the text begins.\n\nAnd it goes on without any fence.": false,
		"<!-- never closed\n---\nglobs: x\n---\n":                                        false,
		"```ts\nconst description: string = ''\n```\n":                                   false,
	} {
		list := document.Missed(diag.NewSource("a.md", text))
		if got := len(list) == 1; got != want || len(list) > 1 {
			t.Errorf("%q: %v", text, list)
		}
	}
}
