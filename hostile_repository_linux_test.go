//go:build linux && amd64

package pertain_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// hostileWorkspace is a stranger's repository that nobody trusts, with every known way to have a program started, and a
// user who has strategies of their own that ask for the repository's state.
type hostileWorkspace struct {
	t         *testing.T
	base, top string
	mark      string // the file that the stranger's programs make
	env       []string
}

// hostileKinds are further ways in which a repository is strange. Commands that do not look at git's files are run on
// those for all.
var hostileKinds = []struct {
	name   string
	all    bool
	change func(w *hostileWorkspace)
}{
	{"plain", false, func(*hostileWorkspace) {}},
	{"programs in the workspace", true, func(w *hostileWorkspace) {
		w.env[len(w.env)-1] = "PATH=" + w.path("top/bin") + ":" + w.path("linked") + ":.:bin::" + os.Getenv("PATH")
	}},
	{"file .git", false, func(w *hostileWorkspace) {
		w.must(os.Rename(w.path("top/.git"), w.path("top/sub/dot")))
		w.write("top/.git", "gitdir: sub/dot\n", 0o600)
	}},
	{"endless settings", false, func(w *hostileWorkspace) { w.link("/dev/zero", "top/.git/config") }},
	{"endless HEAD", false, func(w *hostileWorkspace) { w.link("/dev/zero", "top/.git/HEAD") }},
	{"HEAD is a pipe", false, func(w *hostileWorkspace) {
		w.must(os.Remove(w.path("top/.git/HEAD")))
		w.must(syscall.Mkfifo(w.path("top/.git/HEAD"), 0o600))
	}},
	{"index is a pipe", false, func(w *hostileWorkspace) {
		w.must(os.Remove(w.path("top/.git/index")))
		w.must(syscall.Mkfifo(w.path("top/.git/index"), 0o600))
	}},
	{"endless lists", false, func(w *hostileWorkspace) {
		w.link("/dev/zero", "top/.gitignore")
		w.link("/dev/zero", "top/.git/info/exclude")
		w.link("/dev/zero", "top/.gitmodules")
	}},
}

