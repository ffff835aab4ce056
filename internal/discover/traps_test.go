package discover_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// TestTraps has one Cursor file for each trap that real files hold: what is read
// from it, its text, and the warnings with their positions.
func TestTraps(t *testing.T) {
	tests := []struct {
		name string
		file string
		want string // fields in JSON
		body string // of the rule; "Body." if empty
		warn []string
	}{
		// Causes of YAML failures.
		{
			"value begins with a star", "---\ndescription: d\nglobs: *.ts\nalwaysApply: true\n---\nBody.",
			`{"a":true,"b":"always","d":"d","g":["*.ts"]}`, "",
			[]string{"rule.invalid_yaml [3,8]"},
		},
		{
			"value begins with two stars", "---\nglobs: **/*.ts\n---\nBody.",
			`{"b":"none","g":["**/*.ts"]}`, "",
			[]string{"rule.invalid_yaml [2,8]"},
		},
		{
			"colon in plain text", "---\ndescription: Use this: it is good\nalwaysApply: false\n---\nBody.",
			`{"b":"rulebook","d":"Use this: it is good"}`, "",
			[]string{"rule.invalid_yaml [2,14]"},
		},
		{
			"text after a closing quote", "---\ndescription: \"quoted\" and more\nglobs: a.ts\n---\nBody.",
			`{"b":"rulebook","d":"\"quoted\" and more","g":["a.ts"]}`, "",
			[]string{"rule.invalid_yaml [2,14]"},
		},
		{
			"mangled escapes", "---\ndescription: \"C:\\Users\\q\"\nglobs: a.ts\n---\nBody.",
			`{"b":"rulebook","d":"C:\\Users\\q","g":["a.ts"]}`, "",
			[]string{"rule.invalid_yaml [2,14]"},
		},
		{
			"closer with text after it", "---\ndescription: d\n---# Title\n\nBody.",
			`{"b":"rulebook","d":"d"}`, "# Title\n\nBody.",
			[]string{"rule.invalid_yaml [3,1]"},
		},
		{
			"closer of three dots", "---\ndescription: d\n...\nBody.",
			`{"b":"rulebook","d":"d"}`, "",
			[]string{"rule.invalid_yaml [3,1]"},
		},
		{
			"value begins with a backtick", "---\ndescription: `code` first\n---\nBody.",
			"{\"b\":\"rulebook\",\"d\":\"`code` first\"}", "",
			[]string{"rule.invalid_yaml [2,14]"},
		},
		{
			"value begins with an at sign", "---\ndescription: @team style\n---\nBody.",
			`{"b":"rulebook","d":"@team style"}`, "",
			[]string{"rule.invalid_yaml [2,14]"},
		},
		{
			"two values at once", "---\ndescription: a: b\nglobs: *.ts\n---\nBody.",
			`{"b":"rulebook","d":"a: b","g":["*.ts"]}`, "",
			[]string{"rule.invalid_yaml [2,14]", "rule.invalid_yaml [3,8]"},
		},
		{
			"beyond repair: line by line", "---\ndescription: d\nnonsense\nalwaysApply: true\nglobs: a: b\n---\nBody.",
			`{"a":true,"b":"always","d":"d","g":["a: b"]}`, "",
			[]string{"rule.invalid_yaml [4,1]"},
		},
		// Shapes of globs.
		{"one pattern", "---\nglobs: src/*.ts\n---\nBody.", `{"b":"none","g":["src/*.ts"]}`, "", nil},
		{"empty globs", "---\ndescription: d\nglobs:\n---\nBody.", `{"b":"rulebook","d":"d"}`, "", nil},
		{"null globs", "---\ndescription: d\nglobs: null\n---\nBody.", `{"b":"rulebook","d":"d"}`, "", nil},
		{"commas at the top", "---\nglobs: a.ts, b.ts,c.ts,\n---\nBody.", `{"b":"none","g":["a.ts","b.ts","c.ts"]}`, "", nil},
		{"list", "---\nglobs:\n  - a.ts\n  - b.ts\n---\nBody.", `{"b":"none","g":["a.ts","b.ts"]}`, "", nil},
		{"list with stars", "---\nglobs:\n  - *.ts\n  - **/*.go\n---\nBody.", `{"b":"none","g":["*.ts","**/*.go"]}`, "", []string{"rule.invalid_yaml [3,5]", "rule.invalid_yaml [4,5]"}},
		{"list in brackets with stars", "---\nglobs: [*.ts, **/*.go]\n---\nBody.", `{"b":"none","g":["*.ts","**/*.go"]}`, "", []string{"rule.invalid_yaml [2,9]", "rule.invalid_yaml [2,15]"}},
		{"commas in braces only", "---\nglobs: src/*.{ts,tsx}\n---\nBody.", `{"b":"none","g":["src/*.{ts,tsx}"]}`, "", nil},
		{"commas in both", "---\nglobs: \"*.{ts,tsx},[a,b].go\"\n---\nBody.", `{"b":"none","g":["*.{ts,tsx}","[a,b].go"]}`, "", nil},
		{"quotes inside", "---\nglobs: \"a.ts\", \"b.ts\"\n---\nBody.", `{"b":"none","g":["a.ts","b.ts"]}`, "", []string{"rule.invalid_yaml [2,8]"}},
		{"braces that YAML takes for a map", "---\nglobs: {src,lib}/**\n---\nBody.", `{"b":"none","g":["{src,lib}/**"]}`, "", []string{"rule.invalid_yaml [2,8]"}},
		{"comment after the value", "---\nglobs: *.ts # all\n---\nBody.", `{"b":"none","g":["*.ts"]}`, "", []string{"rule.invalid_yaml [2,8]"}},
		{"value over two lines", "---\nglobs: *.ts,\n  *.go\nalwaysApply: true\n---\nBody.", `{"a":true,"b":"always","g":["*.ts","*.go"]}`, "", []string{"rule.invalid_yaml [2,8]"}},
		// Traps.
		{
			"frontmatter twice", "---\ndescription:\nglobs: a.ts\n---\n\n---\ndescription: second\nglobs: b.ts\nalwaysApply: true\n---\nBody.",
			`{"a":true,"b":"always","d":"second","g":["a.ts"]}`, "",
			[]string{"rule.invalid_yaml [6,1]"},
		},
		{
			"never closed", "---\ndescription: d\n\nBody.",
			`{"b":"none"}`, "---\ndescription: d\n\nBody.",
			[]string{"rule.invalid_yaml [1,1]"},
		},
		{"CRLF", "---\r\ndescription: d\r\nglobs: *.ts\r\n---\r\nBody.\r\n", `{"b":"rulebook","d":"d","g":["*.ts"]}`, "", []string{"rule.invalid_yaml [3,8]"}},
		{"byte order mark", "\uFEFF---\ndescription: d\n---\nBody.", `{"b":"rulebook","d":"d"}`, "", nil},
		{
			"duplicate keys", "---\ndescription: one\ndescription: two\n---\nBody.",
			`{"b":"rulebook","d":"two"}`, "",
			[]string{"rule.invalid_yaml [3,1]"},
		},
		{"glob for globs", "---\nglob: a.ts\n---\nBody.", `{"b":"none"}`, "", []string{"rule.wrong_key [2,1]"}},
		{
			"blank lines first", "\n\n---\ndescription: d\n---\nBody.",
			`{"b":"rulebook","d":"d"}`, "",
			[]string{"rule.invalid_yaml [1,1]"},
		},
		{"prose between two rules", "---\nJust prose here.\n---\nBody.", `{"b":"none"}`, "---\nJust prose here.\n---\nBody.", []string{"rule.invalid_yaml [1,1]"}},
		{"no frontmatter", "# Title\n\n---\n\nBody.", `{"b":"none"}`, "# Title\n\n---\n\nBody.", nil},
		{"empty frontmatter", "---\n---\nBody.", `{"b":"none"}`, "", nil},
		{"quoted flag", "---\nalwaysApply: 'true'\n---\nBody.", `{"a":true,"b":"always"}`, "", []string{"rule.invalid_field [2,14]"}},
		{"UTF-16", "\xff\xfe-\x00-\x00-\x00\n\x00a\x00:\x00 \x001\x00\n\x00-\x00-\x00-\x00\n\x00B\x00o\x00d\x00y\x00.\x00", `{"b":"none"}`, "", nil},
		{"invalid UTF-8", "---\ndescription: d\n---\nBody\xff.", `{"b":"rulebook","d":"d"}`, "Body\uFFFD.", []string{"rule.invalid_yaml [4,5]"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(files.Unix, map[string]string{"/w/.cursor/rules/x.mdc": test.file})
			set := w.load(t, w.roots("/w"))
			r := only(t, set)
			if got := wireOf(t, r); got != test.want {
				t.Errorf("fields\n got %s\nwant %s", got, test.want)
			}
			body := test.body
			if body == "" {
				body = "Body."
			}
			if r.Content != body {
				t.Errorf("body %q, want %q", r.Content, body)
			}
			if diff := cmp.Diff(test.warn, codes(set.Warnings())); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
			for _, d := range set.Warnings() {
				if d.Hint == "" {
					t.Errorf("no remedy: %s", d.Message)
				}
			}
		})
	}
}

