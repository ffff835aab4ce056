package cond_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/facts"
)

func languageSnapshot() *facts.Snapshot {
	return empty().With("clipboard.text", facts.Text("Fix the TODO in main.go")).With("environment.os", facts.Text("linux")).
		With("attachments.files", facts.List(file("path", "/w/a.md", "extension", ".md"), file("path", "/w/b.pdf", "extension", ".pdf"), file("path", "/w/c.md"))).
		With("assistant.model.modalities", facts.Texts("text", "image")).With("clipboard.files", facts.List()).
		With("activeProcess", facts.Fields(facts.Field{Name: "name", Value: facts.Text("code")}, facts.Field{Name: "id", Value: facts.Num(4711)}))
}

// TestLanguage is what was added to the first version of the language: not, containsAny, containsAll, indexes, joined and nested paths.
func TestLanguage(t *testing.T) {
	for when, want := range map[string]string{
		// not
		"{not: true}": "false",
		"{not: {clipboard.text: {contains: todo}}}":                                                                "false",
		"{not: {clipboard.text: {contains: nope}}}":                                                                "true",
		"{not: {attachments.text: {contains: nope}}}":                                                              "null",
		"{not: {not: {environment.os: {equals: linux}}}}":                                                          "true",
		"{not: {environment.os: {equals: linux}, clipboard.text: {contains: nope}}}":                               "true",
		"{clipboard.text: {not: {contains: todo}}}":                                                                "false",
		"{clipboard.text: {not: {contains: todo, startsWith: nope}}}":                                              "true",
		"{clipboard.text: {not: {contains: todo}, length: {min: 1}}}":                                              "false",
		"{clipboard.text: {not: {not: {contains: todo}}}}":                                                         "true",
		"{attachments.text: {not: {contains: x}}}":                                                                 "null",
		"{clipboard.text: {not: {min: 1}}}":                                                                        "true", // what cannot be applied is false
		"{clipboard.text: {not: {contains: fix, caseSensitive: true}}}":                                            "true",
		"{clipboard.text: {not: {contains: fix}, caseSensitive: true}}":                                            "true",
		"{clipboard.text: {caseSensitive: true, not: {contains: fix, caseSensitive: false}}}":                      "false",
		"{attachments.files: {any: {not: {extension: {equals: .md}}}}}":                                            "true",
		"{attachments.files: {all: {not: {extension: {equals: .exe}}}}}":                                           "null", // one has no extension
		"{attachments.files: {all: {not: {path: {endsWith: .exe}}}}}":                                              "true",
		"{attachments.files: {any: {not: {extension: {equals: .pdf}, path: {contains: b}}, path: {contains: b}}}}": "false",
		"{attachments.files: {any: {extension: {not: {equals: .md}}}}}":                                            "true",
		"{attachments.files: {not: {any: {extension: {equals: .pdf}}}}}":                                           "false",
		"{attachments.files: {none: {not: {path: {startsWith: /w}}}}}":                                             "true",
		"{assistant.model.modalities: {any: {not: {equals: text}}}}":                                               "true",
		"{assistant.model.modalities: {all: {not: {equals: audio}}}}":                                              "true",
		// containsAny, containsAll
		"{clipboard.text: {containsAny: [nope, todo]}}":                      "true",
		"{clipboard.text: {containsAny: [nope, no]}}":                        "false",
		"{clipboard.text: {containsAny: []}}":                                "false",
		"{clipboard.text: {containsAll: [todo, MAIN]}}":                      "true",
		"{clipboard.text: {containsAll: [todo, MAIN], caseSensitive: true}}": "false",
		"{clipboard.text: {containsAll: [todo, nope]}}":                      "false",
		"{clipboard.text: {containsAll: []}}":                                "true",
		"{clipboard.text: {containsAny: [5, todo]}}":                         "true",
		"{clipboard.text: {containsAll: [5, todo]}}":                         "false",
		"{assistant.model.modalities: {containsAny: [audio, IMAGE]}}":        "true",
		"{assistant.model.modalities: {containsAny: [imag]}}":                "false",
		"{assistant.model.modalities: {containsAll: [text, image]}}":         "true",
		"{assistant.model.modalities: {containsAll: [text, audio]}}":         "false",
		"{\"attachments.files[].extension\": {containsAll: [.md, .pdf]}}":    "true",
		"{clipboard.files: {containsAny: [x]}}":                              "false",
		"{clipboard.files: {containsAll: [x]}}":                              "false",
		"{clipboard.files: {containsAll: []}}":                               "true",
		"{clipboard.files: {containsAny: []}}":                               "false",
		"{attachments.text: {containsAny: []}}":                              "null",
		"{activeProcess.id: {containsAll: []}}":                              "false",
		// indexes and ranges
		"{\"attachments.files[0].extension\": {equals: .md}}":                  "true",
		"{\"attachments.files[^1].path\": {endsWith: c.md}}":                   "true",
		"{\"attachments.files[-1].path\": {endsWith: c.md}}":                   "true",
		"{\"attachments.files[-2].path\": {endsWith: b.pdf}}":                  "true",
		"{\"attachments.files[3].path\": {contains: a}}":                       "null",
		"{\"attachments.files[^0].path\": {contains: a}}":                      "null",
		"{\"attachments.files[^4].path\": {contains: a}}":                      "null",
		"{\"attachments.files[2].extension\": {contains: a}}":                  "null",
		"{\"attachments.files[0]\": {extension: {equals: .md}}}":               "true",
		"{\"attachments.files[1..]\": {count: {equals: 2}}}":                   "true",
		"{\"attachments.files[..2]\": {count: {equals: 2}}}":                   "true",
		"{\"attachments.files[..]\": {count: {equals: 3}}}":                    "true",
		"{\"attachments.files[0..9]\": {count: {equals: 3}}}":                  "true",
		"{\"attachments.files[-2..^1]\": {count: {equals: 1}}}":                "true",
		"{\"attachments.files[-9..1]\": {count: {equals: 1}}}":                 "true",
		"{\"attachments.files[5..9]\": {count: {equals: 0}}}":                  "true",
		"{\"attachments.files[2..1]\": {count: {equals: 0}}}":                  "true",
		"{\"attachments.files[1..2]\": {any: {extension: {equals: .md}}}}":     "false",
		"{\"attachments.files[1..2]\": {any: {extension: {equals: .pdf}}}}":    "true",
		"{\"attachments.files[5..9]\": {none: {extension: {equals: .pdf}}}}":   "true",
		"{\"attachments.files[0..2].path\": {contains: /w/b.pdf}}":             "true",
		"{\"attachments.files[].path[1]\": {equals: /w/b.pdf}}":                "true",
		"{\"attachments.files[].extension[^1]\": {equals: .pdf}}":              "true", // the last has none
		"{\"assistant.model.modalities[0]\": {equals: TEXT}}":                  "true",
		"{\"assistant.model.modalities[1..]\": {all: {equals: image}}}":        "true",
		"{\"extra.file_manager.selection.items[0].path\": {contains: a}}":      "null",
		"{\"extra.file_manager.selection.items[0..2]\": {count: {equals: 0}}}": "null", // nothing is known of the array
		"{\"clipboard.text[0]\": {equals: F}}":                                 "null",
		"{\"attachments.files[99999999999999999999].path\": {equals: x}}":      "null",
		// keys
		"{attachments.files.any.path.glob: '*.md'}":                                                           "true",
		"{attachments.files.all.path.glob: '*.md'}":                                                           "false",
		"{environment.os.not.equals: linux}":                                                                  "false",
		"{environment.os.not.in: [windows, macos]}":                                                           "true",
		"{environment: {os: {equals: linux}}}":                                                                "true",
		"{environment: {os.equals: linux}}":                                                                   "true",
		"{environment: {os: {equals: linux}, architecture: {equals: x}}}":                                     "null",
		"{attachments: {files: {any: {path: {glob: '*.md'}}}}}":                                               "true",
		"{clipboard.text.length.min: 1, clipboard.text.length.max: 5}":                                        "false",
		"{clipboard.text.contains: todo, clipboard.text.caseSensitive: true}":                                 "false",
		"{clipboard.text.contains: todo, clipboard: {text: {contains: todo}}}":                                "true",
		"{attachments.files.any.extension.equals: .pdf, attachments.files.any.path.contains: a.md}":           "false", // of one item
		"{attachments.files.any.extension.equals: .pdf, attachments: {files: {any: {path.contains: b.pdf}}}}": "true",
		"{\"attachments.files[-1].path.contains\": c, \"attachments.files[^1].path\": {endsWith: .md}}":       "true",
		"{\"attachments.files[0].extension.equals\": .md}":                                                    "true",
		"{\"attachments.files[0..2].any.extension.equals\": .pdf}":                                            "true",
		"{assistant.model.modalities.any.equals: text}":                                                       "true",
		"{assistant: {model.modalities: {contains: text}}}":                                                   "true",
		"{attachments.files.count.min: 3}":                                                                    "true",
		"{attachments.files.count: {min: 4}}":                                                                 "false",
		"{attachments.files.any.not.extension.equals: .md}":                                                   "true",
		"{extra: {browser.active_tab: {url: {startsWith: http}}}}":                                            "null",
		"{extra: {mail: {inbox: {count: {min: 1}}}}}":                                                         "null",
		"{visual: {exists: {query: //Button}}}":                                                               "null",
		"{visual.count.query: //Button, visual.count.min: 1}":                                                 "null",
		// the program in front
		"{activeProcess.name: {equals: CODE}}":    "true",
		"{activeProcess: {name.in: [code, vim]}}": "true",
		"{activeProcess.id: {equals: 4711}}":      "true",
		"{activeProcess.path: {contains: x}}":     "null",
	} {
		expr, program, list := compile(t, when)
		if list.HasErrors() {
			t.Errorf("%s: %v", when, list)
			continue
		}
		_ = expr
		snapshot := languageSnapshot()
		got := program.Eval(cond.NewEvaluation(snapshot), cond.Limits{}, &diag.List{})
		var said diag.List
		explained, _ := program.Explain(cond.NewEvaluation(snapshot), cond.Limits{}, &said, false)
		if got.String() != want || explained != got {
			t.Errorf("%s: %s, explained %s, want %s", when, got, explained, want)
		}
	}
}

