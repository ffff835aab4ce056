package discover_test

import (
	"bufio"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// corpus is a folder of real rule files of other people; it is no part of the
// repository.
func corpus(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("PERTAIN_CORPUS")
	if dir == "" {
		t.Skip("PERTAIN_CORPUS names no folder of real rule files")
	}
	if !filepath.IsAbs(dir) {
		t.Fatal("PERTAIN_CORPUS must be an absolute path")
	}
	return dir
}

func namedRules(t *testing.T, dir string) ([]*rule.Rule, diag.List, int) {
	t.Helper()
	rules, list, looked, err := discover.NamedRules(t.Context(), files.OS(), discover.RuleRoots{Dir: dir}, []string{dir})
	if err != nil {
		t.Fatal(err)
	}
	return rules, list, len(looked)
}

// TestCorpusIsNotDropped loads every rule file that has a body.
func TestCorpusIsNotDropped(t *testing.T) {
	dir := corpus(t)
	want, empty := 0, 0
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		ext := filepath.Ext(path)
		if err != nil || d.IsDir() || ext != ".md" && ext != ".mdc" {
			return err
		}
		text, err := os.ReadFile(path)
		if _, body, found := strings.Cut(strings.TrimPrefix(string(text), "---"), "\n---"); found && strings.TrimSpace(body) == "" {
			empty++
			return err
		}
		want++
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	rules, list, count := namedRules(t, dir)
	for _, d := range list {
		if d.Code == diag.RuleEmpty {
			empty--
		}
	}
	if len(rules) != want || empty != 0 || want == 0 {
		t.Errorf("%d rules of %d files, the corpus has %d with a body", len(rules), count, want)
	}
	t.Logf("%d rules, %d warnings", len(rules), len(list))
}

// TestCursorCollection holds globs, alwaysApply and description of a whole
// collection against a list that was made and reviewed without this program.
func TestCursorCollection(t *testing.T) {
	rules, _, _ := namedRules(t, filepath.Join(corpus(t), "awesome-cursorrules", "rules"))
	byFile := map[string]*rule.Rule{}
	for _, r := range rules {
		byFile[filepath.Base(r.Path)] = r
	}
	list, err := os.Open(filepath.Join("testdata", "cursor-collection.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	count, reviewed := 0, 0
	lines := bufio.NewScanner(list)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		fields := strings.Split(lines.Text(), "\t")
		if len(fields) != 5 {
			t.Fatalf("%q has %d fields, want 5", lines.Text(), len(fields))
		}
		count++
		if fields[0] == "*" {
			reviewed++
		}
		r := byFile[fields[1]]
		if fields[0] == "0" {
			if r != nil {
				t.Errorf("%s has no body and is loaded", fields[1])
			}
			text, err := os.ReadFile(filepath.Join(corpus(t), "awesome-cursorrules", "rules", fields[1]))
			if err != nil {
				t.Fatal(err)
			}
			doc, _ := document.Parse(diag.NewSource(fields[1], string(text)), document.Lenient)
			if got := doc.Frontmatter.Get("globs"); got == nil || got.Text != fields[4] {
				t.Errorf("%s: globs %v, want %s", fields[1], got, fields[4])
			}
			continue
		}
		if r == nil {
			t.Errorf("%s is not loaded", fields[1])
			continue
		}
		always := r.AlwaysApply != nil && *r.AlwaysApply // Cursor's false is as good as absent
		got := []string{fields[0], fields[1], strconv.FormatBool(always), "no", strings.Join(r.Globs, " | ")}
		if r.Description != nil {
			got[3] = "yes"
		}
		if diff := cmp.Diff(fields, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", fields[1], diff)
		}
	}
	if count != 257 || len(rules) != 256 || reviewed < 60 {
		t.Errorf("%d lines, %d reviewed, %d rules", count, reviewed, len(rules))
	}
}
