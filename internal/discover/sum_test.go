package discover_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// TestRulesHaveALimitTogether: a project's rules are read up to a sum, imports
// included; what is left out is told once for each tool, and the user's own rules
// are not concerned.
func TestRulesHaveALimitTogether(t *testing.T) {
	mega := strings.Repeat("y", 1<<20)
	w := newWorld(files.Unix, map[string]string{"/w/.git/HEAD": "x", "/w/big.md": mega[:1000_000], "/w/AGENTS.md": "Agents.", "/home/u/.claude/CLAUDE.md": "Mine."})
	for i := range 20 {
		w.tree.WriteFile(fmt.Sprintf("/w/.cursor/rules/r%02d.mdc", i), "---\nalwaysApply: true\n---\n"+mega)
		w.tree.WriteFile(fmt.Sprintf("/w/.claude/rules/c%02d.md", i), "@../../big.md\n")
	}
	for range 3 { // whoever is fastest
		set, err := rule.Load(t.Context(), discover.Rules(w.tree, discover.RuleRoots{Dir: "/w", Home: "/home/u"}), rule.Options{Root: "/w"})
		if err != nil {
			t.Fatal(err)
		}
		counts := map[string]int{}
		for _, r := range set.All() {
			counts[r.Provider+" "+string(r.Level)]++
		}
		if counts["cursor project"] != 20 || counts["claude user"] != 1 || counts["claude project"] != 12 {
			t.Errorf("%v", counts)
		}
		told := 0
		for _, d := range set.Warnings() {
			if d.Code == diag.RuleTooLarge && strings.Contains(d.Message, "32 MiB") {
				told++
			}
		}
		if told != 2 { // of Claude's, with the number of the others, and AGENTS.md
			t.Errorf("%v", set.Warnings())
		}
	}
}

// TestRulesHaveALimitOfFiles: so many files are read of a project, however small; those of the user are there all the same, and
// of each tool whose rules are missing it is told.
func TestRulesHaveALimitOfFiles(t *testing.T) {
	w := newWorld(files.Unix, map[string]string{"/w/.git/HEAD": "x", "/w/.roo/rules/late.md": "Late.", "/home/u/.claude/rules/mine.md": "Mine.", "/home/u/.claude/CLAUDE.md": "Mine, too."})
	for i := range 12_000 {
		w.tree.WriteFile(fmt.Sprintf("/w/.cursor/rules/r%05d.mdc", i), fmt.Sprintf("---\nalwaysApply: true\n---\nCursor %d.", i))
		w.tree.WriteFile(fmt.Sprintf("/w/.claude/rules/c%05d.md", i), fmt.Sprintf("Claude %d.", i))
	}
	roots := discover.RuleRoots{Dir: "/w", Home: "/home/u"}
	set, err := rule.Load(t.Context(), discover.Rules(w.tree, roots), rule.Options{Root: "/w"})
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for _, r := range set.All() {
		counts[r.Provider+" "+string(r.Level)]++
	}
	if counts["cursor project"] != 12_000 || counts["claude project"] != 8_000 || counts["claude user"] != 2 || counts["roo project"] != 0 {
		t.Errorf("%v", counts)
	}
	var told []string
	for _, d := range set.Warnings() {
		if d.Code == diag.RuleTooLarge {
			told = append(told, d.File()+": "+d.Message)
		}
	}
	want := []string{
		"/w/.claude/rules/c08000.md: the rule cannot be read: with the rules before it, there is more than the 20000 files that are read in all; nor can 3999 more of this tool",
		"/w/.roo/rules: rules in this folder cannot be read: with the rules before it, there is more than the 20000 files that are read in all",
	}
	if !slices.Equal(told, want) {
		t.Errorf("%q", told)
	}
	if err := discover.Agents(t.Context(), w.tree, roots, set.All()); err != nil {
		t.Fatal(err)
	}
	for _, r := range set.All() {
		if name := map[string]string{"cursor": "cursor", "claude": "claude"}[r.Provider]; !slices.Contains(r.Agents, name) {
			t.Fatalf("%s: %v", r.Path, r.Agents)
		}
	}
}

// TestRulesHaveALimitOfFrontmatter: fields, expressions and globs cost far more than text does, so that there is a lower limit for
// them, also in files without any text.
func TestRulesHaveALimitOfFrontmatter(t *testing.T) {
	for what, text := range map[string]string{"fields": "Text.", "fields without a text": ""} {
		w := newWorld(files.Unix, map[string]string{"/w/.git/HEAD": "x", "/w/AGENTS.md": "Agents.", "/home/u/.claude/CLAUDE.md": "Mine."})
		var fields strings.Builder
		for i := range 2000 {
			fmt.Fprintf(&fields, "key%d: 1\n", i)
		}
		for i := range 120 {
			w.tree.WriteFile(fmt.Sprintf("/w/.omp/rules/r%03d.md", i), fmt.Sprintf("---\n%s---\n%s\n", fields.String(), text))
		}
		set, err := rule.Load(t.Context(), discover.Rules(w.tree, discover.RuleRoots{Dir: "/w", Home: "/home/u"}), rule.Options{Root: "/w"})
		if err != nil {
			t.Fatal(err)
		}
		if r := set.All()[len(set.All())-1]; r.Content != "Mine." {
			t.Errorf("%s: the user's own rule is missing", what)
		}
		first := ""
		for _, d := range set.Warnings() {
			if d.Code == diag.RuleTooLarge && strings.Contains(d.Message, "2 MiB of frontmatter") && first == "" {
				first = d.File()
			}
		}
		if want := fmt.Sprintf("/w/.omp/rules/r%03d.md", 2<<20/(fields.Len()+len("---\n---\n\n"))); first != want {
			t.Errorf("%s: %s is left out first, not %s", what, first, want)
		}
	}
}

// TestRulesHaveALimitOfAliases: what aliases stand for counts as if it were written, though it costs a file nothing.
func TestRulesHaveALimitOfAliases(t *testing.T) {
	w := newWorld(files.Unix, map[string]string{"/w/.git/HEAD": "x", "/home/u/.claude/CLAUDE.md": "Mine."})
	for i := range 300 {
		w.tree.WriteFile(fmt.Sprintf("/w/.omp/rules/r%03d.md", i), "---\ndescription: &x "+strings.Repeat("x", 1023)+"\nglobs: ["+strings.Repeat("*x, ", 250)+"]\n---\n"+fmt.Sprintf("Rule %d.\n", i))
	}
	set, err := rule.Load(t.Context(), discover.Rules(w.tree, discover.RuleRoots{Dir: "/w", Home: "/home/u"}), rule.Options{Root: "/w"})
	if err != nil {
		t.Fatal(err)
	}
	read, mine := 0, false
	for _, r := range set.All() {
		if mine = mine || r.Content == "Mine."; r.Provider == "native" {
			read++
		}
	}
	told := slices.ContainsFunc(set.Warnings(), func(d diag.Diagnostic) bool {
		return d.Code == diag.RuleTooLarge && strings.Contains(d.Message, "with what aliases stand for, that are read in all; nor can 293 more")
	})
	if read != 6 || !mine || !told {
		t.Errorf("%d rules, the user's own: %v, told: %v", read, mine, told)
	}
}
