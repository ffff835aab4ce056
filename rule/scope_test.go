package rule_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/goldentest"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/stream"
)

// TestScopes: what is wrong with a scope is told when the rule is read, with its
// position and a remedy, and is what the watcher finds wrong.
func TestScopes(t *testing.T) {
	for _, test := range []struct{ scope, want string }{
		{"text", ""},
		{"[text, thinking, tool, tool:Write, 'tool:Write(*.ts)']", ""},
		{"[]", ""},
		{"' tool '", ""},
		{"bogus", "there is no such scope: `bogus`; the rule never fires | a scope is text"},
		{"all", "there is no such scope: `all`; the rule never fires | a scope is text"},
		{"Text", "there is no such scope: `Text`; the rule never fires | did you mean `text`?"},
		{"tool, text", ""},
		{"tool:edit(*.{ts,tsx}), tool:write(*.ts)", ""},
		{"'tool: edit'", ""},
		{"'tool:edit (*.ts)'", ""},
		{"'tool:*'", ""},
		{"'tool:*(*.ts)'", ""},
		{"'tool:edit(!*.ts)'", ""},
		{"text, bogus", "there is no such scope: `bogus`; it watches nothing | a scope is text"},
		{"tool:edit()", "there is no glob in the parentheses: `tool:edit()`; the rule never fires | write `tool:edit` for all files, or name them: `tool:edit(*.ts)`"},
		{"tool:edit( )", "there is no glob in the parentheses: `tool:edit( )`; the rule never fires | write `tool:edit` for all files"},
		{"'tool:edit*'", "no tool has such a name: `tool:edit*`; the rule never fires | write an entry for each tool"},
		{"'tool:{edit,write}(*.ts)'", "no tool has such a name: `tool:{edit,write}(*.ts)`; the rule never fires | write an entry for each tool"},
		{"'tool:edit write'", "no tool has such a name: `tool:edit write`; the rule never fires | write an entry for each tool"},
		{"'edit(*.ts)'", ""},
		{"edit, Write(*.go), apply_patch, deploy(*.tf), text", ""},
		{"editt", "there is no such scope: `editt`; the rule never fires | a scope is text"},
		{"'edit(*.ts'", "the scope of a tool is not complete: `edit(*.ts`; the rule never fires | write tool:NAME(glob)"},
		{"'edit()'", "there is no glob in the parentheses: `edit()`; the rule never fires | write `edit` for all files"},
		{"'a b(*.ts)'", "there is no such scope: `a b(*.ts)`; the rule never fires | a scope is text"},
		{"'tool:(*.ts)'", "the scope of a tool is not complete: `tool:(*.ts)`; the rule never fires | name the tool before the parenthesis; `tool:*(*.ts)` is any tool"},
		{"'tool:edit(*.ts) x'", "the scope of a tool is not complete: `tool:edit(*.ts) x`; the rule never fires | write tool:NAME(glob)"},
		{"toolcall", "there is no such scope: `toolcall`; the rule never fires | did you mean `tool`?"},
		{"[text, bogus]", "there is no such scope: `bogus`; it watches nothing | a scope is text"},
		{"'tool:'", "there is no such scope: `tool:`; the rule never fires | did you mean `tool`?"},
		{"'tool:Write('", "the scope of a tool is not complete: `tool:Write(`; the rule never fires | write tool:NAME(glob), with the parenthesis closed"},
		{"'tool:Write([a)'", "`[` is not closed: `tool:Write([a)`; the rule never fires | add `]`"},
		{"3", "`scope` must hold strings, not a number; this one is left out | put it in quotes"},
	} {
		source := diag.NewSource("/w/a.md", "---\nttsr_trigger: foo\nscope: "+test.scope+"\n---\nBody")
		r, list := rule.Read(source, rule.Origin{Name: "a", Provider: "p"}, native)
		got := ""
		for _, d := range list {
			got += d.Message + " | " + d.Hint
			if p, ok := d.Position(); !ok || p.Line != 3 || d.Code != diag.RuleInvalidField || d.Provider != "p" {
				t.Errorf("%s: %+v", test.scope, d)
			}
		}
		if !strings.HasPrefix(got, test.want) || (test.want == "") != (got == "") {
			t.Errorf("%s:\n got %s\nwant %s", test.scope, got, test.want)
		}
		_, problems := stream.Compile([]stream.Trigger{{Scope: r.Scope}}, stream.Options{})
		if len(problems) != len(r.ScopeProblems()) {
			t.Errorf("%s: the watcher finds %v", test.scope, problems)
		}
	}
	r, list := rule.Read(diag.NewSource("/w/a.md", "---\nscope: bogus\n---\nBody"), rule.Origin{Name: "a"}, native)
	if len(list) > 0 || r.ScopeProblems() != nil {
		t.Errorf("without a trigger: %v", list)
	}
}