// TestPlainForm proves that every writing of a condition is explained as the plain one.
func TestPlainForm(t *testing.T) {
	plain := "{attachments.files: {any: {path: {glob: '*.md'}, extension: {not: {equals: .pdf}}}}, environment.os: {not: {equals: windows}}}"
	_, trace, _ := decide(t, plain, languageSnapshot())
	want := withoutLines(draw(trace, ""))
	for _, when := range []string{
		"{attachments.files.any.path.glob: '*.md', attachments.files.any.extension.not.equals: .pdf, environment.os.not.equals: windows}",
		"{attachments: {files: {any: {path.glob: '*.md', extension.not: {equals: .pdf}}}}, environment: {os: {not.equals: windows}}}",
		"{attachments.files: {any.path.glob: '*.md', any.extension.not.equals: .pdf}, environment: {os.not.equals: windows}}",
		"{attachments.files.any: {path: {glob: '*.md'}}, environment.os.not: {equals: windows}, attachments: {files.any.extension.not.equals: .pdf}}",
	} {
		_, trace, list := decide(t, when, languageSnapshot())
		if diff := cmp.Diff(want, withoutLines(draw(trace, ""))); diff != "" {
			t.Errorf("%s: %s\n%v", when, diff, list)
		}
	}
}

func withoutLines(drawn string) string { return strings.ReplaceAll(drawn, " @1", "") }

