package files_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/files"
)

// realTrees are the two ways in which the real disk is opened.
func realTrees() map[string]files.Tree {
	return map[string]files.Tree{"disk": files.OS(), "by root": files.ByRoot()}
}

// insideAndOutside makes a folder `in` and a folder `out` beside it; it returns the folder of both.
func insideAndOutside(t *testing.T) string {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{"in/a.md": "inside", "in/sub/b.md": "inside", "out/s.md": "OUTSIDE", "out/b.md": "OUTSIDE"} {
		path = filepath.Join(top, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return top
}

func link(t *testing.T, target, path string) {
	t.Helper()
	if err := os.Symlink(target, path); err != nil {
		t.Skip("needs symbolic links: ", err)
	}
}

func TestOpenWithin(t *testing.T) {
	top := insideAndOutside(t)
	in := filepath.Join(top, "in")
	link(t, "a.md", filepath.Join(in, "same.md"))
	link(t, "sub", filepath.Join(in, "dir"))
	link(t, "../out/s.md", filepath.Join(in, "leak.md"))
	link(t, filepath.Join(top, "out"), filepath.Join(in, "folder"))
	link(t, "leak.md", filepath.Join(in, "twice.md"))
	link(t, "loop", filepath.Join(in, "loop"))
	link(t, "none", filepath.Join(in, "dangling"))
	link(t, "../out/none", filepath.Join(in, "dangling-out"))
	link(t, in, filepath.Join(top, "way"))
	for name, tree := range realTrees() {
		within := files.Below(tree, filepath.Join(top, "way")) // a folder that is named by a link is itself
		for path, want := range map[string]string{
			"a.md": "inside", "same.md": "inside", "dir/b.md": "inside", "sub/../a.md": "inside", "folder/../in/a.md": "inside",
			"leak.md": "outside", "folder/s.md": "outside", "twice.md": "outside", "../out/s.md": "outside", "folder": "outside", "..": "outside",
			"loop": "error", "dangling": "error", "dangling-out": "error", "none": "error", "a.md/x": "error", "folder/none": "error",
		} {
			data, real, err := files.ReadWithin(tree, in+"/"+path, within, 100)
			var refused *files.OutsideError
			got := "error"
			switch {
			case errors.As(err, &refused):
				got = "outside"
			case err == nil:
				got = string(data)
			}
			if path == "folder/../in/a.md" && got == "error" {
				got = want // the path is cleaned by its letters first
			}
			if got != want {
				t.Errorf("%s: %s is %q, %v", name, path, got, err)
			}
			if err == nil && !strings.HasPrefix(real, in+"/") {
				t.Errorf("%s: %s is at %s", name, path, real)
			}
		}
		if list, err := files.ListWithin(tree, filepath.Join(in, "dir"), within); err != nil || len(list) != 1 || list[0].Name != "b.md" {
			t.Errorf("%s: %v %v", name, list, err)
		}
		if _, err := files.ListWithin(tree, filepath.Join(in, "folder"), within); err == nil {
			t.Errorf("%s: a folder outside is listed", name)
		}
		if _, err := tree.Open(filepath.Join(in, "a.md"), files.Bounds{}); err == nil {
			t.Errorf("%s: no bounds hold something", name)
		}
		if _, err := tree.Open(filepath.Join(in, "a.md"), files.Below(tree, filepath.Join(top, "none"))); err == nil {
			t.Errorf("%s: a folder that is not there holds something", name)
		}
	}
}

// TestOpenHolds: what was opened stays what it was, whatever is put at its name.
func TestOpenHolds(t *testing.T) {
	for name, tree := range realTrees() {
		top := insideAndOutside(t)
		path := filepath.Join(top, "in", "a.md")
		o, err := tree.Open(path, files.Below(tree, filepath.Join(top, "in")))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		link(t, filepath.Join(top, "out", "s.md"), path)
		if data, err := o.Read(100); err == nil && string(data) != "inside" {
			t.Errorf("%s: %q", name, data)
		}
		o.Close()
	}
}

// TestInsideFailsClosed: what cannot be looked at is not inside.
func TestInsideFailsClosed(t *testing.T) {
	top := insideAndOutside(t)
	in := filepath.Join(top, "in")
	link(t, "loop", filepath.Join(in, "loop"))
	link(t, "../out/none", filepath.Join(in, "dangling"))
	for _, path := range []string{"loop", "loop/x", "dangling", "dangling/x", strings.Repeat("a/", 3000) + "x", strings.Repeat("a", 300)} {
		if files.Inside(in, filepath.Join(in, path)) {
			t.Errorf("%.40s counts as inside", path)
		}
	}
	if !files.Inside(in, filepath.Join(in, "new", "x")) {
		t.Error("a file that is not there yet is outside")
	}
}

// TestLongWays: a link whose target has no name that fits into a path is refused, not taken for harmless.
func TestLongWays(t *testing.T) {
	top := insideAndOutside(t)
	in := filepath.Join(top, "in")
	segment := strings.Repeat("d", 200)
	root, err := os.OpenRoot(in)
	if err != nil {
		t.Fatal(err)
	}
	for range 22 { // 4,400 bytes
		if err := root.Mkdir(segment, 0o755); err != nil {
			t.Skip(err)
		}
		next, err := root.OpenRoot(segment)
		if err != nil {
			t.Skip(err)
		}
		_ = root.Close()
		root = next
	}
	defer root.Close()
	if err := root.Symlink(filepath.Join(top, "out", "s.md"), "deep.md"); err != nil {
		t.Skip(err)
	}
	if f, err := root.Create("plain.md"); err == nil {
		_, _ = f.WriteString("far away")
		_ = f.Close()
	}
	half := strings.TrimSuffix(strings.Repeat(segment+"/", 11), "/")
	link(t, half, filepath.Join(in, "half"))
	link(t, "half/"+half+"/deep.md", filepath.Join(in, "AGENTS.md"))
	link(t, "half/"+half+"/plain.md", filepath.Join(in, "plain.md"))
	for name, tree := range realTrees() {
		for _, path := range []string{"AGENTS.md", "plain.md"} {
			data, _, err := files.ReadWithin(tree, filepath.Join(in, path), files.Below(tree, in), 100)
			if err == nil {
				t.Errorf("%s: %s is read: %q", name, path, data)
			}
		}
		if ok, err := files.Within(tree, in, filepath.Join(in, "AGENTS.md")); ok {
			t.Errorf("%s: within, %v", name, err)
		}
	}
	if files.Inside(in, filepath.Join(in, "AGENTS.md")) || files.Inside(in, filepath.Join(in, "plain.md")) {
		t.Error("it counts as inside")
	}
}

// TestWalkWithin: a walk enters nothing that is out of bounds, and tells of it.
func TestWalkWithin(t *testing.T) {
	top := insideAndOutside(t)
	in := filepath.Join(top, "in")
	link(t, "../out", filepath.Join(in, "folder"))
	link(t, "../out/s.md", filepath.Join(in, "leak.md"))
	link(t, "../..", filepath.Join(in, "sub", "up"))
	for name, tree := range realTrees() {
		within := files.Below(tree, in)
		refused := map[string]bool{}
		err := files.Walk(t.Context(), tree, in, files.WalkOptions{Follow: true, Within: &within}, func(step files.Step) error {
			var out *files.OutsideError
			if errors.As(step.Err, &out) {
				refused[step.Rel] = true
			} else if step.Err != nil || strings.Contains(step.Rel, "folder") || strings.Contains(step.Rel, "up") {
				t.Errorf("%s: %s %v", name, step.Rel, step.Err)
			}
			return nil
		})
		if err != nil || len(refused) != 3 {
			t.Errorf("%s: %v %v", name, refused, err)
		}
		err = files.Walk(t.Context(), tree, filepath.Join(in, "folder"), files.WalkOptions{Within: &within}, func(files.Step) error { return nil })
		var out *files.OutsideError
		if !errors.As(err, &out) {
			t.Errorf("%s: the root: %v", name, err)
		}
	}
}

// TestOpenWithinOnWindows: drives, shares and case are those of Windows.
func TestOpenWithinOnWindows(t *testing.T) {
	m := files.NewMemory(files.Windows)
	for _, path := range []string{`C:\w\a.md`, `C:\Work\a.md`, `D:\w\a.md`, `\\host\share\w\a.md`, `C:\w\sub\a.md`} {
		m.WriteFile(path, path)
	}
	for target, path := range map[string]string{`D:\w`: `C:\w\drive`, `\\host\share\w`: `C:\w\share`, `C:\W\SUB`: `C:\w\same`, `..\Work`: `C:\w\up`, `\Work\a.md`: `C:\w\root.md`} {
		m.MakeLink(target, path)
	}
	within := files.Below(m, `c:\W`)
	for path, inside := range map[string]bool{
		`C:\w\a.md`: true, `c:/W/A.MD`: true, `C:\w\same\a.md`: true, `C:\w\drive\a.md`: false, `C:\w\share\a.md`: false,
		`C:\w\up\a.md`: false, `C:\w\root.md`: false, `C:\Work\a.md`: false, `D:\w\a.md`: false,
	} {
		data, _, err := files.ReadWithin(m, path, within, 100)
		var out *files.OutsideError
		if inside != (err == nil) || !inside && !errors.As(err, &out) {
			t.Errorf("%s: %q %v", path, data, err)
		}
	}
}

// TestForeignUp: on the way up, what another user made does not count.
func TestForeignUp(t *testing.T) {
	m := files.NewMemory(files.Unix)
	m.WriteFile("/a/.git/HEAD", "")
	m.WriteFile("/a/b/.git/HEAD", "")
	m.MakeFolder("/a/b/c")
	m.GiveAway("/a/b/.git")
	if dir, _, ok := files.FindUp(m, "/a/b/c", ".git"); !ok || dir != "/a" {
		t.Errorf("%s %v", dir, ok)
	}
	if path, ok := files.ForeignUp(m, "/a/b/c", ".git"); !ok || path != "/a/b/.git" {
		t.Errorf("%s %v", path, ok)
	}
	if dir, _, ok := files.FindUp(m, "/a/b", ".git"); !ok || dir != "/a/b" {
		t.Errorf("the folder itself: %s %v", dir, ok)
	}
	m.GiveAway("/a")
	if dir, _, ok := files.FindUp(m, "/a/b/c", ".git"); ok {
		t.Errorf("%s", dir)
	}
}

func TestOpenErrors(t *testing.T) {
	for name, tree := range realTrees() {
		if _, err := tree.Open(filepath.Join(t.TempDir(), "none"), files.Anywhere()); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
