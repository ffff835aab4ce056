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
		if diff := cmp.Diff(want, settings.Strangers(files.OS(), home, cwd, "")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", cwd, diff)
		}
	}
}

// TestStrangersWorkTrees: programs of one work tree are found from no other one, and a repository that names folders which do
// not name it keeps nothing from the user.
func TestStrangersWorkTrees(t *testing.T) {
	tree := files.NewMemory(files.Unix)
	for path, text := range map[string]string{
		"/main/.git/HEAD":                     "ref: refs/heads/main\n",
		"/main/.git/worktrees/one/gitdir":     "/one/.git\n",
		"/main/.git/worktrees/one/commondir":  "../..\n",
		"/one/.git":                           "gitdir: /main/.git/worktrees/one\n",
		"/main/.git/worktrees/two/gitdir":     "/elsewhere/two/.git\n",
		"/main/.git/worktrees/two/commondir":  "../..\n",
		"/elsewhere/two/.git":                 "gitdir: ../../main/.git/worktrees/two\n",
		"/main/.git/worktrees/gone/gitdir":    "/gone/.git\n",
		"/main/.git/worktrees/claim/gitdir":   "/usr/.git\n",
		"/usr/.git":                           "gitdir: /somewhere/else\n",
		"/main/.git/worktrees/home/gitdir":    "/home/.git\n",
		"/home/.git":                          "gitdir: /main/.git/worktrees/home\n",
		"/main/.git/worktrees/home/commondir": "../..\n",
		"/stranger/.git":                      "gitdir: /main/.git/worktrees/one\n",
		"/evil/.git":                          "gitdir: x\n",
		"/evil/x/gitdir":                      "/evil/.git\n",
		"/evil/x/commondir":                   "/usr/.git\n",
		"/apart/.git":                         "gitdir: /sgd\n",
		"/sgd/worktrees/four/gitdir":          "/four/.git\n",
		"/four/.git":                          "gitdir: /sgd/worktrees/four\n",
		"/bare/worktrees/three/gitdir":        "/three/.git\n",
		"/bare/worktrees/three/commondir":     "../..\n",
		"/three/.git":                         "gitdir: /bare/worktrees/three\n",
	} {
		tree.WriteFile(path, text)
	}
	for cwd, want := range map[string][]string{
		"/main":          {"/main", "/main", "/one", "/elsewhere/two"},
		"/one":           {"/one", "/one", "/main", "/elsewhere/two"},
		"/elsewhere/two": {"/elsewhere/two", "/elsewhere/two", "/main", "/one"},
		"/stranger":      {"/stranger", "/stranger"},
		"/evil":          {"/evil", "/evil"},
		"/apart":         {"/apart", "/apart", "/four"},
		"/three":         {"/three", "/three"},
	} {
		if diff := cmp.Diff(want, settings.Strangers(tree, "/home/u", cwd, "")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", cwd, diff)
		}
	}
}

// TestStrangersOnPath: a work tree that a folder of PATH lies in is a stranger's where its own git folder says so; what only the
// stranger says keeps nothing from the user.
func TestStrangersOnPath(t *testing.T) {
	tree := files.NewMemory(files.Unix)
	for path, text := range map[string]string{
		"/apart/.git":                   "gitdir: /sgd\n",
		"/apart/bin/git":                "",
		"/sgd/HEAD":                     "",
		"/sgd/worktrees/four/gitdir":    "/four/.git\n",
		"/sgd/worktrees/four/commondir": "../..\n",
		"/four/.git":                    "gitdir: /sgd/worktrees/four\n",
		"/four/bin/git":                 "",
		"/sup/.git/HEAD":                "",
		"/sup/bin/git":                  "",
		"/sup/mod/.git":                 "gitdir: ../.git/modules/mod\n",
		"/sup/mod/bin/git":              "",
		"/sup/.git/modules/mod/HEAD":    "",
		"/sup/.git/modules/mod/worktrees/five/gitdir":    "/five/.git\n",
		"/sup/.git/modules/mod/worktrees/five/commondir": "../..\n",
		"/five/.git":       "gitdir: /sup/.git/modules/mod/worktrees/five\n",
		"/five/bin/git":    "",
		"/tools/.git/HEAD": "",
		"/tools/bin/git":   "",
		"/claims/.git":     "gitdir: /tools/.git\n",
		"/usr/bin/git":     "",
		"/w/.git/HEAD":     "",
	} {
		tree.WriteFile(path, text)
	}
	const path = "/apart/bin:bin::/four/bin:/sup/bin:/sup/mod/bin:/five/bin:/tools/bin:/usr/bin:/nowhere"
	for cwd, want := range map[string][]string{
		"/apart":   {"/apart", "/four"},
		"/four":    {"/four", "/apart"},
		"/sup":     {"/sup", "/sup/mod", "/five"},
		"/sup/mod": {"/sup/mod", "/sup", "/five"},
		"/five":    {"/five", "/sup", "/sup/mod"},
		"/claims":  {"/claims"},
		"/w":       {"/w"},
	} {
		got := map[string]bool{}
		for _, dir := range settings.Strangers(tree, "/home/u", cwd, path) {
			got[dir] = true
		}
		expected := map[string]bool{}
		for _, dir := range want {
			expected[dir] = true
		}
		if diff := cmp.Diff(expected, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", cwd, diff)
		}
	}
}
