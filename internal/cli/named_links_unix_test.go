//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNamedLinksOfAStranger: whatever a repository calls its links, what they lead to outside of it is not shown to whoever names them.
func TestNamedLinksOfAStranger(t *testing.T) {
	dir := t.TempDir()
	in := func(parts ...string) string { return filepath.Join(append([]string{dir}, parts...)...) }
	writeFile(t, in("home", ".aws", "credentials"), "aws_secret_access_key = HIDDEN\n")
	for _, own := range []string{"mine", "repo"} {
		writeFile(t, in(own, "m.strategy.md"), "---\nname: q\nHIDDEN: 1\n---\nx\n")
		writeFile(t, in(own, "m.strategy.test.yaml"), "cases:\n  - name: HIDDEN\n    HIDDEN: 1\n")
		writeFile(t, in(own, "m.context.json"), `{"HIDDEN": 1}`)
	}
	writeFile(t, in("repo", ".git", "HEAD"), "ref: refs/heads/main\n")
	writeFile(t, in("evil", ".git", "HEAD"), "ref: refs/heads/main\n")
	writeFile(t, in("evil", "s.strategy.md"), "---\nname: s\n---\nx\n")
	for link, target := range map[string]string{
		"a.strategy.test.yaml": "../home/.aws/credentials", "b.strategy.md": "../home/.aws/credentials", "s.strategy.test.yaml": "../mine/m.strategy.test.yaml",
		"c.context.json": "../mine/m.context.json", "d.context.yaml": "../home/.aws/credentials", "lnk": "../mine", "repo": "../repo",
	} {
		if err := os.Symlink(target, in("evil", link)); err != nil {
			t.Fatal(err)
		}
	}
	for _, command := range []string{"lint", "test"} {
		for _, path := range []string{
			"a.strategy.test.yaml", "b.strategy.md", "s.strategy.md", "c.context.json", "d.context.yaml", "lnk", "repo",
			"lnk/m.strategy.md", "lnk/m.strategy.test.yaml", "lnk/m.context.json", "repo/m.strategy.md", "repo/m.strategy.test.yaml", "repo/m.context.json",
		} {
			for at, name := range map[string]string{"evil": path, ".": "evil/" + path} {
				code, out, notes := callIn(t, in(at), "", command, name)
				if strings.Contains(out+notes, "HIDDEN") || code == 0 && !(command == "lint" && path == "s.strategy.md") {
					t.Errorf("%s %s in %s: exit %d\n%s%s", command, name, at, code, out, notes)
				}
			}
		}
	}
}
