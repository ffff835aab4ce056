package settings_test

import (
	"testing"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/settings"
)

func TestWorkingDir(t *testing.T) {
	tree := files.NewMemory(files.Unix)
	for _, path := range []string{
		"/w/.git/HEAD", "/w/deep/sub/x", "/out/sub/x", "/own/.pertain/x", "/own/sub/x", "/both/.git/HEAD", "/both/inner/.pertain/x",
		"/private/tmp/r/.git/HEAD", "/private/tmp/r/sub/x", "/private/tmp/none/x",
	} {
		tree.WriteFile(path, "")
	}
	tree.MakeLink("/out", "/w/esc")
	tree.MakeLink("/own", "/w/own")
	tree.MakeLink("deep/sub", "/w/near")
	tree.MakeLink("/private/tmp", "/tmp")
	tree.MakeLink("/w/deep/sub", "/into")
	tree.MakeLink("/w", "/repo")
	tree.MakeLink("/both/inner", "/inner")
	for dir, want := range map[string]string{
		"/w":          "/w",
		"/w/deep/sub": "/w/deep/sub",
		"/w/esc":      "/out",
		"/w/esc/sub":  "/out/sub",
		"/w/own":      "/own", // a workspace of its own, and none of the repository's
		"/w/own/sub":  "/own/sub",
		"/w/near":     "/w/deep/sub",
		"/into":       "/w/deep/sub",
		"/inner":      "/both/inner", // the repository around it counts
		"/repo":       "/repo",       // links above the repository stay
		"/repo/deep":  "/repo/deep",
		"/repo/esc":   "/out",
		"/tmp/r":      "/tmp/r",
		"/tmp/r/sub":  "/tmp/r/sub",
		"/tmp/none":   "/tmp/none",
		"/gone":       "/gone",
	} {
		if got := settings.WorkingDir(tree, dir); got != want {
			t.Errorf("%s: %s, want %s", dir, got, want)
		}
	}
}
