package repository_test

import (
	"os"
	"testing"

	"github.com/pertain-dev/pertain/internal/repository"
)

// TestMarks holds that marks change with what git writes, and not with files of the work tree.
func TestMarks(t *testing.T) {
	w := newWorld(t)
	marks := func() string {
		t.Helper()
		r, err := repository.Open(w.top, false)
		w.must(err)
		return r.Marks()
	}
	before := marks()
	w.write("a.txt", "other\n")
	if marks() != before {
		t.Error("a file of the work tree shows")
	}
	for _, tt := range []struct {
		name string
		do   func()
	}{
		{"staged", func() { w.git("add", ".") }},
		{"committed", func() { w.git("commit", "-qm", "2") }},
		{"split index", func() { w.git("update-index", "--split-index") }},
		{"one index", func() { w.git("update-index", "--no-split-index") }},
		{"broken index", func() { w.write(".git/index", "x") }},
		{"no index", func() { w.must(os.Remove(w.path(".git/index"))) }},
		{"another commit of the branch", func() { w.git("update-ref", "refs/heads/main", "HEAD~1") }},
		{"packed references", func() { w.git("pack-refs", "--all") }},
		{"empty reference", func() { w.write(".git/refs/heads/main", "") }},
		{"no references", func() { w.must(os.Rename(w.path(".git/refs"), w.path(".git/away"))) }},
		{"reftable", func() { w.write(".git/reftable/x", "") }},
		{"ignored files", func() { w.write(".git/info/exclude", "*.txt") }},
		{"attributes", func() { w.write(".git/info/attributes", "*.txt text") }},
		{"objects elsewhere", func() { w.write(".git/objects/info/alternates", "/x") }},
		{"broken HEAD", func() { w.write(".git/HEAD", "x") }},
	} {
		before := marks()
		tt.do()
		now := marks()
		if now == before {
			t.Errorf("%s: it does not show", tt.name)
		}
		if again := marks(); again != now {
			t.Errorf("%s: another without a change", tt.name)
		}
	}
}
