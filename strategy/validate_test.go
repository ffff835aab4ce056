package strategy_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/plan"
	"github.com/pertain-dev/pertain/strategy"
)

// user is the origin of a file in the user's folder.
func user(path string) strategy.Origin {
	return strategy.Origin{Provider: "user", Path: path, Trusted: true}
}

// normalize reads one file of the user without resolvers.
func normalize(text string) *strategy.Strategy {
	n := &strategy.Normalizer{Preprocessors: plan.Preprocessors()}
	return n.Normalize(context.Background(), "/s/x.strategy.md", []byte(text), user("x.strategy.md"))
}

// short writes diagnostics as SEVERITY CODE LINE:COLUMN, one a line.
func short(list diag.List) string {
	var b strings.Builder
	for _, d := range list {
		position := ""
		if p, ok := d.Position(); ok {
			position = fmt.Sprintf(" %d:%d", p.Line, p.Column)
		}
		fmt.Fprintf(&b, "%s %s%s\n", d.Severity, d.Code, position)
	}
	return b.String()
}

// TestValidation has every check of a strategy file with its code and position. A row is the frontmatter; its first line is line 2
// of the file.
func TestValidation(t *testing.T) {
	tests := []struct {
		name, front string
		want        string // of one diagnostic, or of several with line breaks
		says        string // part of the first one's sentence
	}{
		{"clean", "name: x", "", ""},
		{"everything", "schema: everywhere.strategy/v1\nid: user.a\nenabled: false\nname: x\ndescription: d\nicon: FileText\npriority: -3\nwhen: true\ntools: {a.*: true}\npreprocessors: [selected-text]\nsystemPrompt: s\noptions: {regexTimeout: 1.5s}", "", ""},

		{"schema of another version", "schema: everywhere.strategy/v2\nname: x", "error strategy.unsupported_schema 2:9", "write `everywhere.strategy/v1`"},
		{"schema is no string", "schema: 1\nname: x", "error strategy.invalid_field 2:9", "`schema` must be a string, not a number"},
		{"schema is no string, and there is more", "schema: 1\nid: a b\nname: x", "error strategy.invalid_field 2:9\nerror strategy.invalid_id 3:5", ""},
		{"unknown field written twice", "name: x\nbogus: 1\nbogus: 2", "error strategy.invalid_yaml 4:1\nwarning strategy.unknown_field 4:1", ""},
		{"unsupported schema says nothing else", "schema: v9\nwhen: 3", "error strategy.unsupported_schema 2:9", ""},

		{"id with a blank", "id: a b\nname: x", "error strategy.invalid_id 2:5", "such as `user.a-b`"},
		{"id with an empty segment", "id: a..b\nname: x", "error strategy.invalid_id 2:5", ""},
		{"id ends with a dot", "id: a.\nname: x", "error strategy.invalid_id 2:5", ""},
		{"empty id", "id: \"\"\nname: x", "error strategy.invalid_id 2:5", ""},
		{"id is no string", "id: 5\nname: x", "error strategy.invalid_field 2:5", "put it in quotes"},
		{"builtin id", "id: builtin.foo\nname: x", "error strategy.reserved_id 2:5", "write `user.foo`"},
		{"builtin id in capitals", "id: BUILTIN.foo\nname: x", "error strategy.reserved_id 2:5", ""},
		{"builtin alone", "id: builtin\nname: x", "error strategy.reserved_id 2:5", ""},
		{"workspace id", "id: workspace.foo\nname: x", "error strategy.reserved_id 2:5", ""},
		{"plugin id", "id: plugin.a.foo\nname: x", "error strategy.reserved_id 2:5", ""},
		{"app id", "id: app.foo\nname: x", "error strategy.reserved_id 2:5", ""},

		{"no name", "id: user.x", "error strategy.missing_name 1:1", "add `name"},
		{"empty frontmatter", "", "error strategy.missing_name 1:1", ""},
		{"blank name", "name: \" \"", "error strategy.missing_name 2:7", ""},
		{"name is a number", "name: 5", "error strategy.invalid_field 2:7", "put the text in quotes"},
		{"name is a list", "name: [x]", "error strategy.invalid_field 2:7", "write one text"},

		{"enabled is a word", "name: x\nenabled: yes", "error strategy.invalid_field 3:10", "without quotes"},
		{"enabled is quoted", "name: x\nenabled: \"true\"", "error strategy.invalid_field 3:10", ""},
		{"enabled is a number", "name: x\nenabled: 1", "error strategy.invalid_field 3:10", ""},
		{"priority is a word", "name: x\npriority: high", "error strategy.invalid_field 3:11", "a whole number"},
		{"priority is a fraction", "name: x\npriority: 1.5", "error strategy.invalid_field 3:11", "without quotes or a fraction"},
		{"priority is quoted", "name: x\npriority: \"1\"", "error strategy.invalid_field 3:11", ""},
		{"priority is too large", "name: x\npriority: 99999999999", "error strategy.invalid_field 3:11", "too large"},
		{"priority past 64 bits", "name: x\npriority: 99999999999999999999999", "error strategy.invalid_field 3:11", "too large"},
		{"description is a map", "name: x\ndescription: {a: b}", "error strategy.invalid_field 3:14", ""},
		{"icon is a number", "name: x\nicon: 3", "error strategy.invalid_field 3:7", ""},
		{"unknown icon", "name: x\nicon: FileTxet", "warning strategy.unknown_icon 3:7", "did you mean `FileText`?"},
		{"systemPrompt is a boolean", "name: x\nsystemPrompt: true", "error strategy.invalid_field 3:15", ""},

		{"tools is a list", "name: x\ntools: [a]", "error strategy.invalid_tools 3:8", "must be a map, not a list"},
		{"tools is a word", "name: x\ntools: all", "error strategy.invalid_tools 3:8", ""},
		{"a tool is a word", "name: x\ntools:\n  a.b: allow", "error strategy.invalid_tools 4:8", "write `a.b: true`"},
		{"a tool is quoted", "name: x\ntools:\n  a.b: \"true\"", "error strategy.invalid_tools 4:8", ""},
		{"a tool has no value", "name: x\ntools:\n  a.b:", "error strategy.invalid_tools 4:3", ""},
		{"tools are nested", "name: x\ntools:\n  builtin:\n    web: true", "error strategy.invalid_tools 5:5", "write `builtin.web: true`"},
		{"a tool is an empty pattern", "name: x\ntools: {\"\": true}", "error strategy.invalid_tools 3:9", ""},
		{"a tool is no glob", "name: x\ntools: {\"a[b\": true}", "error strategy.invalid_tools 3:11", "not a glob"},
		{"every wrong tool is told", "name: x\ntools:\n  a: 1\n  b: true\n  c: 2", "error strategy.invalid_tools 4:6\nerror strategy.invalid_tools 6:6", ""},

		{"preprocessors is a word", "name: x\npreprocessors: selected-text", "error strategy.invalid_field 3:16", "write `preprocessors: [selected-text]`"},
		{"a preprocessor is a number", "name: x\npreprocessors: [1]", "error strategy.invalid_field 3:17", ""},
		{"unknown preprocessor", "name: x\npreprocessors:\n  - selected-text\n  - selected-txt", "error strategy.unknown_preprocessor 5:5", "did you mean `selected-text`?"},
		{"unknown preprocessor far from all", "name: x\npreprocessors: [zzz]", "error strategy.unknown_preprocessor 3:17", "the preprocessors are selected-text,"},

		{"options is a word", "name: x\noptions: fast", "error strategy.invalid_field 3:10", ""},
		{"unknown option", "name: x\noptions: {regexTimout: 1s}", "warning strategy.unknown_field 3:11", "did you mean `regexTimeout`?"},
		{"duration without a unit", "name: x\noptions:\n  matchingTimeout: 300", "error strategy.invalid_duration 4:20", "no unit"},
		{"duration in minutes", "name: x\noptions:\n  matchingTimeout: 5 minutes", "error strategy.invalid_duration 4:20", ""},
		{"negative duration", "name: x\noptions:\n  regexTimeout: -1ms", "error strategy.invalid_duration 4:17", ""},
		{"no duration at all", "name: x\noptions:\n  regexTimeout: 0ms", "error strategy.invalid_duration 4:17", ""},
		{"duration is a list", "name: x\noptions:\n  regexTimeout: [1ms]", "error strategy.invalid_duration 4:17", ""},
		{"duration is null", "name: x\noptions:\n  regexTimeout:", "error strategy.invalid_duration 4:3", ""},
		{"blank in a duration", "name: x\noptions: {extraTimeout: 1 s}", "error strategy.invalid_duration 3:25", ""},

		{"unknown field", "name: x\nprioritty: 5", "warning strategy.unknown_field 3:1", "did you mean `priority`?"},
		{"body is no field", "name: x\nbody: text", "warning strategy.unknown_field 3:1", "below the frontmatter"},
		{"requires is no field", "name: x\nrequires: [a]", "warning strategy.unknown_field 3:1", "follows from `when`"},
		{"fields are read with their case", "Name: x", "warning strategy.unknown_field 2:1\nerror strategy.missing_name 1:1", "did you mean `name`?"},

		{"when has a wrong structure", "name: x\nwhen: [true]", "error strategy.invalid_when 3:7", "put the list under `all:`"},
		{"when has an unknown operator", "name: x\nwhen:\n  clipboard.text:\n    contians: a", "error strategy.unknown_operator 5:5", "did you mean `contains`?"},
		{"when has an unknown root", "name: x\nwhen:\n  clipbord.text: {contains: a}", "error strategy.invalid_when 4:3", "did you mean `clipboard.text`?"},
		{"when has an unknown path", "name: x\nwhen:\n  clipboard.txt: {contains: a}", "warning condition.unknown_path 4:3", "did you mean `clipboard.text`?"},
		{"when has a wrong regex", "name: x\nwhen:\n  clipboard.text: {regex: \"ab(\"}", "error regex.invalid 4:30", ""},
		{"when has a wrong glob", "name: x\nwhen:\n  clipboard.text: {glob: \"a[\"}", "error strategy.invalid_when 4:28", ""},
		{"when has a wrong query", "name: x\nwhen:\n  visual.exists: {query: \"//Buton\"}", "error visual.query_invalid 4:29", "did you mean `Button`?"},
		{"when has an unknown visual condition", "name: x\nwhen:\n  visual.exist: {query: \"//Button\"}", "error strategy.unknown_operator 4:3", "did you mean `visual.exists`?"},

		{"invalid YAML", "name: x\nwhen: {all: [", "error strategy.invalid_yaml 4:1", ""},
		{"duplicate field", "name: x\nname: y", "error strategy.invalid_yaml 3:1", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := normalize("---\n" + tt.front + "\n---\nbody\n")
			want := tt.want
			if want != "" {
				want += "\n"
			}
			if diff := cmp.Diff(want, short(s.Diagnostics)); diff != "" {
				t.Errorf("%s\n%v", diff, s.Diagnostics)
			}
			if s.Valid != !strings.Contains(tt.want, "error") {
				t.Errorf("valid = %v", s.Valid)
			}
			if tt.says != "" && (len(s.Diagnostics) == 0 || !strings.Contains(s.Diagnostics[0].Sentence(), tt.says)) {
				t.Errorf("it does not say %q: %v", tt.says, s.Diagnostics)
			}
			for _, d := range s.Diagnostics {
				if d.Strategy == "" || d.Message == "" {
					t.Errorf("a diagnostic without strategy or message: %v", d)
				}
			}
		})
	}
}

