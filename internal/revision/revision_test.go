package revision_test

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aead.dev/minisign"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/revision"
)

// world is a key, and a machine that trusts it.
type world struct {
	t     *testing.T
	key   minisign.PrivateKey
	trust revision.Trust
	store revision.Store
}

var noon = time.Date(2026, 11, 16, 12, 0, 0, 0, time.UTC)

func newWorld(t *testing.T) *world {
	t.Helper()
	public, key, err := minisign.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	trust, problems := revision.NewTrust("main", []string{public.String()})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return &world{t: t, key: key, trust: trust, store: revision.In(t.TempDir(), "main")}
}

// seal signs a revision with these files.
func (w *world) seal(number int64, texts map[string]string) (revision.Sealed, map[string][]byte) {
	w.t.Helper()
	m := revision.Manifest{Namespace: w.trust.Namespace, Revision: number, Author: "me", Time: noon}
	contents := map[string][]byte{}
	for path, text := range texts {
		sum := revision.Sum([]byte(text))
		m.Files = append(m.Files, revision.File{Path: path, Size: len(text), Sum: sum})
		contents[sum] = []byte(text)
	}
	revision.Sorted(m.Files)
	text, err := m.Encode()
	if err != nil {
		w.t.Fatal(err)
	}
	return revision.Sealed{Manifest: string(text), Signature: string(minisign.Sign(w.key, text))}, contents
}

func (w *world) keep(number int64, texts map[string]string) error {
	sealed, contents := w.seal(number, texts)
	return w.store.Keep(context.Background(), w.trust, sealed, contents, noon)
}

func (w *world) open() (*revision.Copy, error) {
	return w.store.Open(context.Background(), files.OS(), w.trust)
}

