package connect

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tailscale/hujson"
)

// settingsWith is a settings file of a project, nearly as large as one may be, with some of its calls.
func settingsWith(t *testing.T, calls string) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(`{"hooks":{"PreToolUse":[` + calls + `{}]},"mcpServers":{"a":{}`)
	for i := 0; b.Len() < 250<<10; i++ {
		fmt.Fprintf(&b, `,"p%d":{"command":"pertain","args":["mcp"]}`, i)
	}
	return b.String() + "}}"
}

// reads is how often a text could have been read for what was allocated.
func reads(t *testing.T, text string, work func()) float64 {
	t.Helper()
	once := testing.AllocsPerRun(1, func() {
		if _, err := parseJSON(text, true); err != nil {
			t.Fatal(err)
		}
	})
	return testing.AllocsPerRun(1, work) / once
}

// TestReads: a settings file is read once for each entry that is put into it, and not for each that is looked at or taken out; once more
// for what it is in the end. What is allocated counts how often it is read.
func TestReads(t *testing.T) {
	stale := strings.Repeat(`{"hooks":[{"type":"command","command":"/x/pertain hook claude --old"}]},`, maxOwn)
	distinct := ""
	for i := range 1000 {
		distinct += fmt.Sprintf(`{"command":"/x%d/pertain hook claude"},`, i)
	}
	foreign := strings.Repeat(`{"type":"command","command":"x hook claude","timeout":10},`, 1000)
	for name, c := range map[string]struct {
		calls                string
		undo                 bool
		most, setup, inspect float64
	}{
		"no calls":                 {"", false, 6, 7, 2},
		"stale":                    {stale, false, 7, 8, 2},
		"taken out":                {stale, true, 2, 4, 2},
		"those of others":          {foreign, false, 6, 7, 2},
		"of many programs, looked": {distinct, true, 2, 4, 2},
	} {
		text := settingsWith(t, c.calls)
		caller := Caller{Agent: "claude", Program: "pertain"}
		hooks := claude().connections[0]
		edited := reads(t, text, func() {
			if c.undo {
				_, _, _ = hooks.edit.without(text, caller, nil)
			} else if got, _, err := hooks.edit.with(text, caller); err != nil || strings.Contains(got, "--old") {
				t.Fatalf("%s: %v", name, err)
			}
		})
		root := t.TempDir()
		path := filepath.Join(root, ".claude", "settings.json")
		if err := os.Mkdir(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		s := Setup{Root: root, Dir: root, Level: Project, DryRun: true, Undo: c.undo, Program: "/opt/pertain"}
		ran := reads(t, text, func() { s.Run(t.Context(), []Agent{claude()}) })
		inspected := reads(t, text, func() { s.Inspect(claude()) })
		if edited > c.most || ran > c.setup || inspected > c.inspect {
			t.Errorf("%s: read %.1f times for the text, %.1f for setup, %.1f to be inspected", name, edited, ran, inspected)
		}
	}
}

// TestCommentedCall: a call of ours is no other for a comment in it or before it, and stays.
func TestCommentedCall(t *testing.T) {
	hooks := claude().connections[0].edit
	caller := Caller{Agent: "claude", Program: "pertain"}
	whole, _, err := hooks.with("", caller)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		strings.ReplaceAll(whole, `"type"`, `/* ours */ "type"`),
		strings.ReplaceAll(whole, `{`+"\n"+`            "type"`, "// ours\n{\n"+`            "type"`),
	} {
		if got, splices, err := hooks.with(text, caller); text == whole || err != nil || len(splices) > 0 || got != text {
			t.Errorf("%v: %s\nof %s", err, got, text)
		}
	}
}

// TestSame: values are the same whatever their layout is, and not where only their texts are.
func TestSame(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{`{"a":1,"b":[true,null]}`, `{ "b" : [ true, null ], /* c */ "a": 1 }`, true},
		{`"a\u0062"`, `"ab"`, true},
		{`1`, `1.0`, true},
		{`1`, `"1"`, false},
		{`null`, `"null"`, false},
		{`[1,2]`, `[2,1]`, false},
		{`[1]`, `[1,2]`, false},
		{`[1]`, `1`, false},
		{`{"a":1}`, `{"b":1}`, false},
		{`{"a":1}`, `{"a":1,"b":1}`, false},
		{`{"a":1}`, `[1]`, false},
		{`{}`, `[]`, false},
	} {
		a, err := hujson.Parse([]byte(c.a))
		if err != nil {
			t.Fatal(err)
		}
		b, err := hujson.Parse([]byte(c.b))
		if err != nil {
			t.Fatal(err)
		}
		if same(a, b) != c.want || same(b, a) != c.want {
			t.Errorf("%s, %s: not %t", c.a, c.b, c.want)
		}
	}
}
