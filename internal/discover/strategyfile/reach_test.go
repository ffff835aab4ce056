package strategyfile_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/discover/strategyfile"
	"github.com/pertain-dev/pertain/internal/fileerror"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/strategy"
)

// reach is a repository of strangers, a folder of strategies that is in none, and what neither may show.
func reach() *files.Memory {
	tree := memory(files.Unix, "/w/.git/HEAD", "/w/st/a.strategy.md", "/free/a.strategy.md", "/free/token.strategy.md", "/notes/b.strategy.md")
	tree.WriteFile("/w/docs/token-budget.md", "near")
	tree.WriteFile("/w/.env", "HIDDEN")
	tree.WriteFile("/w/.git/config", "HIDDEN")
	tree.WriteFile("/w/infra/terraform.tfstate", "HIDDEN")
	tree.WriteFile("/w/.bare/config", "HIDDEN")
	tree.WriteFile("/notes/bare/config.md", "HIDDEN")
	for _, git := range []string{"/w/.bare", "/notes/bare"} {
		tree.WriteFile(git+"/HEAD", "")
		tree.MakeFolder(git + "/objects")
		tree.MakeFolder(git + "/refs")
	}
	tree.WriteFile("/w/.env.example", "near")
	tree.WriteFile("/w/src/tokens.ts", "near")
	tree.WriteFile("/free/seed.md", "near")
	tree.WriteFile("/notes/x.md", "elsewhere")
	tree.WriteFile("/notes/tokens.md", "HIDDEN")
	tree.WriteFile("/notes/plain.md", "-----BEGIN OPENSSH PRIVATE KEY-----\nHIDDEN\n")
	tree.WriteFile("/home/u/.ssh/id_rsa", "HIDDEN")
	tree.WriteFile("/home/u/.aws/config.md", "HIDDEN")
	tree.MakeSpecial("/proc/self/environ")
	for _, dir := range []string{"/w/st", "/free"} {
		tree.MakeLink("/notes/b.strategy.md", dir+"/b.strategy.md")
		tree.MakeLink("/home/u/.ssh/id_rsa", dir+"/key.strategy.md")
		tree.MakeLink("/notes/plain.md", dir+"/plain.strategy.md")
		tree.MakeLink("/proc/self/environ", dir+"/proc.strategy.md")
	}
	tree.MakeLink("/w/st", "/alias")
	return tree
}

