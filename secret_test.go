package pertain_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/discover/strategyfile"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/plan"
	"github.com/pertain-dev/pertain/strategy"
)

const secret = "xyzzy-s3cret"

// secretSnapshot has the secret in every text that a context can hold.
func secretSnapshot(t *testing.T) *facts.Snapshot {
	t.Helper()
	var text strings.Builder
	long := strings.Repeat("a", 100) + secret
	element := fmt.Sprintf(`{"id": %[1]q, "type": "Button", "name": %[1]q, "text": %[1]q, "process": %[1]q, "children": [{"type": "TextEdit", "name": %[1]q, "text": %[2]q}]}`, secret, long)
	fmt.Fprintf(&text, `{
		"attachments": {"files": [{"path": %[1]q, "mimeType": %[1]q, "extension": %[1]q}, {"path": %[1]q}, %[1]q, 5], "selection": {"text": %[2]q}, "text": %[1]q, "visual": {"primary": %[1]q, "items": [%[1]q]}},
		"clipboard": {"text": %[1]q, "hasText": %[1]q, "hasImage": %[1]q, "files": [{"path": %[1]q, "extension": %[1]q}]},
		"assistant": {"id": %[1]q, "name": %[1]q, "model": {"id": %[1]q, "modalities": [%[1]q], "supportsToolCall": %[1]q}},
		"environment": {"os": %[1]q, "architecture": %[1]q, "locale": %[1]q, "timeZone": %[1]q, "currentDate": %[1]q},
		"extra": {
			"file_manager": {"current_folder": {"path": %[1]q, "displayName": %[1]q}, "selection": {"items": [{"path": %[1]q, "displayName": %[1]q, "kind": %[1]q, "extension": %[1]q, "size": %[1]q}]}},
			"browser": {"active_tab": {"url": %[1]q, "title": %[1]q, "domain": %[1]q, "html": %[1]q}},
			"workspace": {"root": %[1]q, "name": %[1]q, "git": {"branch": %[1]q, "hasChanges": %[1]q}}
		},
		"visual": {"roots": [%[3]s]}
	}`, secret, long, element)
	s, err := facts.Decode("context.json", []byte(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// curious are conditions that look at every path with every operator, rightly and wrongly.
func curious() map[string]string {
	out := map[string]string{
		"visual.strategy.md":  when("v", 0, "{all: [{visual.exists: {query: \"//Button[contains(@text,'x')]\"}}, {visual.count: {query: .//TextEdit, min: 9}}, {visual.match: {query: //Button/@name, min: 3, contains: z}}, {visual.match: {query: //TextEdit/@text, regex: '^(?:(a+)+\\1)+$'}}]}"),
		"slow.strategy.md":    "---\nname: slow\nwhen: {attachments.selection.text: {regex: '^(?:(a+)+\\1)+$'}}\noptions: {regexTimeout: 1ms}\n---\n",
		"slower.strategy.md":  "---\nname: slower\nwhen: {any: [{attachments.selection.text: {regex: '^(?:(a+)+\\1)+$'}}, true]}\noptions: {matchingTimeout: 1ms, conditionTimeout: 10s, regexTimeout: 10s}\n---\n",
		"broken.strategy.md":  "---\nname: broken\nwhen: {clipboard.text: 5}\n---\n",
		"unknown.strategy.md": when("u", 0, "{clipboard.txt: {equals: a}}"),
	}
	for i, p := range facts.Paths() {
		key := fmt.Sprintf("%q", p.Name)
		if !strings.Contains(p.Name, ".") {
			continue
		}
		var all []string
		for _, operator := range []string{
			"equals: a", "equals: 5", "in: [a, 5]", "contains: zz", "startsWith: zz", "endsWith: zz", "regex: '(z)\\1'", "glob: 'z*'", "min: 5", "length: {max: 1}", "count: {min: 9}",
			"any: {equals: a}", "all: {length: {max: 1}}", "none: {contains: s3}",
		} {
			if p.Item == facts.Object && (strings.HasPrefix(operator, "a") || strings.HasPrefix(operator, "n")) {
				operator = "any: {path: {equals: a}, extension: {min: 3}}"
			}
			all = append(all, "{"+key+": {"+operator+"}}")
		}
		out[fmt.Sprintf("p%d.strategy.md", i)] = when("p", 0, "{any: ["+strings.Join(all, ", ")+"]}")
	}
	return out
}

// TestNothingLeaks plants a secret in every text of a context and looks for it in everything that is printed without being asked
// for values.
func TestNothingLeaks(t *testing.T) {
	f := newFolder(t, curious())
	options := f.options()
	options.Providers = strategyfile.Providers(files.OS(), strategyfile.Roots{Builtin: true, User: []string{f.dir}})
	options.Preprocessors = plan.Preprocessors()
	engine := open(t, options)
	s := secretSnapshot(t)
	check := func(what string, v any) {
		t.Helper()
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if i := bytes.Index(data, []byte("s3cret")); i >= 0 {
			t.Errorf("%s tells the secret: …%s", what, data[max(0, i-200):min(len(data), i+50)])
		}
		if bytes.Contains(data, []byte("aaaaaaaaaa")) {
			t.Errorf("%s tells a text of the context", what)
		}
	}
	codes := map[diag.Code]bool{}
	for range 2 { // without and with the index
		for _, all := range []bool{false, true} {
			m := match(t, engine, s, all)
			check("match", m)
			for _, d := range m.Diagnostics {
				codes[d.Code] = true
			}
		}
	}
	for _, want := range []diag.Code{diag.ConditionTypeMismatch, diag.ConditionPathMissing, diag.RegexTimeout, diag.StrategyTimeout} {
		if !codes[want] {
			t.Errorf("nothing led to %s, so the test proves little", want)
		}
	}
	leaks := 0
	for _, st := range engine.Catalog().Strategies() {
		x, ok := engine.Explain(st.ID, s, pertain.ExplainOptions{})
		if !ok {
			t.Fatalf("%s is not explained", st.ID)
		}
		check("explain "+st.ID, x)
		check("the reasons of "+st.ID, x.Reasons())
		var text strings.Builder
		if err := diag.Text(&text, x.Diagnostics, diag.TextOptions{}); err != nil {
			t.Fatal(err)
		}
		check("the diagnostics of "+st.ID, text.String())
		x, _ = engine.Explain(st.ID, s, pertain.ExplainOptions{Values: true})
		if data, err := json.Marshal(x); err == nil && bytes.Contains(data, []byte(secret)) {
			leaks++
		}
	}
	if leaks == 0 {
		t.Error("with values, there are none")
	}
	for _, query := range []string{"//Button/@name", "//Button[matches(@text,'^(?:(a+)+\\1)+$')]", ".//TextEdit/@text", "//Buton"} {
		_, list := pertain.Query(s, query, pertain.QueryOptions{})
		check("query "+query, list)
	}
}

// TestLintTellsNothingOfOtherFiles proves that a broken source shows the position of its mistake and not what stands there.
func TestLintTellsNothingOfOtherFiles(t *testing.T) {
	f := newFolder(t, map[string]string{
		"a.strategy.md": "---\nname: a\nfrom: ./notes.md\n---\n", "notes.md": "---\nname: \"" + secret + "\n" + secret + ": [\n---\n" + secret + "\n",
		"b.strategy.md": "---\nname: b\nfrom: ./binary.md\n---\n", "binary.md": secret + "\xff" + secret,
	})
	n := &strategy.Normalizer{Resolvers: f.options().Resolvers}
	for _, name := range []string{"a.strategy.md", "b.strategy.md"} {
		data, err := files.OS().ReadFile(f.path(name), 0)
		if err != nil {
			t.Fatal(err)
		}
		s := n.Normalize(context.Background(), f.path(name), data, strategy.Origin{Provider: "user", Path: name, Trusted: true})
		if len(s.Diagnostics) == 0 {
			t.Errorf("%s: nothing is said", name)
		}
		out, err := json.Marshal(s.Diagnostics)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(out, []byte(secret)) {
			t.Errorf("%s tells what the source holds: %s", name, out)
		}
	}
}
