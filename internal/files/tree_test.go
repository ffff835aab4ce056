package files_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/files"
)

// world is a tree that a test can build, with the folder to build it in.
type world struct {
	files.Tree
	root  string
	write func(path, text string)
	mkdir func(path string)
	link  func(target, path string)
	close func(path string)
}

// at turns a path with slashes into one of the tree, below its root.
func (w world) at(slash string) string {
	return w.Flavor().Join(append([]string{w.root}, strings.Split(slash, "/")...)...)
}

// onEveryTree runs a test on the real disk and on both trees in memory: they must not differ.
func onEveryTree(t *testing.T, test func(t *testing.T, w world)) {
	for name, root := range map[string]string{"unix": "/w", "windows": `C:\w`} {
		t.Run(name, func(t *testing.T) {
			m := files.NewMemory(map[string]files.Flavor{"unix": files.Unix, "windows": files.Windows}[name])
			m.MakeFolder(root)
			test(t, world{m, root, m.WriteFile, m.MakeFolder, m.MakeLink, m.Close})
		})
	}
	t.Run("disk", func(t *testing.T) {
		root, err := filepath.EvalSymlinks(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		test(t, world{
			Tree: files.OS(), root: root,
			write: func(path, text string) {
				must(os.MkdirAll(filepath.Dir(path), 0o755))
				must(os.WriteFile(path, []byte(text), 0o644))
			},
			mkdir: func(path string) { must(os.MkdirAll(path, 0o755)) },
			link: func(target, path string) {
				must(os.MkdirAll(filepath.Dir(path), 0o755))
				if err := os.Symlink(target, path); err != nil {
					t.Skip(err)
				}
			},
			close: func(path string) {
				if os.Geteuid() <= 0 {
					t.Skip("permissions do not hold for this user")
				}
				must(os.Chmod(path, 0))
				t.Cleanup(func() { must(os.Chmod(path, 0o755)) })
			},
		})
	})
}

func TestReading(t *testing.T) {
	onEveryTree(t, func(t *testing.T, w world) {
		w.write(w.at("a/b.md"), "hello")
		w.write(w.at("a/B2.md"), "")
		w.mkdir(w.at("a/dir"))
		w.link("b.md", w.at("a/link"))
		w.link(w.at("a"), w.at("other"))
		w.link("nowhere", w.at("broken"))
		w.link("loop", w.at("loop"))

		for _, p := range []string{"a/b.md", "a/link", "other/b.md", "other/link", "a/dir/../b.md"} {
			if got, err := w.ReadFile(w.at(p), 5); err != nil || string(got) != "hello" {
				t.Errorf("%s: %q, %v", p, got, err)
			}
			if info, err := w.Stat(w.at(p)); err != nil || info.Kind != files.File || info.Size != 5 || info.ModTime.IsZero() {
				t.Errorf("%s: %+v, %v", p, info, err)
			}
			if resolved, err := w.RealPath(w.at(p)); err != nil || resolved != w.at("a/b.md") {
				t.Errorf("%s: real path %s, %v", p, resolved, err)
			}
		}
		var large *files.TooLargeError
		if _, err := w.ReadFile(w.at("a/b.md"), 4); !errors.As(err, &large) || large.Size != 5 || large.Limit != 4 || large.Path != w.at("a/b.md") {
			t.Errorf("over the limit: %v", err)
		}
		if got, err := w.ReadFile(w.at("a/b.md"), 0); err != nil || len(got) != 5 {
			t.Errorf("without a limit: %q, %v", got, err)
		}
		var irregular *files.NotRegularError
		if _, err := w.ReadFile(w.at("a"), 0); !errors.As(err, &irregular) || irregular.Kind != files.Folder {
			t.Errorf("a folder: %v", err)
		}
		for _, p := range []string{"none", "broken", "a/none/b"} {
			if _, err := w.ReadFile(w.at(p), 0); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s: %v", p, err)
			}
			if _, err := w.RealPath(w.at(p)); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s: %v", p, err)
			}
		}
		if _, err := w.Stat(w.at("loop")); err == nil {
			t.Error("a link to itself leads somewhere")
		}
		list, err := w.ReadDir(w.at("other"))
		want := []files.Entry{{Name: "B2.md", Kind: files.File}, {Name: "b.md", Kind: files.File}, {Name: "dir", Kind: files.Folder}, {Name: "link", Kind: files.Link}}
		if err != nil || !slices.Equal(list, want) {
			t.Errorf("listing: %v, %v", list, err)
		}
		if _, err := w.ReadDir(w.at("a/b.md")); err == nil {
			t.Error("a file can be listed")
		}
	})
}