// TestTraceOfNot shows negations, at each of their three places, with a value and without.
func TestTraceOfNot(t *testing.T) {
	_, trace, list := decide(t, `
  not:
    clipboard.text: { not: { contains: todo } }
    attachments.text: { not: { contains: a, not: { length: { min: 1 } } } }
    attachments.files: { any: { not: { extension: { equals: .md } } } }
    "attachments.files[7].path": { containsAny: [a, b] }
`, languageSnapshot())
	want := `true not: not @2
  false all: all @3
    false path: clipboard.text @3
      false operator: not @3
        true operator: contains "todo" @3
    null path: attachments.text (not in the context) @4
      null operator: not (there is no value) @4
        null operator: contains "a" (there is no value) @4
        null operator: not (there is no value) @4
          null operator: length min 1 (there is no value) @4
    true path: attachments.files @5
      true operator: any @5
        false item: item 1
          false not: not @5
            true path: extension @5
              true operator: equals ".md" @5
        true item: item 2
          true not: not @5
            false path: extension @5
              false operator: equals ".md" @5
        null item: item 3
          null not: not @5
            null path: extension (the item has no value here) @5
              null operator: equals ".md" (there is no value) @5
    null path: attachments.files[7].path (the array has no such item) @6
      null operator: containsAny ["a", "b"] (there is no value) @6
`
	if diff := cmp.Diff(want, draw(trace, "")); diff != "" {
		t.Error(diff)
	}
	var codes []string
	for _, d := range list {
		codes = append(codes, string(d.Code)+" "+d.Path)
	}
	if diff := cmp.Diff([]string{"condition.path_missing attachments.text", "condition.path_missing extension", "condition.path_missing attachments.files[7].path"}, codes); diff != "" {
		t.Error(diff)
	}
}

