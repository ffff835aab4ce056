package settings_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/identity"
	"github.com/pertain-dev/pertain/internal/settings"
)

// lapsed is what is wrong with the one entry there is.
func lapsed(t *testing.T, trust settings.Trust) string {
	t.Helper()
	list, err := trust.List()
	if err != nil || len(list) != 1 {
		t.Fatalf("%v, %v", list, err)
	}
	return list[0].Lapsed
}

// TestTrustIsForOneFolder: what takes the name of a trusted folder is not trusted, nor is that
// folder when it belongs to another.
func TestTrustIsForOneFolder(t *testing.T) {
	trust, base := newTrust(t)
	root := folder(t, base, "w")
	if _, _, err := trust.Add(t.Context(), root); err != nil {
		t.Fatal(err)
	}
	refused := func(why string) {
		t.Helper()
		var gone *settings.LapsedTrustError
		if ok, err := trust.Trusted(root); ok || !errors.As(err, &gone) || !strings.Contains(err.Error(), why) {
			t.Errorf("trusted %v, %v", ok, err)
		}
		if got := lapsed(t, trust); !strings.Contains(got, why) {
			t.Errorf("listed as %q, want %q", got, why)
		}
	}
	if err := os.Rename(root, root+"-away"); err != nil {
		t.Fatal(err)
	}
	if got := lapsed(t, trust); got != "the folder is gone" {
		t.Errorf("%q", got)
	}
	folder(t, root)
	refused("another folder is in its place")
	if trusted(t, trust, root+"-away") {
		t.Error("trust goes with the folder to another name")
	}
	// The very folder comes back.
	if err := errors.Join(os.Remove(root), os.Rename(root+"-away", root)); err != nil {
		t.Fatal(err)
	}
	if !trusted(t, trust, root) || lapsed(t, trust) != "" {
		t.Error("the folder that was trusted is not")
	}
	if runtime.GOOS == "windows" || os.Geteuid() != 0 {
		t.Skip("only the superuser can give a folder away")
	}
	if err := os.Chown(root, 12345, -1); err != nil {
		t.Fatal(err)
	}
	refused("somebody else's folder now")
	if _, added, err := trust.Add(t.Context(), root); err != nil || !added || !trusted(t, trust, root) {
		t.Errorf("trusted again: %v, %v", added, err)
	}
}

// TestOldTrust: an entry of a path alone trusts nothing, whoever has the folder: a path can be guessed. It stays, is told, and is made whole
// when the user trusts the folder again.
func TestOldTrust(t *testing.T) {
	trust, base := newTrust(t)
	root := folder(t, base, "w")
	folder(t, filepath.Dir(trust.Path))
	data, err := json.Marshal(map[string]any{"version": 1, "trusted": []string{root}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(trust.Path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if ok, err := trust.Trusted(root); ok || err == nil || !strings.Contains(lapsed(t, trust), "not noted") {
		t.Errorf("trusted %v, %v", ok, err)
	}
	// Another entry is written, and this one stays what it is.
	other := folder(t, base, "other")
	if _, _, err := trust.Add(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	if _, _, err := trust.Revoke(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	if ok, _ := trust.Trusted(root); ok {
		t.Error("trusted after a change")
	}
	if text, _ := os.ReadFile(trust.Path); strings.Contains(string(text), "inode") {
		t.Errorf("it was noted which folder it is, and nobody looked: %s", text)
	}
	if _, added, err := trust.Add(t.Context(), root); err != nil || !added || !trusted(t, trust, root) {
		t.Errorf("%v, %v", added, err)
	}
	if text, _ := os.ReadFile(trust.Path); !strings.Contains(string(text), "inode") || !strings.Contains(string(text), `"version": 2`) {
		t.Errorf("it was not noted which folder it is: %s", text)
	}
	if err := os.Rename(root, root+"-away"); err != nil {
		t.Fatal(err)
	}
	folder(t, root)
	if ok, _ := trust.Trusted(root); ok {
		t.Error("another folder is trusted")
	}
}

// TestTrustOfAFolderMadeAnew: the next folder may get the number of the one that was
// removed, and is another one nevertheless.
func TestTrustOfAFolderMadeAnew(t *testing.T) {
	trust, base := newTrust(t)
	root := folder(t, base, "w")
	before, err := identity.Of(root)
	if err != nil || before.Birth == "" {
		t.Skip("this file system does not tell when a folder was made")
	}
	if _, _, err := trust.Add(t.Context(), root); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(root); err != nil {
		t.Fatal(err)
	}
	folder(t, root)
	now, err := identity.Of(root)
	if err != nil {
		t.Fatal(err)
	}
	if now.Birth == before.Birth {
		t.Skip("the clock of this file system is too coarse")
	}
	if ok, _ := trust.Trusted(root); ok || lapsed(t, trust) != "another folder is in its place" {
		t.Errorf("trusted %v: %q; inode %s, before %s", ok, lapsed(t, trust), now.Inode, before.Inode)
	}
	if _, added, err := trust.Add(t.Context(), root); err != nil || !added || !trusted(t, trust, root) {
		t.Errorf("trusted again: %v, %v", added, err)
	}
	// An entry that lacks the time is compared by the rest, and gets it when the user trusts the folder again.
	text, err := os.ReadFile(trust.Path)
	if err != nil {
		t.Fatal(err)
	}
	without := strings.Replace(string(text), `"birth": "`+now.Birth+`"`, `"birth": ""`, 1)
	if without == string(text) {
		t.Fatalf("no time in %s", text)
	}
	if err := os.WriteFile(trust.Path, []byte(without), 0o600); err != nil {
		t.Fatal(err)
	}
	if !trusted(t, trust, root) {
		t.Error("an entry without the time is not trusted")
	}
	if _, added, err := trust.Add(t.Context(), root); err != nil || added {
		t.Errorf("%v, %v", added, err)
	}
	if again, _ := os.ReadFile(trust.Path); string(again) != string(text) {
		t.Errorf("%s\nwant\n%s", again, text)
	}
	// With the rest equal, another time is another folder.
	other := strings.Replace(string(text), now.Birth, before.Birth, 1)
	if err := os.WriteFile(trust.Path, []byte(other), 0o600); err != nil {
		t.Fatal(err)
	}
	if ok, _ := trust.Trusted(root); ok {
		t.Error("a folder that was made at another time is trusted")
	}
}

// TestTrustInItself: a folder may bring a list along that names it by its path; what it cannot know is which folder it will be.
func TestTrustInItself(t *testing.T) {
	folder, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	trust := settings.Trust{Path: filepath.Join(folder, "x", "trust.json")}
	if err := os.MkdirAll(filepath.Dir(trust.Path), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, entry := range []any{folder, map[string]string{"path": folder}} {
		data, err := json.Marshal(map[string]any{"version": 1, "trusted": []any{entry}})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(trust.Path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		var lapsed *settings.LapsedTrustError
		if trusted, err := trust.Trusted(folder); trusted || !errors.As(err, &lapsed) {
			t.Errorf("%s: %v, %v", data, trusted, err)
		}
	}
	if _, _, err := trust.Add(t.Context(), folder); err != nil {
		t.Fatal(err)
	}
	if trusted, err := trust.Trusted(folder); !trusted {
		t.Errorf("what the user trusted: %v", err)
	}
}