// TestExplicitNull: null means none where the default is null, elsewhere it is a mistake.
func TestExplicitNull(t *testing.T) {
	for _, field := range []string{"from", "description", "icon", "tools", "systemPrompt"} {
		for _, null := range []string{"", " null", " ~"} {
			if s := normalize("---\nname: x\n" + field + ":" + null + "\n---\n"); len(s.Diagnostics) > 0 {
				t.Errorf("%s:%s is said to be wrong: %v", field, null, s.Diagnostics)
			}
		}
	}
	for _, field := range []string{"schema", "id", "enabled", "priority", "when", "preprocessors", "options"} {
		s := normalize("---\nname: x\n" + field + ":\n---\n")
		if got, want := short(s.Diagnostics), "error strategy.invalid_field 3:1\n"; got != want {
			t.Errorf("%s: null: %q, want %q", field, got, want)
		}
	}
	if got, want := short(normalize("---\nname: null\n---\n").Diagnostics), "error strategy.invalid_field 2:1\n"; got != want {
		t.Errorf("name: null: %q, want %q", got, want)
	}
}

// TestEightMistakes is the issue's: all of a file in one run, each at its position.
func TestEightMistakes(t *testing.T) {
	s := normalize(`---
schema: everywhere.strategy/v1
id: my strategy
name: "Eight mistakes"
icon: FielText
priority: high
colour: red
when:
  all:
    - clipboard.text: hello
    - visual.exists: { query: "//Button[3]" }
    - attachments.files: { any: { extension: { regex: "(" } } }
tools:
  builtin.web.*: "no"
preprocessors: [selektion]
options:
  regexTimeout: 5 minutes
---
`)
	want := `error strategy.invalid_id 3:5
warning strategy.unknown_icon 5:7
error strategy.invalid_field 6:11
warning strategy.unknown_field 7:1
error strategy.invalid_when 10:23
error visual.query_invalid 11:41
error regex.invalid 12:56
error strategy.invalid_tools 14:18
error strategy.unknown_preprocessor 15:17
error strategy.invalid_duration 17:17
`
	list := append(diag.List(nil), s.Diagnostics...)
	list.Sort()
	if diff := cmp.Diff(want, short(list)); diff != "" {
		t.Error(diff)
	}
}

func TestEncodingsAndFrontmatter(t *testing.T) {
	for text, want := range map[string]string{
		"no frontmatter":                "error strategy.missing_frontmatter 1:1\n",
		"\n---\nname: x\n---\n":         "error strategy.missing_frontmatter 1:1\n",
		"---\nname: x\n":                "error strategy.invalid_yaml 1:1\n",
		"---\nname: \xff\n---\n":        "error strategy.invalid_encoding 2:7\n",
		"---\nname: x\n---\n\x00":       "error strategy.invalid_encoding 4:1\n",
		"\uFEFF---\r\nname: x\r\n---":   "",
		"\xff\xfe-\x00-\x00-\x00":       "error strategy.invalid_yaml 1:1\n",
		"---\nname: x\n---\nbody \xff.": "error strategy.invalid_encoding 4:6\n",
	} {
		s := normalize(text)
		if got := short(s.Diagnostics); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		if s.ID != "user.x" {
			t.Errorf("%q: even a file that cannot be read has an id to be listed by, not %q", text, s.ID)
		}
	}
}