// TestReadScope: commas outside of parentheses and braces are between entries, and
// blanks around names mean nothing.
func TestReadScope(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{" , ,", ""},
		{"text", "text@0"},
		{"tool:edit(*.ts), tool:edit(*.tsx), tool:write(*.ts)", "tool:edit(*.ts)@0 tool:edit(*.tsx)@17 tool:write(*.ts)@35"},
		{"tool:edit(*.{ts,tsx}), text", "tool:edit(*.{ts,tsx})@0 text@23"},
		{"tool:edit(*.ts, src/**),thinking", "tool:edit(*.ts,src/**)@0 thinking@24"},
		{" tool : edit ( *.ts ) ,text ", "tool:edit(*.ts)@1 text@23"},
		{"tool:*", "tool@0"},
		{"tool: * (*.ts)", "tool:*(*.ts)@0"},
		{"tool(*.ts)", "tool:*(*.ts)@0"},
		{"tool:edit(!*.test.ts,*.ts)", "tool:edit(!*.test.ts,*.ts)@0"},
		{"tool:edit((a)/*.ts)", "tool:edit((a)/*.ts)@0"},
		{`tool:edit(a\)b)`, `tool:edit(a\)b)@0`},
		{"tool:edit(*.ts, tool:edit(*.tsx)", "-tool:edit(*.ts@0 tool:edit(*.tsx)@16"},
		{"tool:edit(*.ts)), text", "-tool:edit(*.ts))@0 text@18"},
		{"tools", "-tools@0"},
		{"toolcall(*.ts)", "-toolcall(*.ts)@0"},
		{"tool:edit(\n*.ts,\n*.tsx\n)", "tool:edit(*.ts,*.tsx)@0"},
	} {
		var got []string
		for _, e := range rule.ReadScope(test.text) {
			s := fmt.Sprintf("%s@%d", e, e.Offset)
			if e.Message != "" {
				s = "-" + s
			}
			got = append(got, s)
			if !strings.HasPrefix(test.text[e.Offset:], e.Text) || e.At > len(e.Text) {
				t.Errorf("%q: %+v", test.text, e)
			}
			if again := rule.ReadScope(e.String()); len(again) != 1 || again[0].String() != e.String() {
				t.Errorf("%q: %s is read as %v", test.text, e, again)
			}
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%q: %q, want %q", test.text, got, test.want)
		}
	}
}

// TestScopeSpans: each wrong entry is shown where it stands, also one of several in a
// string, and one that is there twice.
func TestScopeSpans(t *testing.T) {
	for _, test := range []struct{ scope, want string }{
		{`"tool:edit(*.ts), bogus, text"`, "bogus"},
		{`[text, "tool, bogus", other]`, "bogus,other"},
		{"[text, bogus, bogus]", "bogus,bogus"},
		{"\n  - text\n  - 'tool:edit( ), tool'", "tool:edit( )"},
	} {
		text := "---\nttsr_trigger: foo\nscope: " + test.scope + "\n---\nBody"
		_, list := rule.Read(diag.NewSource("/w/a.md", text), rule.Origin{Name: "a", Provider: "p"}, native)
		var got []string
		last := 0
		for _, d := range list {
			got = append(got, text[d.Span.Start:d.Span.End])
			if d.Span.Start <= last {
				t.Errorf("%s: %v is not behind %d", test.scope, d.Span, last)
			}
			last = d.Span.Start
		}
		if strings.Join(got, ",") != test.want {
			t.Errorf("%s: %q, want %q", test.scope, got, test.want)
		}
	}
}

// TestScopeGolden: scopes, and what each entry of them is.
func TestScopeGolden(t *testing.T) {
	goldentest.Run(t, "testdata/scopes.golden", *update, func(_ *testing.T, c goldentest.Case) string {
		var b strings.Builder
		for line := range strings.SplitSeq(c.Text, "\n") {
			fmt.Fprintf(&b, "%s\n", line)
			for _, e := range rule.ReadScope(line) {
				fmt.Fprintf(&b, "  %d %q = %s: %s %q %q", e.Offset, e.Text, e, e.Kind, e.Tool, e.Globs)
				if e.Message != "" {
					fmt.Fprintf(&b, "; at %d %s; hint: %s", e.At, e.Message, e.Hint)
				}
				b.WriteByte('\n')
			}
		}
		return b.String()
	})
}

func FuzzReadScope(f *testing.F) {
	for _, text := range []string{"text, tool:edit(*.{ts,tsx})", "tool: * ( a,!b )", `tool:x(\),y`, "((,}{"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, e := range rule.ReadScope(text) {
			if e.At > len(e.Text) || text[e.Offset:e.Offset+len(e.Text)] != e.Text || (e.Kind == "") != (e.Message != "") {
				t.Errorf("%q: %+v", text, e)
			}
			if again := rule.ReadScope(e.String()); e.Message == "" && (len(again) != 1 || again[0].String() != e.String()) {
				t.Errorf("%q: %q is read as %q", text, e, again)
			}
		}
	})
}
