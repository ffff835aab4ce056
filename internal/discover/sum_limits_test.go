package discover_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// TestSumLimits: the limits of what is read in all, at their boundaries.
func TestSumLimits(t *testing.T) {
	const mib = 1 << 20
	for _, c := range []struct {
		bytes, fields, effort, count, taken int
		what                                string
	}{
		{8 * mib, 0, 0, 4, 4, ""},
		{8 * mib, 0, 0, 5, 4, "the 32 MiB"},
		{0, mib, 0, 2, 2, ""},
		{0, mib, 0, 3, 2, "the 2 MiB of frontmatter"},
		{0, 0, 0, 20_000, 20_000, ""},
		{0, 0, 0, 20_001, 20_000, "the 20000 files"},
		{0, 0, 2 * mib, 3, 3, ""},
		{0, 0, 2 * mib, 4, 3, "the 6 MiB of frontmatter, counted as often as it must be read to be mended, and with what aliases stand for,"},
	} {
		if taken, what := discover.Taken(c.bytes, c.fields, c.effort, c.count); taken != c.taken || what != c.what {
			t.Errorf("%d files of %d and %d bytes: %d, %q", c.count, c.bytes, c.fields, taken, what)
		}
	}
	for more, want := range map[int]string{
		0: "with the rules before it, there is more than the 2 files that are read in all",
		1: "with the rules before it, there is more than the 2 files that are read in all; nor can 1 more of this tool",
	} {
		if got := discover.SumError("the 2 files", more); got != want {
			t.Errorf("%d more: %s", more, got)
		}
	}
}

// TestAgentsOfManyRules: where as many rules were read as are read at all, those of them that come late for an agent are its own, too:
// files that are none of them are not counted.
func TestAgentsOfManyRules(t *testing.T) {
	const most = 20_000
	w := newWorld(files.Unix, map[string]string{"/w/.git/HEAD": ""})
	for i := range 15_000 {
		w.tree.WriteFile(fmt.Sprintf("/w/.claude/rules/r%05d.md", i), "Text.")
		w.tree.WriteFile(fmt.Sprintf("/w/m/.claude/rules/r%05d.md", i), "Text.")
	}
	rules := []*rule.Rule{{Path: "/w/m/.claude/rules/r14999.md"}}
	for i := len(rules); i < most; i++ {
		rules = append(rules, &rule.Rule{Path: fmt.Sprintf("/elsewhere/%d.md", i)})
	}
	if err := discover.Agents(t.Context(), w.tree, w.roots("/w/m"), rules); err != nil || !slices.Contains(rules[0].Agents, "claude") {
		t.Errorf("%v %v", rules[0].Agents, err)
	}
}

// TestExportSources: what a file says that it was made from is taken if it is a file of the project or of the home.
func TestExportSources(t *testing.T) {
	for source, want := range map[string]string{
		"a.md": "/w/a.md", "x/../a.md": "/w/a.md", "~/r/a.md": "/home/u/r/a.md", ".": "/w",
		"..": "", "../a.md": "", "x/../../a.md": "", "/w/a.md": "", "~/../a.md": "", "~/..": "", "a\x00": "", "..a.md": "/w/..a.md", `a\b`: `/w/a\b`, "C:a": "/w/C:a",
	} {
		w := newWorld(files.Unix, nil)
		got := ""
		if all := discover.ExportSources(w.tree, w.roots("/w"), "first.md", source); all != nil {
			if got = all[1]; all[0] != "/w/first.md" {
				t.Errorf("%s: %q", source, all)
			}
		}
		if got != want {
			t.Errorf("%q: %q, want %q", source, got, want)
		}
	}
	w := newWorld(files.Unix, nil)
	roots := w.roots("/w")
	roots.Home = ""
	if got := discover.ExportSources(w.tree, roots, "~/a.md"); got != nil {
		t.Errorf("without a home: %q", got)
	}
	w = newWorld(files.Windows, nil)
	for source, want := range map[string]bool{"a/b.md": true, `a\b.md`: false, "C:b.md": false} {
		if got := discover.ExportSources(w.tree, w.roots("/w"), source); (got != nil) != want {
			t.Errorf("Windows: %s: %q", source, got)
		}
	}
}