// TestTrapsOfFolders are the traps that are not inside one file.
func TestTrapsOfFolders(t *testing.T) {
	long := "# Long\n" + strings.Repeat("One line of a very long rule, and another.\n", 7200) // some 300 KB
	w := newWorld(files.Unix, map[string]string{
		"/w/.cursor/rules/README.md": "# About these rules",
		"/w/.cursor/rules/long.mdc":  long,
		"/w/.cursor/rules/real.mdc":  "---\ndescription: d\n---\nBody.",
		"/w/.cursor/rules/empty.mdc": "---\ndescription: d\n---\n \n\t\n",
		"/w/.cursor/rules/nul.mdc":   "Body\x00.",
	})
	w.tree.MakeLink("real.mdc", "/w/.cursor/rules/alias.mdc")
	w.tree.MakeLink("loop.mdc", "/w/.cursor/rules/loop.mdc")
	w.tree.MakeLink("..", "/w/.cursor/rules/up")
	w.tree.MakeSpecial("/w/.cursor/rules/pipe.mdc")
	set := w.load(t, w.roots("/w"))
	want := []string{"cursor:README", "cursor:alias", "cursor:long", "cursor:nul", "cursor:real"}
	if diff := cmp.Diff(want, names(set.All())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if r, err := set.Open("long"); err != nil || len(r.Content) < 299_000 {
		t.Errorf("the long rule: %v", err)
	}
	if diff := cmp.Diff([]string{"rule.empty", "rule.empty", "rule.invalid_yaml [1,5]", "rule.empty"}, codes(set.Warnings())); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
	readme, _ := set.Open("README")
	if list := rule.Check(readme); len(list) != 1 || list[0].Code != "rule.unreachable" {
		t.Errorf("lint of a README: %v", codes(list))
	}
}
