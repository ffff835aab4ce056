package settings_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/settings"
)

// newTrust returns an empty store and a folder with real paths to make workspaces in.
func newTrust(t *testing.T) (settings.Trust, string) {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return settings.Trust{Path: filepath.Join(base, "config", "pertain", "trust.json")}, base
}

func folder(t *testing.T, parts ...string) string {
	t.Helper()
	path := filepath.Join(parts...)
	if err := os.MkdirAll(path, 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func trusted(t *testing.T, trust settings.Trust, root string) bool {
	t.Helper()
	ok, err := trust.Trusted(root)
	if err != nil {
		t.Error(err)
	}
	return ok
}

func TestTrust(t *testing.T) {
	ctx := t.Context()
	trust, base := newTrust(t)
	outer := folder(t, base, "w")
	inner := folder(t, outer, "vendor", "inner")
	if trusted(t, trust, outer) {
		t.Error("trusted without a file")
	}
	if list, err := trust.List(); err != nil || len(list) != 0 {
		t.Errorf("%v, %v", list, err)
	}
	resolved, added, err := trust.Add(ctx, filepath.Join(inner, "..", ".."))
	if err != nil || !added || resolved != outer {
		t.Errorf("%s, %v, %v", resolved, added, err)
	}
	if _, added, err := trust.Add(ctx, outer); err != nil || added {
		t.Errorf("a second time: %v, %v", added, err)
	}
	// Exactly this folder: a stranger's checkout inside it is not trusted, nor what is around it.
	if !trusted(t, trust, outer) || trusted(t, trust, inner) || trusted(t, trust, base) {
		t.Error("trust is not exact")
	}
	if info, err := os.Stat(trust.Path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if path, removed, err := trust.Revoke(ctx, inner); err != nil || removed || path != inner {
		t.Errorf("%s, %v, %v", path, removed, err)
	}
	if _, removed, err := trust.Revoke(ctx, outer); err != nil || !removed || trusted(t, trust, outer) {
		t.Errorf("%v, %v", removed, err)
	}
}

// TestTrustFileInACircle: which of the ways finds the circle depends on what was looked at before; what is said of it does not.
func TestTrustFileInACircle(t *testing.T) {
	const want = "(it is a link that leads in a circle, or through too many others)"
	trust, base := newTrust(t)
	root := folder(t, base, "w")
	circles := map[string]string{trust.Path: trust.Path, filepath.Join(base, "loop"): filepath.Join(base, "loop")}
	folder(t, filepath.Dir(trust.Path))
	for link, target := range circles {
		if err := os.Symlink(target, link); err != nil {
			t.Skip(err)
		}
	}
	for _, path := range []string{trust.Path, filepath.Join(base, "loop", "trust.json")} {
		trust.Path = path
		var corrupt *settings.CorruptTrustError
		if ok, err := trust.Trusted(root); ok || !errors.As(err, &corrupt) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: trusted %v, %v", path, ok, err)
		}
	}
}

func TestTrustFollowsLinks(t *testing.T) {
	ctx := t.Context()
	trust, base := newTrust(t)
	good, evil := folder(t, base, "good"), folder(t, base, "evil")
	link := filepath.Join(base, "link")
	if err := os.Symlink(good, link); err != nil {
		t.Skip(err)
	}
	if resolved, _, err := trust.Add(ctx, link); err != nil || resolved != good {
		t.Errorf("%s, %v", resolved, err)
	}
	if !trusted(t, trust, link) || !trusted(t, trust, good) {
		t.Error("the link and its target differ")
	}
	// The link is turned to another folder, then the folder itself is replaced by a link: trust stays where it was given.
	if err := errors.Join(os.Remove(link), os.Symlink(evil, link)); err != nil {
		t.Fatal(err)
	}
	if trusted(t, trust, link) {
		t.Error("a link carries trust to another folder")
	}
	if err := errors.Join(os.Remove(good), os.Symlink(evil, good)); err != nil {
		t.Fatal(err)
	}
	if trusted(t, trust, good) || trusted(t, trust, evil) {
		t.Error("a folder that became a link carries trust")
	}
	if _, removed, err := trust.Revoke(ctx, good); err != nil || !removed {
		t.Errorf("%v, %v", removed, err)
	}
}

func TestRevokeAFolderThatIsGone(t *testing.T) {
	ctx := t.Context()
	trust, base := newTrust(t)
	gone := folder(t, base, "gone")
	if _, _, err := trust.Add(ctx, gone); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(gone); err != nil {
		t.Fatal(err)
	}
	if ok, err := trust.Trusted(gone); ok || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v, %v", ok, err)
	}
	if _, removed, err := trust.Revoke(ctx, gone); err != nil || !removed {
		t.Errorf("%v, %v", removed, err)
	}
}

func TestTrustRefuses(t *testing.T) {
	ctx := t.Context()
	trust, base := newTrust(t)
	if _, _, err := trust.Add(ctx, filepath.Join(base, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	file := filepath.Join(base, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := trust.Add(ctx, file); err == nil {
		t.Error("a file can be trusted")
	}
	m := files.NewMemory(files.Unix)
	m.MakeFolder("/a\xff")
	trust.Tree = m
	if _, _, err := trust.Add(ctx, "/a\xff"); err == nil || strings.Contains(err.Error(), "\xff") {
		t.Errorf("a path that cannot be stored: %v", err)
	}
}

func TestCorruptTrustFile(t *testing.T) {
	ctx := t.Context()
	for _, text := range []string{
		"", "{", "[]", "null", "{}", `{"version":1,"trusted":["/w"]} x`, `{"version":3,"trusted":["/w"]}`, `{"version":2,"trusted":[{"path":"/w","device":"1"}]}`, `{"version":2,"trusted":[{"path":"/w","device":"1","inode":"2","owner":""}]}`,
		`{"version":2,"trusted":[{"device":"1","inode":"2","owner":"3"}]}`, `{"version":2,"trusted":[null]}`, `{"version":1,"trusted":[""]}`, `{"version":2,"trusted":[1]}`,
		`{"version":2,"trusted":[{"path":"/w","device":"1","inode":"2","owner":"3","more":4}]}`,

		`{"version":1,"trusted":"/w"}`, `{"version":1,"trusted":["/w"],"more":1}`, strings.Repeat(" ", 5<<20),
	} {
		trust, base := newTrust(t)
		root := folder(t, base, "w")
		folder(t, filepath.Dir(trust.Path))
		if err := os.WriteFile(trust.Path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var corrupt *settings.CorruptTrustError
		if ok, err := trust.Trusted(root); ok || !errors.As(err, &corrupt) {
			t.Errorf("%.40q: trusted %v, %v", text, ok, err)
		}
		if _, added, err := trust.Add(ctx, root); added || !errors.As(err, &corrupt) || !strings.Contains(err.Error(), "delete it") {
			t.Errorf("%.40q: added %v, %v", text, added, err)
		}
		if _, removed, err := trust.Revoke(ctx, root); removed || !errors.As(err, &corrupt) {
			t.Errorf("%.40q: removed %v, %v", text, removed, err)
		}
		if got, _ := os.ReadFile(trust.Path); string(got) != text {
			t.Errorf("%.40q was overwritten", text)
		}
	}
}

func TestTrustLosesNothing(t *testing.T) {
	trust, base := newTrust(t)
	var want []string
	var group sync.WaitGroup
	for i := range 12 {
		root := folder(t, base, fmt.Sprint("w", i))
		want = append(want, root)
		group.Go(func() {
			if _, _, err := trust.Add(t.Context(), root); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	slices.Sort(want)
	got, err := trust.List()
	if err != nil || len(got) != len(want) {
		t.Fatalf("%v, %v", got, err)
	}
	for i, entry := range got {
		if entry.Path != want[i] || entry.Lapsed != "" {
			t.Errorf("%+v, want %s", entry, want[i])
		}
	}
}

func TestTrustOnWindowsIgnoresCase(t *testing.T) {
	trust, _ := newTrust(t)
	m := files.NewMemory(files.Windows)
	m.MakeFolder(`C:\Work\Repo`)
	m.MakeFolder(`C:\Work\Repo2`)
	trust.Tree = m
	if resolved, _, err := trust.Add(t.Context(), `c:\work\repo`); err != nil || resolved != `C:\Work\Repo` {
		t.Errorf("%s, %v", resolved, err)
	}
	if !trusted(t, trust, `C:/WORK/REPO`) || trusted(t, trust, `C:\Work\Repo2`) || trusted(t, trust, `C:\Work`) {
		t.Error("trust is not exact")
	}
}

// TestTrustWithoutFile holds that a user without a home trusts nothing, and that
// nothing is written to the working directory.
func TestTrustWithoutFile(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if ok, err := (settings.Trust{}).Trusted(dir); ok || err != nil {
		t.Errorf("got %v, %v", ok, err)
	}
	if _, _, err := (settings.Trust{}).Add(t.Context(), dir); err == nil {
		t.Error("trusted nowhere")
	}
	if _, _, err := (settings.Trust{}).Revoke(t.Context(), dir); err == nil {
		t.Error("revoked nowhere")
	}
	if left, err := os.ReadDir("."); err != nil || len(left) > 0 {
		t.Errorf("there is %v, %v", left, err)
	}
}