// TestJoinedKeysHaveALimit: a key of many words is as deep as nested maps, which have one.
func TestJoinedKeysHaveALimit(t *testing.T) {
	for _, when := range []string{
		"{clipboard.text" + strings.Repeat(".not", 20_000) + ".contains: a}",
		"{clipboard.text: {not" + strings.Repeat(".not", 20_000) + ".contains: a}}",
		"{attachments.files" + strings.Repeat(".any.path", 3_000) + ".contains: a}",
	} {
		node, _ := document.ParseYAML(diag.NewSource("when", when))
		_, list := cond.Parse(node)
		if len(list) == 0 || !strings.Contains(list[0].Message, "joins more than 32 words") {
			t.Errorf("%.40s…: %v", when, list)
		}
	}
}

// TestMergedKeysStandWhereTheyStand: a word of a key that was merged into another's is told at
// its own place, however often the key was taken apart.
func TestMergedKeysStandWhereTheyStand(t *testing.T) {
	node, _ := document.ParseYAML(diag.NewSource("when", "attachments.files.any.path.glob: '*.md'\nattachments.files.any.mimeType.equals: b\n"))
	expr, list := cond.Parse(node)
	if len(list) > 0 {
		t.Fatal(list)
	}
	program, _ := cond.Compile(expr)
	_, trace := program.Explain(cond.NewEvaluation(languageSnapshot()), cond.Limits{}, new(diag.List), false)
	seen := 0
	var walk func(tr *cond.Trace)
	walk = func(tr *cond.Trace) {
		if tr.Label == "mimeType" || tr.Label == `equals "b"` {
			seen++
			if line := tr.Source.Position(tr.Span.Start).Line; line != 2 {
				t.Errorf("%s is told on line %d", tr.Label, line)
			}
		}
		for _, child := range tr.Children {
			walk(child)
		}
	}
	walk(trace)
	if seen == 0 {
		t.Error("nothing was seen")
	}
}
