//go:build unix

package git

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/internal/program"
)

// hostile is a repository that names a program for git to run, which leaves a
// mark, and a server that counts who asks it.
type hostile struct {
	t      *testing.T
	base   string
	top    string
	script string // the program
	mark   string // the file that it makes
	url    string // of the server
	asked  atomic.Int32
}

func newHostile(t *testing.T) *hostile {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	h := &hostile{t: t, base: base, top: filepath.Join(base, "top"), script: filepath.Join(base, "evil"), mark: filepath.Join(base, "mark")}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		h.asked.Add(1)
		w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
		w.WriteHeader(http.StatusUnauthorized)
	}))
	t.Cleanup(server.Close)
	h.url = server.URL
	h.write("home/.gitconfig", "[user]\n\tname = n\n\temail = e@example.org\n[protocol \"file\"]\n\tallow = always\n", 0o600)
	h.write("evil", "#!/bin/sh\n: > '"+h.mark+"'\nexit 1\n", 0o700)
	h.write("top/a.txt", "a\n", 0o600)
	h.write("top/.gitattributes", "* filter=x diff=x merge=x\n", 0o600)
	h.git("init", "-q")
	h.git("add", ".")
	h.git("commit", "-q", "-m", "first")
	for _, hook := range []string{"post-index-change", "reference-transaction", "pre-auto-gc", "fsmonitor-watchman", "post-checkout"} {
		h.write("top/.git/hooks/"+hook, "#!/bin/sh\n: > '"+h.mark+"'\n", 0o700)
	}
	_ = os.Remove(h.mark)
	return h
}

func (h *hostile) write(name, text string, mode os.FileMode) {
	h.t.Helper()
	path := filepath.Join(h.base, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		h.t.Fatal(err)
	}
}

func (h *hostile) env(name string) string {
	switch name {
	case "HOME":
		return filepath.Join(h.base, "home")
	case "PATH":
		return os.Getenv(name)
	}
	return ""
}

// git runs git as the user would.
func (h *hostile) git(args ...string) string {
	h.t.Helper()
	out, err := h.tryGit(args...)
	if err != nil {
		h.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

func (h *hostile) tryGit(args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(h.t.Context(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = h.top
	cmd.Env = []string{"HOME=" + h.env("HOME"), "PATH=" + h.env("PATH"), "GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0"}
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// settings adds to those of the repository.
func (h *hostile) settings(text string) {
	h.t.Helper()
	f, err := os.OpenFile(filepath.Join(h.top, ".git", "config"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		h.t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		h.t.Fatal(err)
	}
}

// partial makes the repository one that has left its objects at a remote.
func (h *hostile) partial(url string) {
	h.t.Helper()
	tree := strings.TrimSpace(h.git("rev-parse", "HEAD^{tree}"))
	h.settings("[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = x\n[remote \"x\"]\n\tpromisor = true\n\turl = " + url + "\n")
	if err := os.Remove(filepath.Join(h.top, ".git", "objects", tree[:2], tree[2:])); err != nil {
		h.t.Fatal(err)
	}
}

// touch makes git read the file again.
func (h *hostile) touch() {
	h.t.Helper()
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(filepath.Join(h.top, "a.txt"), later, later); err != nil {
		h.t.Fatal(err)
	}
}

// ran tells whether the program ran or the server was asked, and forgets it.
func (h *hostile) ran() bool {
	err := os.Remove(h.mark)
	return h.asked.Swap(0) > 0 || err == nil
}

// look reads the repository as the collector does.
func (h *hostile) look(trusted bool) State {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(h.t.Context(), 20*time.Second)
	defer cancel()
	return reader(h.top, h.env, trusted).Read(ctx, h.top)
}

// reader is one for a workspace, in which git itself is never looked for.
func reader(workspace string, env func(string) string, trusted bool) Reader {
	return Reader{Env: env, Trusted: func(string) bool { return trusted }, Search: func(without ...string) program.Search {
		return program.Search{Path: env("PATH"), Without: append(without, workspace)}
	}}
}

// unusedPort is the address of a port that nobody listens at any more.
func unusedPort(t *testing.T) string {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func (h *hostile) move(from, to string) {
	h.t.Helper()
	if err := os.Rename(filepath.Join(h.base, from), filepath.Join(h.base, to)); err != nil {
		h.t.Fatal(err)
	}
}