// reads writes which of the providers' files are read, as NAME [in WORKSPACE] or NAME !PROBLEM.
func reads(t *testing.T, providers []strategy.Provider) string {
	t.Helper()
	var b strings.Builder
	for _, p := range providers {
		entries, err := p.List(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			problem := e.Problem
			if problem == "" {
				data, err := p.Read(context.Background(), e)
				if err != nil {
					problem = fileerror.Reason(err)
				}
				if strings.Contains(string(data), "HIDDEN") {
					t.Errorf("%s was read: %s", e.Name, data)
				}
			}
			fmt.Fprintf(&b, "%s in %q", e.Name, e.Origin.Confine)
			if problem != "" {
				b.WriteString(" !" + problem)
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// TestNamedFoldersReach: a folder that was named stays in the workspace it is in; elsewhere its links lead anywhere but to secrets.
func TestNamedFoldersReach(t *testing.T) {
	const held = `%[1]s/a.strategy.md in "/w"
%[1]s/b.strategy.md in "/w" !it is a link that leads out of the workspace
%[1]s/key.strategy.md in "/w" !it is a link that leads out of the workspace
%[1]s/plain.strategy.md in "/w" !it is a link that leads out of the workspace
%[1]s/proc.strategy.md in "/w" !it is a link that leads out of the workspace
`
	const free = `/free/a.strategy.md in ""
/free/b.strategy.md in ""
/free/key.strategy.md in "" !it is a link to what looks like a secret
/free/plain.strategy.md in "" !it is a link to what looks like a secret
/free/proc.strategy.md in "" !it is a special file, not a regular file
/free/token.strategy.md in ""
`
	for dir, want := range map[string]string{"/w/st": fmt.Sprintf(held, "/w/st"), "/alias": fmt.Sprintf(held, "/alias"), "/free": free} {
		tree := reach()
		provider := strategyfile.Providers(tree, strategyfile.Roots{Named: []string{dir}})
		if diff := cmp.Diff(want, reads(t, provider)); diff != "" {
			t.Errorf("%s: %s", dir, diff)
		}
		for line := range strings.Lines(want) {
			name, _, _ := strings.Cut(line, " ")
			listed, _ := provider[0].List(context.Background())
			found, ok := provider[0].Find(name)
			if at := slices.IndexFunc(listed, func(e strategy.Entry) bool { return e.Name == name }); !ok || at < 0 || listed[at] != found {
				t.Errorf("%s is found as %v", name, found)
			}
		}
		var paths []string
		for line := range strings.Lines(want) {
			name, _, _ := strings.Cut(line, " ")
			paths = append(paths, name)
		}
		named, err := strategyfile.Named(context.Background(), tree, strategyfile.Roots{}, paths)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, reads(t, named)); diff != "" {
			t.Errorf("files of %s: %s", dir, diff)
		}
	}
}

// TestStrategiesOfOthers: trust in a folder is no trust in whoever may write there. Without it the file is read, to be looked at.
func TestStrategiesOfOthers(t *testing.T) {
	const dir = "/w/.pertain/strategies"
	for _, tt := range []struct {
		foreign, shared string
		trusted         bool
		want            string
	}{
		{dir + "/a.strategy.md", dir, false, ""},
		{dir + "/a.strategy.md", "/w", true, " !it belongs to another user, in a folder that others may write"},
		{dir, "/w/.pertain", true, " !a folder that it is in belongs to another user, and lies in one that others may write"},
		{dir + "/a.strategy.md", "/other", true, ""},
		{"/other", dir, true, ""},
	} {
		tree := memory(files.Unix, "/w/.git/HEAD", dir+"/a.strategy.md", "/other/x")
		tree.GiveAway(tt.foreign)
		tree.Share(tt.shared)
		provider := strategyfile.Providers(tree, strategyfile.Roots{Workspace: "/w", Trusted: tt.trusted})
		if got, want := reads(t, provider), dir+"/a.strategy.md in \"/w\""+tt.want+"\n"; got != want {
			t.Errorf("%+v: %s", tt, got)
		}
	}
}

// TestFromOthers: nor is it trust in the sources of a strategy, once links are followed.
func TestFromOthers(t *testing.T) {
	for _, tt := range []struct {
		from    string
		trusted bool
		ok      bool
	}{
		{"../../pub/f.md", true, false},
		{"../../pub/f.md", false, true}, // to be looked at: nothing of it runs
		{"../../pub/own.md", true, true},
		{"../../linked.md", true, false},
		{"../../own.md", true, true},
	} {
		tree := memory(files.Unix, "/w/.git/HEAD", "/w/.pertain/strategies/a.strategy.md", "/w/pub/f.md", "/w/pub/own.md", "/w/own.md")
		tree.MakeLink("/w/pub/f.md", "/w/linked.md")
		tree.GiveAway("/w/pub/f.md")
		tree.Share("/w/pub")
		resolver := strategyfile.Resolver{Tree: tree}
		_, err := resolver.Resolve(t.Context(), strategy.Reference{Target: tt.from}, diag.NewSource("/w/.pertain/strategies/a.strategy.md", ""), strategy.Origin{Provider: "workspace", Confine: "/w", Trusted: tt.trusted})
		if (err == nil) != tt.ok || err != nil && !strings.Contains(err.Error(), "belongs to another user") {
			t.Errorf("%+v: %v", tt, err)
		}
	}
}

// TestFromSecrets: whoever wrote a strategy, its source is no secret.
func TestFromSecrets(t *testing.T) {
	for _, test := range []struct {
		file, confine, from string
		ok                  bool
	}{
		{"/free/a.strategy.md", "", "/notes/x.md", true},
		{"/free/a.strategy.md", "", "./seed.md", true},
		{"/free/a.strategy.md", "", "/notes/tokens.md", false},
		{"/free/a.strategy.md", "", "/notes/plain.md", false},
		{"/free/a.strategy.md", "", "/home/u/.ssh/id_rsa", false},
		{"/home/u/a.strategy.md", "", ".aws/config.md", false},
		{"/free/a.strategy.md", "", "./key.strategy.md", false},
		{"/free/a.strategy.md", "", "/proc/self/environ", false},
		{"/w/st/a.strategy.md", "/w", "../docs/token-budget.md", true},
		{"/w/st/a.strategy.md", "/w", "../.env", false},
		{"/w/st/a.strategy.md", "/w", "../.git/config", false},
		{"/w/st/a.strategy.md", "/w", "../.bare/config", false},
		{"/free/a.strategy.md", "", "/notes/bare/config.md", false},
		{"/w/st/a.strategy.md", "/w", "../infra/terraform.tfstate", false},
		{"/w/st/a.strategy.md", "/w", "../.env.example", true},
		{"/w/st/a.strategy.md", "/w", "../src/tokens.ts", true},
		{"/w/st/a.strategy.md", "/w", "/notes/x.md", false},
	} {
		resolver := strategyfile.Resolver{Tree: reach()}
		included, err := resolver.Resolve(context.Background(), strategy.Reference{Target: test.from}, diag.NewSource(test.file, ""), strategy.Origin{Provider: "user", Confine: test.confine, Trusted: true})
		if (err == nil) != test.ok || strings.Contains(string(included.Data), "HIDDEN") {
			t.Errorf("%s of %s: %q, %v", test.from, test.file, included.Data, err)
		}
	}
}
