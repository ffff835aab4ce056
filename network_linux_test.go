//go:build linux && amd64

package pertain_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/internal/modeltest"
)

// TestNoNetworkCalls runs the program under a tracer and fails if it, or a program it starts, asks the
// kernel for a socket that could leave the machine. A dialer is traced first: a tracer that misses it proves nothing.
func TestNoNetworkCalls(t *testing.T) {
	dialer := filepath.Join(t.TempDir(), "dialer")
	buildProgram(t, dialer, filepath.Join("testdata", "dialer", "main.go"))
	trace, err := traced(t, tracedRun{argv: []string{dialer}})
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EACCES) || errors.Is(err, syscall.ENOSYS) {
		t.Skipf("this system does not permit ptrace: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(trace.sockets) == 0 || !strings.Contains(trace.sockets[0], "family 2") {
		t.Fatalf("the tracer missed a program that dials: %+v", trace)
	}

	// The test cache does not see what the go command below reads: reading the sources here makes it look.
	ownTree(t)
	if _, err := os.Stat("cmd/pertain"); err != nil {
		t.Skip("there is no cmd/pertain")
	}
	program := filepath.Join(t.TempDir(), "pertain")
	buildProgram(t, program, "./cmd/pertain")
	folder := t.TempDir()
	file := filepath.Join(folder, "x.strategy.md")
	text := "---\nname: X\nwhen:\n  clipboard.text:\n    contains: x\n---\nSay what this is.\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		code int
	}{
		{[]string{"version"}, 0},
		{[]string{"--help"}, 0},
		{[]string{"completion", "bash"}, 0},
		{[]string{"trust", "--list"}, 0},
		{[]string{"new", "strategy", "example"}, 0},
		{[]string{"lint"}, 0},
		{[]string{"lint", folder}, 0},
		{[]string{"lint", "--json", file}, 0},
		{[]string{"lint", filepath.Join(folder, "missing")}, 2},
	} {
		t.Run(strings.ReplaceAll(strings.Join(c.args, " "), folder, "folder"), func(t *testing.T) {
			trace, err := traced(t, tracedRun{argv: append([]string{program}, c.args...)})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string(nil), trace.sockets); diff != "" {
				t.Errorf("opened sockets (-want +got):\n%s", diff)
			}
			if trace.calls < 10 || trace.code != c.code {
				t.Errorf("exit code %d after %d system calls, want %d; output:\n%s", trace.code, trace.calls, c.code, trace.output)
			}
		})
	}
}

// TestAskConnectsAfterAgreement: `ask` is the one command that sends something. It opens no socket before the user has agreed to its
// upstream, and then none but to that.
func TestAskConnectsAfterAgreement(t *testing.T) {
	ownTree(t)
	program := filepath.Join(t.TempDir(), "pertain")
	buildProgram(t, program, "./cmd/pertain")
	model := modeltest.Start(func(*modeltest.Request) modeltest.Answer { return modeltest.Answer{Text: "Fine."} })
	defer model.Close()
	home := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(home, ".config", "pertain", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("config.yaml", "ask: {upstream: openai, url: \""+model.URL+"\", model: m, keyVariable: KEY}\n")
	write("strategies/x.strategy.md", "---\nname: X\n---\nSay {clipboard.text}.\n")
	write("now.json", `{"clipboard": {"text": "what it is"}}`)
	for _, c := range []struct {
		args     []string
		code     int
		connects bool
	}{
		{nil, 2, false},
		{[]string{"--show"}, 0, false},
		{[]string{"--json", "--to", "clipboard"}, 2, false},
		{[]string{"--agree"}, 0, true},
		{nil, 0, true},
	} {
		trace, err := traced(t, tracedRun{
			argv: append([]string{program, "ask", "user.x", "--context", filepath.Join(home, ".config", "pertain", "now.json"), "--no-stdin"}, c.args...),
			env:  []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "NO_COLOR=1", "KEY=sk-x", "HTTPS_PROXY=http://127.0.0.1:9", "HTTP_PROXY=http://127.0.0.1:9"},
		})
		if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EACCES) || errors.Is(err, syscall.ENOSYS) {
			t.Skipf("this system does not permit ptrace: %v", err)
		}
		if err != nil {
			t.Fatal(err)
		}
		if trace.code != c.code || (len(trace.sockets) > 0) != c.connects || (len(trace.connects) > 0) != c.connects {
			t.Errorf("%v: exit code %d, sockets %v, output:\n%s", c.args, trace.code, trace.sockets, trace.output)
		}
		for _, to := range trace.connects {
			if to != "connection to "+strings.TrimPrefix(model.URL, "http://") {
				t.Errorf("%v: %s", c.args, to)
			}
		}
	}
	if n := len(model.Requests()); n != 2 {
		t.Errorf("%d requests", n)
	}
}

func buildProgram(t *testing.T, output, source string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), "go", "build", "-o", output, source)
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := command.CombinedOutput(); err != nil {
		t.Fatalf("go build %s: %v\n%s", source, err, text)
	}
}