func TestStore(t *testing.T) {
	w := newWorld(t)
	if _, err := w.open(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an empty store: %v", err)
	}
	texts := map[string]string{"rules/a.md": "A", "rules/sub/b.md": "B", "skills/s/SKILL.md": "S"}
	if err := w.keep(3, texts); err != nil {
		t.Fatal(err)
	}
	found, err := w.open()
	if err != nil || found.Revision != 3 || !found.Taken.Equal(noon) {
		t.Fatalf("%+v, %v", found, err)
	}
	if data, err := os.ReadFile(filepath.Join(found.Folder("rules"), "sub", "b.md")); err != nil || string(data) != "B" {
		t.Errorf("%q, %v", data, err)
	}
	if err := w.keep(4, map[string]string{}); err != nil {
		t.Fatal(err)
	}
	if found, err := w.open(); err != nil || found.Revision != 4 || len(found.Files) != 0 {
		t.Errorf("a revision without files: %+v, %v", found, err)
	}
	for number := range int64(3) {
		if err := w.keep(5+number, texts); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := os.ReadDir(w.store.Dir)
	if err != nil {
		t.Fatal(err)
	}
	folders := 0
	for _, e := range entries {
		if e.IsDir() {
			folders++
		}
	}
	if folders != 2 {
		t.Errorf("%d revisions are kept, want this one and the one before", folders)
	}
}

// TestOld: what was in force once does not come back because somebody shows it again.
func TestOld(t *testing.T) {
	w := newWorld(t)
	for _, number := range []int64{1, 2} {
		if err := w.keep(number, map[string]string{"rules/a.md": "A"}); err != nil {
			t.Fatal(err)
		}
	}
	var old *revision.OldError
	if err := w.keep(1, map[string]string{"rules/a.md": "A"}); !errors.As(err, &old) || old.Have != 2 || old.Shown != 1 {
		t.Errorf("an old revision: %v", err)
	}
	if err := w.keep(2, map[string]string{"rules/a.md": "another"}); !errors.As(err, &old) || !strings.Contains(err.Error(), "two revisions") {
		t.Errorf("another revision with the same number: %v", err)
	}
	if err := w.keep(2, map[string]string{"rules/a.md": "A"}); err != nil {
		t.Errorf("the one in force again: %v", err)
	}
	// Numbers of a key that is no longer listed do not count, those of the others still do.
	other := newWorld(t)
	other.store = w.store
	both := revision.Trust{Namespace: "main", Keys: append(w.trust.Keys, other.trust.Keys...)}
	sealed, contents := other.seal(1<<30, map[string]string{"rules/a.md": "stolen"})
	if err := w.store.Keep(t.Context(), both, sealed, contents, noon); err != nil {
		t.Fatal(err)
	}
	if found, err := w.open(); err != nil || found.Revision != 2 {
		t.Errorf("what the key that stays has signed last is not in force: %+v, %v", found, err)
	}
	if err := w.keep(2, map[string]string{"rules/a.md": "B"}); !errors.As(err, &old) {
		t.Errorf("an old number of the key that stays: %v", err)
	}
	if err := w.keep(3, map[string]string{"rules/a.md": "C"}); err != nil {
		t.Errorf("after the other key was taken out: %v", err)
	}
}

// TestTampered: whatever is changed in the copy, nothing of it is used.
func TestTampered(t *testing.T) {
	texts := map[string]string{"rules/a.md": "A", "rules/sub/b.md": "B"}
	for name, change := range map[string]func(t *testing.T, dir, store string){
		"a file changed":   func(t *testing.T, dir, _ string) { write(t, filepath.Join(dir, "rules", "a.md"), "X") },
		"a file truncated": func(t *testing.T, dir, _ string) { write(t, filepath.Join(dir, "rules", "a.md"), "") },
		"a file removed":   func(t *testing.T, dir, _ string) { remove(t, filepath.Join(dir, "rules", "sub", "b.md")) },
		"a file added":     func(t *testing.T, dir, _ string) { write(t, filepath.Join(dir, "rules", "c.md"), "C") },
		"a file linked": func(t *testing.T, dir, _ string) {
			remove(t, filepath.Join(dir, "rules", "a.md"))
			other := filepath.Join(t.TempDir(), "a.md")
			write(t, other, "A")
			if err := os.Symlink(other, filepath.Join(dir, "rules", "a.md")); err != nil {
				t.Skip(err)
			}
		},
		"the manifest changed": func(t *testing.T, dir, _ string) {
			path := filepath.Join(filepath.Dir(dir), "manifest.json")
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			write(t, path, strings.Replace(string(text), `"author":"me"`, `"author":"you"`, 1))
		},
		"the signature gone": func(t *testing.T, dir, _ string) {
			write(t, filepath.Join(filepath.Dir(dir), "manifest.json.minisig"), "")
		},
		"the pointer garbage": func(t *testing.T, _, store string) { write(t, filepath.Join(store, "current.json"), "{") },
		"the pointer astray": func(t *testing.T, _, store string) {
			write(t, filepath.Join(store, "current.json"), `{"revision":9,"manifest":"`+strings.Repeat("0", 64)+`"}`)
		},
		"the pointer leads out": func(t *testing.T, _, store string) {
			write(t, filepath.Join(store, "current.json"), `{"revision":1,"manifest":"../../../../../../../../etc/passwd"}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			if err := w.keep(1, texts); err != nil {
				t.Fatal(err)
			}
			found, err := w.open()
			if err != nil {
				t.Fatal(err)
			}
			change(t, found.Dir, w.store.Dir)
			if _, err := w.open(); err == nil || errors.Is(err, fs.ErrNotExist) {
				t.Fatalf("the copy was used, or counts as none: %v", err)
			}
			// The same revision, handed over once more, mends it.
			if err := w.keep(1, texts); err != nil {
				t.Fatal(err)
			}
			if _, err := w.open(); err != nil {
				t.Errorf("after it was taken again: %v", err)
			}
		})
	}
}

func TestCheck(t *testing.T) {
	w, other := newWorld(t), newWorld(t)
	sealed, _ := w.seal(1, map[string]string{"rules/a.md": "A"})
	if _, err := w.trust.Check(sealed); err != nil {
		t.Fatal(err)
	}
	elsewhere := w.trust
	elsewhere.Namespace = "other"
	for name, test := range map[string]struct {
		trust  revision.Trust
		sealed revision.Sealed
		want   error
	}{
		"no keys":               {revision.Trust{Namespace: "main"}, sealed, revision.ErrNoKeys},
		"unsigned":              {w.trust, revision.Sealed{Manifest: sealed.Manifest}, revision.ErrUnsigned},
		"another key":           {other.trust, sealed, revision.ErrSignature},
		"garbage":               {w.trust, revision.Sealed{Manifest: sealed.Manifest, Signature: "RW"}, revision.ErrSignature},
		"changed":               {w.trust, revision.Sealed{Manifest: sealed.Manifest + " ", Signature: sealed.Signature}, revision.ErrSignature},
		"another namespace":     {elsewhere, sealed, nil},
		"another document":      {w.trust, w.sign(`{"kind":"release"}`), nil},
		"no JSON":               {w.trust, w.sign("hello"), nil},
		"a newer format":        {w.trust, w.sign(strings.Replace(sealed.Manifest, `"format":1`, `"format":2`, 1)), nil},
		"a path that leads out": {w.trust, w.sign(strings.Replace(sealed.Manifest, "rules/a.md", "rules/../../a.md", 1)), nil},
		"too large":             {w.trust, revision.Sealed{Manifest: strings.Repeat("x", revision.MaxManifest+1), Signature: sealed.Signature}, nil},
	} {
		if _, err := test.trust.Check(test.sealed); err == nil || test.want != nil && !errors.Is(err, test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func (w *world) sign(text string) revision.Sealed {
	return revision.Sealed{Manifest: text, Signature: string(minisign.Sign(w.key, []byte(text)))}
}

func TestPaths(t *testing.T) {
	for _, path := range []string{"rules/a.md", "rules/b/c d.md", "skills/x/scripts/run.py", "strategies/ü.strategy.md"} {
		if err := revision.CheckPath(path); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	for _, path := range []string{
		"", "a.md", "rules", "rules/", "/rules/a.md", "rules//a.md", "rules/./a.md", "rules/../a.md", "../rules/a.md", "other/a.md", "Rules/a.md",
		"rules\\a.md", "rules/c:a.md", "rules/a.md:stream", "rules/.git/config", "rules/con", "rules/NUL.md", "rules/com1.txt", "rules/a.md.", "rules/a ",
		"rules/a\nb.md", "rules/a\x00.md", "rules/\u202egpj.md", "rules/a\u200b.md", "rules/\xff.md", "C:/rules/a.md", "rules/" + strings.Repeat("a/", 20) + "b",
		"rules/" + strings.Repeat("a", 300),
	} {
		if revision.CheckPath(path) == nil {
			t.Errorf("%q is taken", path)
		}
	}
}

// TestManifest: what no disk could hold, or nobody should, is refused before it is signed.
func TestManifest(t *testing.T) {
	file := func(path string) revision.File {
		return revision.File{Path: path, Size: 1, Sum: strings.Repeat("0", 64)}
	}
	many := make([]revision.File, revision.MaxFiles+1)
	for i := range many {
		many[i] = file("rules/" + strings.Repeat("a", 1+i%100) + ".md")
	}
	for name, m := range map[string]revision.Manifest{
		"no number":      {},
		"rollback ahead": {Revision: 2, Rollback: 2},
		"parent":         {Revision: 1, Parent: "x"},
		"order":          {Revision: 1, Files: []revision.File{file("rules/b"), file("rules/a")}},
		"twice":          {Revision: 1, Files: []revision.File{file("rules/a"), file("rules/a")}},
		"case":           {Revision: 1, Files: []revision.File{file("rules/A"), file("rules/a")}},
		"a file in one":  {Revision: 1, Files: []revision.File{file("rules/a"), file("rules/a/b")}},
		"too many":       {Revision: 1, Files: many},
		"a large file":   {Revision: 1, Files: []revision.File{{Path: "rules/a", Size: revision.MaxFile + 1, Sum: strings.Repeat("0", 64)}}},
		"no sum":         {Revision: 1, Files: []revision.File{{Path: "rules/a"}}},
		"a long author":  {Revision: 1, Author: strings.Repeat("x", 201)},
	} {
		if _, err := m.Encode(); err == nil {
			t.Errorf("%s: it is taken", name)
		}
	}
}

func TestKeys(t *testing.T) {
	w := newWorld(t)
	key := w.trust.Keys[0]
	again, problems := revision.NewTrust("main", []string{key.String(), "untrusted comment: minisign public key\n" + key.String() + "\n", "RWhunter2", ""})
	if len(again.Keys) != 2 || again.Keys[1].ID() != key.ID() || len(problems) != 2 {
		t.Fatalf("%v, %v", again, problems)
	}
	if text := problems[0].Error(); strings.Contains(text, "hunter2") || !strings.Contains(text, "number 3") {
		t.Error(text)
	}
}

func TestChecked(t *testing.T) {
	w := newWorld(t)
	if at, _ := w.store.LastChecked(); !at.IsZero() {
		t.Error("asked before anybody did")
	}
	if err := w.store.NoteChecked(t.Context(), noon, "why"); err != nil {
		t.Fatal(err)
	}
	if at, why := w.store.LastChecked(); !at.Equal(noon) || why != "why" {
		t.Errorf("%v, %q", at, why)
	}
}

// TestMissingContent: a revision of which a part is missing is not kept at all.
func TestMissingContent(t *testing.T) {
	w := newWorld(t)
	sealed, contents := w.seal(1, map[string]string{"rules/a.md": "A", "rules/b.md": "B"})
	for sum := range contents {
		part := maps.Clone(contents)
		part[sum] = []byte("X")
		if err := w.store.Keep(t.Context(), w.trust, sealed, part, noon); err == nil {
			t.Error("kept with a file that is another")
		}
		delete(part, sum)
		if err := w.store.Keep(t.Context(), w.trust, sealed, part, noon); err == nil {
			t.Error("kept without a file")
		}
	}
	if _, err := w.open(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("something was kept: %v", err)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}