func newHostileWorkspace(t *testing.T) *hostileWorkspace {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &hostileWorkspace{t: t, base: base, top: filepath.Join(base, "top"), mark: filepath.Join(base, "mark")}
	w.env = []string{
		"HOME=" + w.path("home"), "XDG_CONFIG_HOME=" + w.path("home/.config"), "NO_COLOR=1", "LANG=en_US.UTF-8",
		"EDITOR=" + w.path("top/bin/evil"), "VISUAL=" + w.path("top/bin/evil"), "PAGER=" + w.path("top/bin/evil"), "BROWSER=" + w.path("top/bin/evil"),
	}
	w.env = append(w.env, "PATH="+os.Getenv("PATH"))
	w.write("home/.config/pertain/strategies/changes.strategy.md", "---\nname: Changes\nwhen:\n  any:\n    - extra.workspace.git.hasChanges:\n        in: [true, false]\n    - extra.workspace.git.branch:\n        equals: main\n    - extra.workspace.root:\n        regex: .\n---\nOn branch {extra.workspace.git.branch}.\n", 0o600)
	w.write("home/.config/pertain/config.yaml", "ask: {upstream: ollama, url: \"http://127.0.0.1:9/v1\", model: m}\n", 0o600)
	for _, name := range []string{"top/.pertain/config.yaml", "top/pertain/config.yaml", "top/config.yaml"} {
		w.write(name, "ask: {upstream: openai, url: \"http://127.0.0.1:10/v1\", model: m, keyVariable: PATH}\n", 0o600)
	}
	evil := "#!/bin/sh\n: > '" + w.mark + "'\n"
	for _, name := range []string{"evil", "git", "tmux", "sh", "xclip", "xsel", "wl-copy", "clip.exe", "ssh", "node", "less", "osascript", "git-lfs"} {
		w.write("top/bin/"+name, evil, 0o700)
	}
	w.link(w.path("top/bin"), "linked")
	w.write("top/a.txt", "a\n", 0o600)
	w.write("top/sub/b.txt", "b\n", 0o600)
	w.write("top/AGENTS.md", "Always be kind.\n", 0o600)
	w.write("top/CLAUDE.md", "@AGENTS.md\n", 0o600)
	w.write("top/.pertain/strategies/s.strategy.md", "---\nname: S\nwhen:\n  clipboard.text:\n    contains: x\n---\nSay.\n", 0o600)
	w.write("top/.gitattributes", "* filter=a=b diff=x merge=x\n*.txt filter=\n", 0o600)
	w.link("../..", "top/.clinerules")
	w.git("top", "init", "-q")
	w.git("top", "add", ".")
	w.git("top", "commit", "-q", "-m", "first")
	w.write("lib/a.txt", "a\n", 0o600)
	w.git("lib", "init", "-q")
	w.git("lib", "add", ".")
	w.git("lib", "commit", "-q", "-m", "first")
	w.git("top", "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", w.path("lib"), "lib")
	w.git("top", "commit", "-q", "-m", "second")
	tree := w.git("top", "rev-parse", "HEAD^{tree}")
	w.must(os.Remove(w.path("top/.git/objects/" + tree[:2] + "/" + tree[2:])))
	settings := strings.ReplaceAll(hostileSettings, "EVIL", w.path("top/bin/evil"))
	w.write("top/.git/config", settings+"[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = x\n\tworktreeConfig = true\n", 0o600)
	w.write("top/.git/config.worktree", settings, 0o600)
	w.write("top/.git/modules/lib/config", settings+"[core]\n\tworktree = ../../../lib\n", 0o600)
	for _, hook := range []string{"post-index-change", "reference-transaction", "fsmonitor-watchman", "pre-commit", "post-checkout"} {
		w.write("top/.git/hooks/"+hook, evil, 0o700)
	}
	later := time.Now().Add(time.Hour)
	for _, name := range []string{"top/a.txt", "top/lib/a.txt"} {
		w.must(os.Chtimes(w.path(name), later, later))
	}
	_ = os.Remove(w.mark)
	return w
}

const hostileSettings = `[core]
	fsmonitor = EVIL
	hooksPath = hooks
	pager = EVIL
	editor = EVIL
	sshCommand = EVIL
	askPass = EVIL
	gitProxy = EVIL
	alternateRefsCommand = EVIL
[filter "a=b"]
	clean = EVIL
	smudge = EVIL
[filter ""]
	process = EVIL
	clean = EVIL
[diff]
	external = EVIL
[diff "x"]
	command = EVIL
	textconv = EVIL
[merge "x"]
	driver = EVIL
[credential]
	helper = EVIL
[gpg]
	program = EVIL
[alias]
	status = !EVIL
[pager]
	status = EVIL
[remote "x"]
	promisor = true
	url = http://127.0.0.1:9/x
	uploadpack = EVIL
[remote "y"]
	promisor = true
	url = ../lib
	uploadpack = EVIL
`

func (w *hostileWorkspace) path(name string) string { return filepath.Join(w.base, name) }

func (w *hostileWorkspace) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *hostileWorkspace) write(name, text string, mode os.FileMode) {
	w.t.Helper()
	w.must(os.MkdirAll(filepath.Dir(w.path(name)), 0o700))
	w.must(os.WriteFile(w.path(name), []byte(text), mode))
}

// link puts a link where something else may be.
func (w *hostileWorkspace) link(target, name string) {
	w.t.Helper()
	w.must(os.MkdirAll(filepath.Dir(w.path(name)), 0o700))
	w.must(os.RemoveAll(w.path(name)))
	w.must(os.Symlink(target, w.path(name)))
}

// git makes the repository, before it is hostile.
func (w *hostileWorkspace) git(dir string, args ...string) string {
	w.t.Helper()
	cmd := exec.CommandContext(w.t.Context(), "git", append([]string{"-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "init.defaultBranch=main"}, args...)...)
	cmd.Dir = w.path(dir)
	cmd.Env = []string{"HOME=" + w.base, "PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1"}
	out, err := cmd.CombinedOutput()
	if err != nil {
		w.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}
