package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFormattedBare: a rule that is text alone is in its form; a strategy without frontmatter, and frontmatter with a doubt, are refused.
func TestFormattedBare(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		name, text string
		refused    bool
	}{
		{".omp/rules/tabs.md", "Use tabs.\n", false},
		{".pertain/rules/x.md", "\ufeffText.\r\n\r\n---\r\nMore.", false},
		{".pertain/rules/empty.md", "", false},
		{".pertain/rules/open.md", "---\nglobs: x\nText.\n", true},
		{".pertain/rules/late.md", "\n---\nglobs: x\n---\nText.\n", true},
		{"x.strategy.md", "Text.\n", true},
	} {
		path := filepath.Join(dir, filepath.FromSlash(c.name))
		writeFile(t, path, c.text)
		for _, args := range [][]string{{"fmt", c.name}, {"fmt", "--check", c.name}, {"fmt", "--diff", c.name}, {"fmt", "--stdin-name", c.name, "-"}} {
			code, out, notes := callIn(t, dir, c.text, args...)
			if want := map[bool]int{true: 1}[c.refused]; code != want || (notes != "") != c.refused {
				t.Errorf("%q: exit %d, %s", args, code, notes)
			}
			if copied := args[len(args)-1] == "-" && !c.refused; (out != "") != (copied && c.text != "") || copied && out != c.text {
				t.Errorf("%q: %q", args, out)
			}
		}
		if after, err := os.ReadFile(path); err != nil || string(after) != c.text {
			t.Errorf("%s: %q, %v", c.name, after, err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}

// TestFormattedLink: a link that is named is followed where nothing is written, as far as the folder goes.
func TestFormattedLink(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	const text = "---\nname: 'x'\n---\nx\n"
	writeFile(t, filepath.Join(dir, "real.strategy.md"), text)
	writeFile(t, filepath.Join(out, "out.strategy.md"), text)
	writeFile(t, filepath.Join(dir, "folder", "x"), "")
	for name, target := range map[string]string{"link": "real.strategy.md", "leads": filepath.Join(out, "out.strategy.md"), "in": "folder", "gone": "none"} {
		if err := os.Symlink(target, filepath.Join(dir, name+".strategy.md")); err != nil {
			t.Skipf("no links here: %v", err)
		}
	}
	for _, c := range []struct {
		args string
		code int
		told string // by either
	}{
		{"fmt --check link.strategy.md", 1, "link.strategy.md"},
		{"fmt --diff link.strategy.md", 0, "+name: \"x\""},
		{"fmt link.strategy.md", 2, "is a link"},
		{"fmt --diff leads.strategy.md", 2, "leads it out of"},
		{"fmt --check in.strategy.md", 2, "not a regular file"},
		{"fmt --check gone.strategy.md", 2, ""},
		{"fmt --check real.strategy.md", 1, "real.strategy.md"},
	} {
		code, stdout, notes := callIn(t, dir, "", strings.Fields(c.args)...)
		if code != c.code || !strings.Contains(stdout+notes, c.told) {
			t.Errorf("%s: exit %d, %s%s", c.args, code, stdout, notes)
		}
	}
	if after, err := os.ReadFile(filepath.Join(dir, "real.strategy.md")); err != nil || string(after) != text {
		t.Errorf("%q, %v", after, err)
	}
}