func TestWindowsTreeIgnoresCase(t *testing.T) {
	m := files.NewMemory(files.Windows)
	m.WriteFile(`C:\Work\Readme.MD`, "x")
	m.WriteFile(`d:\y`, "y")
	for _, p := range []string{`c:\work\README.md`, `C:/WORK/readme.md`, `\work\readme.md`, `Work\Readme.MD`} {
		if got, err := m.RealPath(p); err != nil || got != `C:\Work\Readme.MD` {
			t.Errorf("%s: %s, %v", p, got, err)
		}
	}
	if _, err := m.Stat(`D:\Y`); err != nil {
		t.Error(err)
	}
	if _, err := m.Stat(`E:\`); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	m.Chdir(`C:\work`)
	if abs, _ := m.Abs("x"); abs != `C:\work\x` {
		t.Error(abs)
	}
	m.Remove(`C:\WORK\readme.md`)
	if _, err := m.Stat(`C:\Work\Readme.MD`); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

func TestSpecialFilesAreRefused(t *testing.T) {
	m := files.NewMemory(files.Unix)
	m.MakeSpecial("/pipe")
	var irregular *files.NotRegularError
	if _, err := m.ReadFile("/pipe", 0); !errors.As(err, &irregular) || irregular.Kind != files.Special {
		t.Error(err)
	}
	if runtime.GOOS != "windows" {
		if _, err := files.OS().ReadFile(os.DevNull, 0); !errors.As(err, &irregular) || irregular.Kind != files.Special {
			t.Error(err)
		}
	}
}

func TestFindUp(t *testing.T) {
	onEveryTree(t, func(t *testing.T, w world) {
		w.write(w.at("p/.git/HEAD"), "")
		w.write(w.at("p/.pertain"), "")
		w.mkdir(w.at("p/a/b"))
		w.write(w.at("p/a/.nothere"), "")
		for _, start := range []string{"p", "p/a", "p/a/b", "p/a/b/missing"} {
			dir, name, ok := files.FindUp(w, w.at(start), ".pertain", ".git")
			if !ok || dir != w.at("p") || name != ".pertain" {
				t.Errorf("from %s: %s, %s, %v", start, dir, name, ok)
			}
		}
		if dir, _, ok := files.FindUp(w, w.at("p"), "surely-not-on-this-machine"); ok {
			t.Errorf("found in %s", dir)
		}
	})
}

func TestWithin(t *testing.T) {
	onEveryTree(t, func(t *testing.T, w world) {
		w.write(w.at("in/a.md"), "")
		w.write(w.at("out/b.md"), "")
		w.write(w.at("inside/c.md"), "")
		w.link(w.at("out"), w.at("in/escape"))
		w.link("a.md", w.at("in/stay"))
		w.link(w.at("in"), w.at("door"))
		for p, want := range map[string]bool{"in/a.md": true, "in": true, "in/stay": true, "in/escape/b.md": false, "in/../out/b.md": false, "inside/c.md": false, "door/a.md": true} {
			for _, root := range []string{"in", "door"} {
				if got, err := files.Within(w, w.at(root), w.at(p)); err != nil || got != want {
					t.Errorf("%s in %s: %v, %v", p, root, got, err)
				}
			}
		}
		if _, err := files.Within(w, w.at("in"), w.at("in/none")); !errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
	})
}

// walked is what a walk comes to, one word each: `path/` for a folder, `path@` for a link, `path!` for an error.
func walked(t *testing.T, w world, opts files.WalkOptions, skip ...string) []string {
	t.Helper()
	var out []string
	err := files.Walk(t.Context(), w, w.root, opts, func(s files.Step) error {
		if s.Path != w.at(s.Rel) {
			t.Errorf("%s is not at %s", s.Path, s.Rel)
		}
		word := s.Rel
		if s.Info.Kind == files.Folder {
			word += "/"
		}
		if s.Link {
			word += "@"
		}
		if s.Err != nil {
			word += "!"
		}
		out = append(out, word)
		if slices.Contains(skip, s.Rel) {
			return files.ErrSkipFolder
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	return out
}

func TestWalkOrder(t *testing.T) {
	onEveryTree(t, func(t *testing.T, w world) {
		for _, p := range []string{"a/x", "a-b/x", "a.md", "B", "a/b/c", ".hidden/y"} {
			w.write(w.at(p), "")
		}
		got := walked(t, w, files.WalkOptions{})
		want := []string{"./", ".hidden/", ".hidden/y", "B", "a-b/", "a-b/x", "a.md", "a/", "a/b/", "a/b/c", "a/x"}
		if !slices.Equal(got, want) {
			t.Errorf("got  %q\nwant %q", got, want)
		}
		got = walked(t, w, files.WalkOptions{}, "a", ".hidden")
		want = []string{"./", ".hidden/", "B", "a-b/", "a-b/x", "a.md", "a/"}
		if !slices.Equal(got, want) {
			t.Errorf("with folders skipped: %q", got)
		}
	})
}

func TestWalkLinks(t *testing.T) {
	onEveryTree(t, func(t *testing.T, w world) {
		outer := w
		w.root = w.at("root")
		w.write(w.at("real/f"), "")
		w.link("real", w.at("again"))  // inside: not entered
		w.link(".", w.at("self"))      // a cycle
		w.link("..", w.at("up"))       // holds the root
		w.link("real/f", w.at("file")) // a file
		w.link("none", w.at("broken"))
		w.write(outer.at("far/sub/g"), "")
		w.link(outer.at("far"), w.at("one"))
		w.link(outer.at("far"), w.at("two"))               // the same folder a second time
		w.link(outer.at("far/sub"), outer.at("far/cycle")) // a link in what a link led to
		got := walked(t, w, files.WalkOptions{Follow: true})
		want := []string{"./", "broken@!", "file@", "one/@", "one/cycle/@", "one/cycle/g", "real/", "real/f"}
		if !slices.Equal(got, want) {
			t.Errorf("got  %q\nwant %q", got, want)
		}
		got = walked(t, w, files.WalkOptions{})
		want = []string{"./", "again/@", "broken@!", "file@", "one/@", "real/", "real/f", "self/@", "two/@", "up/@"}
		if !slices.Equal(got, want) {
			t.Errorf("without following: %q", got)
		}
	})
}

func TestWalkLimitsAndErrors(t *testing.T) {
	onEveryTree(t, func(t *testing.T, w world) {
		w.write(w.at("a/b/c/d"), "")
		w.write(w.at("e"), "")
		if got := walked(t, w, files.WalkOptions{MaxDepth: 2}); !slices.Equal(got, []string{"./", "a/", "a/b/", "a/b/c/!", "e"}) {
			t.Errorf("depth: %q", got)
		}
		if got := walked(t, w, files.WalkOptions{MaxEntries: 3}); !slices.Equal(got, []string{"./", "a/", "a/b/", "a/b/!"}) {
			t.Errorf("entries: %q", got)
		}
		if err := files.Walk(t.Context(), w, w.at("none"), files.WalkOptions{}, nil); !errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
		if err := files.Walk(t.Context(), w, w.at("e"), files.WalkOptions{}, nil); err == nil {
			t.Error("a file can be walked")
		}
		seen := 0
		stop := errors.New("stop")
		for want, verdict := range map[error]error{stop: stop, nil: files.ErrSkipAll} {
			seen = 0
			err := files.Walk(t.Context(), w, w.root, files.WalkOptions{}, func(files.Step) error { seen++; return verdict })
			if !errors.Is(err, want) || seen != 1 {
				t.Errorf("after %v: %v, %d steps", verdict, err, seen)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := files.Walk(ctx, w, w.root, files.WalkOptions{}, func(files.Step) error { return nil }); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		w.close(w.at("a/b"))
		if got := walked(t, w, files.WalkOptions{}); !slices.Equal(got, []string{"./", "a/", "a/b/", "a/b/!", "e"}) {
			t.Errorf("with a closed folder: %q", got)
		}
		w.close(w.at("e"))
		if _, err := w.ReadFile(w.at("e"), 0); !errors.Is(err, fs.ErrPermission) {
			t.Error(err)
		}
	})
}
