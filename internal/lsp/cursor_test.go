package lsp

import (
	"fmt"
	"strings"
	"testing"
)

// TestCursor: in texts with a mark where somebody types, the keys around, the key whose
// value it is, what is typed, and all of it.
func TestCursor(t *testing.T) {
	for text, want := range map[string]string{
		"na|":                       "[] na na",
		"|":                         "[]  ",
		"name: x\nwh|en:":           "[] wh when",
		"when:\n  |":                "[when]  ",
		"when:\n  cli|":             "[when] cli cli",
		"when:\n  cli|: x":          "[when] cli cli",
		"when:\n|":                  "[]  ",
		"when:\n  all:\n    - env|": "[when all] item env env",
		"when:\n  all:\n  - env|":   "[when all] item env env",
		"when:\n  all:\n    - |":    "[when all] item  ",
		"when:\n  all:\n    - a.b: {x: 1}\n      c|":     "[when all] c c",
		"when:\n  all:\n    - a.b:\n        eq|":         "[when all a.b] eq eq",
		"when:\n  all:\n    - a.b:\n        eq: 1\n  n|": "[when] n n",
		"when:\n  a: {|}":                                "[when a]  ",
		"when:\n  a: {eq|}":                              "[when a] eq eq",
		"when:\n  a: {equals: li|nux}":                   "[when a] equals= li linux",
		"when:\n  a: {equals: \"li|\"}":                  "[when a] equals= li li",
		"when:\n  a: {not: {eq|: 1}, b: 2}":              "[when a not] eq eq",
		"when:\n  a: {not: {eq: 1}, b|}":                 "[when a] b b",
		"when:\n  a: {in: [x, y|, z]}":                   "[when a in] item y y",
		"when: {\n  a: {\n    e|":                        "[when a] e e",
		"preprocessors: [se|":                            "[preprocessors] item se se",
		"preprocessors:\n- se|":                          "[preprocessors] item se se",
		"preprocessors:\n  - a\n  - |":                   "[preprocessors] item  ",
		"icon: Fi|le # x":                                "[] icon= Fi File",
		"icon: |":                                        "[] icon=  ",
		"icon:|":                                         "[] icon=  ",
		"from: 'skill://a|b'":                            "[] from= skill://a skill://ab",
		"systemPrompt: |\n  a {b|":                       "[] text systemPrompt=   a {b   a {b",
		"systemPrompt: |\n  a\nn|":                       "[] n n",
		"a: \"x: {\"\nb|":                                "[] b b",
		"# c|":                                           "[]  ",
		"\"a b\":\n  c|":                                 "[a b] c c",
		`{"clipboard": {"te|`:                            "[clipboard] te te",
		`{"clipboard": {"text": "x"}, "a|`:               "[] a a",
		"{\n  \"a\": {\n    \"b\": 1\n  },\n  \"c|\"\n}": "[] c c",
		"a: {x: 1} |":                                    "[a]  ",
		"a: [1, 2\nb|":                                   "[a] item b b",
		"a:\r\n  b|\r\nc: 1":                             "[a] b b",
	} {
		offset := strings.Index(text, "|")
		if strings.Count(text, "|") > 1 { // the first is YAML's
			offset = strings.LastIndex(text, "|")
		}
		text := text[:offset] + text[offset+1:]
		c := cursorAt(text, 0, offset)
		got := fmt.Sprint(c.keys) + " "
		if c.item {
			got += "item "
		}
		if c.text {
			got += "text "
		}
		if c.key != "" {
			got += c.key + "= "
		}
		got += c.word + " " + text[c.whole.Start:c.whole.End]
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// FuzzCursor: every offset of every text is one.
func FuzzCursor(f *testing.F) {
	f.Add("when:\n  all:\n    - a.b: {x: [1, 'y']}\n      c: |\n        d\n", 20)
	f.Add("{\"a\": [{\"b\": \"\\\"", 9)
	f.Add("- - a: 'x\n  \t- # y\n\"\": >\n", 9)
	f.Fuzz(func(t *testing.T, text string, offset int) {
		offset = min(max(offset, 0), len(text))
		c := cursorAt(text, 0, offset)
		if c.whole.Start < 0 || c.whole.End < c.whole.Start || c.whole.End > len(text) {
			t.Fatalf("%+v", c)
		}
	})
}
