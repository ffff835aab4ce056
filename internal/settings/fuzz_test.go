package settings_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/settings"
)

// FuzzTrust: a trust file trusts a folder only if it names it, and nothing but revoking or
// trusting writes it.
func FuzzTrust(f *testing.F) {
	for _, text := range []string{
		"", "{", `{"version":1,"trusted":["ROOT"]}`, `{"version":2,"trusted":[{"path":"ROOT"}]}`,
		`{"version":2,"trusted":[{"path":"ROOT","device":"1","inode":"2","owner":"3"}]}`,
		`{"version":2,"trusted":[{"path":"ROOT","device":"1"}]}`, `{"version":2,"trusted":["/"," ","","."]}`, `{"version":1,"trusted":[null]}`,
		`{"version":9,"trusted":["ROOT"]}`, `{"version":1,"trusted":["ROOT/../w"]} x`, `{"version":1e0,"trusted":{}}`, "null", `[["ROOT"]]`,
	} {
		f.Add(text)
	}
	base, err := filepath.EvalSymlinks(f.TempDir())
	if err != nil {
		f.Fatal(err)
	}
	root := filepath.Join(base, "w")
	if err := os.Mkdir(root, 0o700); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ReplaceAll(text, "ROOT", filepath.ToSlash(root))
		trust := settings.Trust{Path: filepath.Join(t.TempDir(), "trust.json")}
		if err := os.WriteFile(trust.Path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		ok, err := trust.Trusted(root)
		list, unread := trust.List()
		named := false
		for _, entry := range list {
			named = named || entry.Path == root && entry.Lapsed == ""
		}
		if ok && (err != nil || unread != nil || !named) {
			t.Errorf("trusted by %q: %v, %v, %v", text, err, unread, list)
		}
		if inner, _ := trust.Trusted(base); inner && !strings.Contains(text, `"`) {
			t.Errorf("what is around it is trusted by %q", text)
		}
		if unread != nil {
			if _, added, err := trust.Add(t.Context(), root); added || err == nil {
				t.Errorf("%q was overwritten", text)
			}
		} else if _, _, err := trust.Revoke(t.Context(), root); err == nil {
			if ok, _ := trust.Trusted(root); ok {
				t.Errorf("trusted after it was revoked: %q", text)
			}
		}
	})
}
