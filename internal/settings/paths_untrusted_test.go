package settings_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/settings"
)

func TestStrangers(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(parts ...string) string { return filepath.Join(append([]string{base}, parts...)...) }
	for _, dir := range []string{at("home", ".git"), at("home", "w", ".git"), at("home", "w", "sub", ".pertain"), at("home", "w", "sub", "deep"), at("home", "archive", "deep")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	home := at("home")
	for cwd, want := range map[string][]string{
		at("home", "w", "sub", "deep"): {at("home", "w", "sub", "deep"), at("home", "w", "sub"), at("home", "w")},
		at("home", "w"):                {at("home", "w"), at("home", "w")},
		// What was unpacked is no workspace, and the one around it is the user's home.
		at("home", "archive", "deep"): {at("home", "archive", "deep"), home},
		home:                          {home},
		base:                          nil,
		"":                            nil,
	} {
		if diff := cmp.Diff(want, settings.Strangers(files.OS(), home, cwd)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", cwd, diff)
		}
	}
}
