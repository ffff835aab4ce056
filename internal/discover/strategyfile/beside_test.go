package strategyfile_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/discover/strategyfile"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/settings"
)

// TestBesideReach: a test file or context that was named reaches what a strategy in its place does.
func TestBesideReach(t *testing.T) {
	tree := memory(files.Unix, "/w/.git/HEAD", "/w/.pertain/strategies/a.strategy.test.yaml", "/free/a.strategy.test.yaml", "/mine/a.strategy.test.yaml", "/h/s/a.strategy.md",
		"/other/.git/HEAD", "/other/.pertain/strategies/a.strategy.test.yaml", "/other/a.strategy.test.yaml", "/w/sub/.git/HEAD", "/w/sub/a.strategy.test.yaml")
	tree.WriteFile("/w/.env", "HIDDEN")
	tree.WriteFile("/w/shared.yaml", "near")
	tree.WriteFile("/w/tokens.context.json", "near")
	tree.WriteFile("/home/u/.aws/credentials", "HIDDEN")
	tree.WriteFile("/home/u/.aws/x.context.json", "HIDDEN")
	tree.WriteFile("/notes/tokens.test.yaml", "elsewhere")
	tree.WriteFile("/notes/plain.test.yaml", "-----BEGIN OPENSSH PRIVATE KEY-----\nHIDDEN\n")
	tree.MakeLink("/mine", "/w/lnk")
	tree.MakeLink("/other", "/w/repo")
	tree.MakeLink("/w", "/alias")
	for _, dir := range []string{"/w", "/w/.pertain/strategies", "/free", "/h/s"} {
		tree.MakeLink("/home/u/.aws/credentials", dir+"/key.strategy.test.yaml")
		tree.MakeLink("/home/u/.aws/x.context.json", dir+"/key.context.json")
		tree.MakeLink("/notes/tokens.test.yaml", dir+"/far.strategy.test.yaml")
		tree.MakeLink("/notes/plain.test.yaml", dir+"/plain.strategy.test.yaml")
	}
	tree.MakeLink("/w/.env", "/w/env.strategy.test.yaml")
	tree.MakeLink("/w/shared.yaml", "/w/shared.strategy.test.yaml")
	tree.MakeLink("/w/tokens.context.json", "/w/t.context.json")
	tree.MakeLink("/w/shared.yaml", "/free/into.strategy.test.yaml")
	const out, secret = "leads out of the workspace", "looks like a secret"
	for path, want := range map[string]string{
		"/w/.pertain/strategies/a.strategy.test.yaml":          "",
		"/w/.pertain/strategies/key.strategy.test.yaml":        out,
		"/w/.pertain/strategies/far.strategy.test.yaml":        out,
		"/w/key.strategy.test.yaml":                            out,
		"/w/key.context.json":                                  out,
		"/alias/key.strategy.test.yaml":                        out,
		"/w/lnk/a.strategy.test.yaml":                          out,
		"/w/repo/a.strategy.test.yaml":                         out,
		"/w/repo/.pertain/strategies/a.strategy.test.yaml":     out,
		"/alias/repo/.pertain/strategies/a.strategy.test.yaml": out,
		"/w/env.strategy.test.yaml":                            secret,
		"/w/shared.strategy.test.yaml":                         "",
		"/w/t.context.json":                                    "",
		"/w/sub/a.strategy.test.yaml":                          "",
		"/other/a.strategy.test.yaml":                          "",
		"/free/a.strategy.test.yaml":                           "",
		"/free/far.strategy.test.yaml":                         "",
		"/free/into.strategy.test.yaml":                        "",
		"/free/plain.strategy.test.yaml":                       secret,
		"/free/key.strategy.test.yaml":                         secret,
		"/free/key.context.json":                               secret,
		"/h/s/far.strategy.test.yaml":                          "",
		"/h/s/key.strategy.test.yaml":                          secret,
	} {
		data, err := strategyfile.ReadBeside(tree, path, strategyfile.Reach(tree, strategyfile.Roots{User: []string{"/h/s"}}, path), 1<<20)
		var outside *files.OutsideError
		if (err == nil) != (want == "") || err != nil && (!errors.As(err, &outside) || !strings.Contains(outside.Reason(), want)) || strings.Contains(string(data), "HIDDEN") {
			t.Errorf("%s: %q, %v", path, data, err)
		}
	}
}

// TestLinkedWorkspace: behind a link that leads out of a workspace is no other one; whoever made the link named it, and not the user.
func TestLinkedWorkspace(t *testing.T) {
	tree := memory(files.Unix, "/w/.git/HEAD", "/w/sub/.git/HEAD", "/w/a/x", "/other/.git/HEAD", "/other/in/.pertain/x", "/above/x")
	tree.MakeLink("/other", "/w/repo")
	tree.MakeLink("/w/sub", "/w/near")
	tree.MakeLink("/w", "/above/link")
	for dir, want := range map[string]string{
		"/w/a": "/w", "/w/sub": "/w/sub", "/w/near": "/w/near", "/w/repo": "/w", "/w/repo/in": "/w", "/other/in": "/other/in", "/other": "/other",
		"/above/link": "/above/link", "/above/link/repo": "/above/link", "/above/link/sub": "/above/link/sub", "/above": "",
	} {
		if got := settings.WorkspaceAround(tree, dir); got != want {
			t.Errorf("%s: %q, want %q", dir, got, want)
		}
	}
}
