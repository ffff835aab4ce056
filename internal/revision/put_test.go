package revision_test

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/revision"
)

// TestKeepLinks: of a new revision only what the copy lacks is handed over and written; the rest is the files that are there.
func TestKeepLinks(t *testing.T) {
	w := newWorld(t)
	if err := w.keep(1, map[string]string{"rules/a.md": "A", "rules/b.md": "B", "skills/s/SKILL.md": ""}); err != nil {
		t.Fatal(err)
	}
	first, err := w.open()
	if err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(filepath.Join(first.Dir, "rules", "a.md"))
	if err != nil {
		t.Fatal(err)
	}
	sealed, contents := w.seal(2, map[string]string{"rules/c/a.md": "A", "rules/also.md": "A", "rules/b.md": "new", "skills/s/SKILL.md": ""})
	lacking := maps.Clone(contents)
	for sum := range w.store.Listed(w.trust) {
		delete(lacking, sum)
	}
	if len(lacking) != 1 {
		t.Errorf("%d files are wanted, not 1", len(lacking))
	}
	if err := w.store.Keep(t.Context(), w.trust, sealed, lacking, noon); err != nil {
		t.Fatal(err)
	}
	second, err := w.open()
	if err != nil || second.Revision != 2 {
		t.Fatal(second, err)
	}
	for _, name := range []string{"rules/c/a.md", "rules/also.md"} {
		if after, err := os.Stat(filepath.Join(second.Dir, filepath.FromSlash(name))); err != nil || !os.SameFile(before, after) {
			t.Errorf("%s was written again: %v", name, err)
		}
	}
	// The one before is whole, for who has begun to read it.
	if data, err := os.ReadFile(filepath.Join(first.Dir, "rules", "b.md")); err != nil || string(data) != "B" {
		t.Errorf("%q, %v", data, err)
	}
}

// TestKeepBroken: a copy that is not what was signed is no source of files, and one that was changed under both names is made anew whole.
func TestKeepBroken(t *testing.T) {
	w := newWorld(t)
	if err := w.keep(1, map[string]string{"rules/a.md": "A", "rules/b.md": "B"}); err != nil {
		t.Fatal(err)
	}
	copied, err := w.open()
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(copied.Dir, "rules", "a.md"), "forged")
	sealed, contents := w.seal(2, map[string]string{"rules/a.md": "A", "rules/b.md": "new"})
	lacking := maps.Clone(contents)
	delete(lacking, revision.Sum([]byte("A")))
	if err := w.store.Keep(t.Context(), w.trust, sealed, lacking, noon); !errors.Is(err, revision.ErrLacking) {
		t.Errorf("a forged file was taken over: %v", err)
	}
	if err := w.store.Keep(t.Context(), w.trust, sealed, contents, noon); err != nil {
		t.Fatal(err)
	}
	if copied, err = w.open(); err != nil || copied.Revision != 2 {
		t.Fatal(copied, err)
	}
	if data, err := copied.File(files.OS(), copied.Files[0]); err != nil || string(data) != "A" {
		t.Errorf("%q, %v", data, err)
	}
}

// TestTakenIsAnswer: what was taken is an answer of the fleet, and ends what was refused before.
func TestTakenIsAnswer(t *testing.T) {
	w := newWorld(t)
	if err := w.store.NoteChecked(t.Context(), noon.Add(-time.Hour), "why"); err != nil {
		t.Fatal(err)
	}
	if err := w.keep(1, map[string]string{"rules/a.md": "A"}); err != nil {
		t.Fatal(err)
	}
	if at, why := w.store.LastChecked(); !at.Equal(noon) || why != "" {
		t.Errorf("%v, %q", at, why)
	}
	if err := w.store.NoteChecked(t.Context(), noon.Add(time.Hour), "later"); err != nil {
		t.Fatal(err)
	}
	if at, why := w.store.LastChecked(); !at.Equal(noon.Add(time.Hour)) || why != "later" {
		t.Errorf("%v, %q", at, why)
	}
}
