package pertain_test

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/visual"
	"github.com/pertain-dev/pertain/stream"
)

// TestBookConditions: tables of conditions have the results that they say.
func TestBookConditions(t *testing.T) {
	seen := 0
	for _, path := range bookPages(t) {
		for _, table := range tables(readPage(t, path), "condition", "context", "result") {
			for _, row := range table.rows {
				seen++
				condition, _ := code(row[0])
				context, _ := code(row[1])
				if got := conditionResult(t, condition, context); got != row[2] {
					t.Errorf("%s: %s with %s is %s, not %s", path, row[0], row[1], got, row[2])
				}
			}
		}
	}
	if seen < 80 {
		t.Errorf("only %d conditions were tried", seen)
	}
}

func conditionResult(t *testing.T, condition, context string) string {
	t.Helper()
	doc, list := document.Parse(diag.NewSource("page", "---\nwhen:\n  "+condition+"\n---\n"), document.Strict)
	if list.HasErrors() {
		t.Errorf("%s: %v", condition, list)
		return ""
	}
	expr, list := cond.Parse(doc.Frontmatter.Get("when"))
	program, more := cond.Compile(expr)
	if list.HasErrors() || more.HasErrors() {
		t.Errorf("%s: %v %v", condition, list, more)
		return ""
	}
	snapshot, err := facts.Decode("context.yaml", []byte(context))
	if err != nil {
		t.Errorf("%s: %v", context, err)
		return ""
	}
	return program.Eval(cond.NewEvaluation(snapshot), cond.Limits{}, nil).String()
}

// TestBookQueries: tables of queries select what they say, in the window that the page shows.
func TestBookQueries(t *testing.T) {
	seen := 0
	for _, path := range bookPages(t) {
		page := readPage(t, path)
		var snapshot *facts.Snapshot
		for _, b := range blocks(page) {
			if b.name == "window.context.yaml" {
				var err error
				if snapshot, err = facts.Decode(b.name, []byte(b.text())); err != nil {
					t.Fatal(err)
				}
			}
		}
		for _, table := range tables(page, "query", "selects") {
			primary, ok := snapshot.Primary()
			index := visual.NewIndex(snapshot.Tree(), primary, ok)
			for _, row := range table.rows {
				seen++
				text, _ := code(row[0])
				query, bad := visual.Parse(text, visual.Options{})
				if bad != nil {
					t.Errorf("%s: %s: %v", path, text, bad.Message)
					continue
				}
				var ids []string
				query.Visit(index, visual.Limits{}, func(element int, _ facts.Value) bool {
					ids = append(ids, snapshot.Tree().At(element).ID)
					return true
				})
				if len(ids) == 0 {
					ids = []string{"nothing"}
				}
				if got := strings.Join(ids, ", "); got != row[1] {
					t.Errorf("%s: %s selects %s, not %s", path, text, got, row[1])
				}
			}
		}
	}
	if seen < 10 {
		t.Errorf("only %d queries were tried", seen)
	}
}

// TestBookTriggers: tables of triggers fire as they say.
func TestBookTriggers(t *testing.T) {
	seen := 0
	for _, path := range bookPages(t) {
		for _, table := range tables(readPage(t, path), "trigger", "text", "fires") {
			for _, row := range table.rows {
				seen++
				pattern, _ := code(row[0])
				text, _ := code(row[1])
				set, list := stream.Compile([]stream.Trigger{{Name: "x", Patterns: []string{pattern}}}, stream.Options{})
				if len(list) > 0 {
					t.Errorf("%s: %s: %v", path, pattern, list)
					continue
				}
				s := set.Stream()
				fired := len(s.Feed(strings.ReplaceAll(text, `\n`, "\n")))+len(s.End()) > 0
				if want := row[2] == "yes"; fired != want {
					t.Errorf("%s: %s in %s: %v", path, pattern, text, fired)
				}
			}
		}
	}
	if seen < 5 {
		t.Errorf("only %d triggers were tried", seen)
	}
}

// TestBookGlobs: tables of globs match as they say, by the rules of each tool.
func TestBookGlobs(t *testing.T) {
	seen := 0
	for _, path := range bookPages(t) {
		for _, table := range tables(readPage(t, path), "glob", "file", "cursor", "pertain") {
			for _, row := range table.rows {
				glob, _ := code(row[0])
				file, _ := code(row[1])
				for i, tool := range []string{".cursor/rules/x.mdc", ".pertain/rules/x.md"} {
					seen++
					if got := globApplies(t, tool, glob, file); got != (row[2+i] == "yes") {
						t.Errorf("%s: %s: %s for %s: %v", path, tool, glob, file, got)
					}
				}
			}
		}
	}
	if seen < 10 {
		t.Errorf("only %d globs were tried", seen)
	}
}

func globApplies(t *testing.T, tool, glob, file string) bool {
	t.Helper()
	f := newFolder(t, map[string]string{".git/HEAD": "", tool: "---\nglobs: [\"" + glob + "\"]\n---\nx\n"})
	book, err := pertain.OpenRules(t.Context(), pertain.Environment{Dir: f.dir, Env: func(string) string { return "" }}, pertain.RuleOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return len(book.For(book.Files([]string{f.path(file)}), false)[0]) > 0
}
