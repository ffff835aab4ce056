//go:build linux && amd64

package pertain_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestNoNetworkCalls runs the program under a tracer and fails if it, or a program it starts, asks the
// kernel for a socket that could leave the machine. A dialer is traced first: a tracer that misses it proves nothing.
func TestNoNetworkCalls(t *testing.T) {
	dialer := filepath.Join(t.TempDir(), "dialer")
	buildProgram(t, dialer, filepath.Join("testdata", "dialer", "main.go"))
	trace, err := traceSockets(t, []string{dialer})
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
			trace, err := traceSockets(t, append([]string{program}, c.args...))
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

func buildProgram(t *testing.T, output, source string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), "go", "build", "-o", output, source)
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := command.CombinedOutput(); err != nil {
		t.Fatalf("go build %s: %v\n%s", source, err, text)
	}
}

// socketTrace is what one run did.
type socketTrace struct {
	sockets []string // one line for each socket that is not of the Unix family
	calls   int      // system calls seen, entries and exits
	code    int
	output  string
}

const (
	ptraceExitKill  = 0x100000   // PTRACE_O_EXITKILL: no traced process outlives the test
	waitOwnThread   = 0x20000000 // __WNOTHREAD: leave the children of other tests alone
	sysIOURingSetup = 425        // rings can open sockets without a system call that shows it
	traceLimit      = time.Minute
	syscallStop     = syscall.SIGTRAP | 0x80
	familyUnix      = syscall.AF_UNIX
)

// traceSockets runs a program to its end and follows all its threads and children.
func traceSockets(t *testing.T, argv []string) (*socketTrace, error) {
	t.Helper()
	out, err := os.Create(filepath.Join(t.TempDir(), "output"))
	if err != nil {
		return nil, err
	}
	defer out.Close()
	null, err := os.Open(os.DevNull)
	if err != nil {
		return nil, err
	}
	defer null.Close()

	runtime.LockOSThread() // the kernel knows the tracer by its thread
	defer runtime.UnlockOSThread()
	pid, err := syscall.ForkExec(argv[0], argv, &syscall.ProcAttr{
		Dir:   t.TempDir(),
		Env:   []string{"HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH"), "NO_COLOR=1"},
		Files: []uintptr{null.Fd(), out.Fd(), out.Fd()},
		Sys:   &syscall.SysProcAttr{Ptrace: true},
	})
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", argv[0], err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), traceLimit)
	defer context.AfterFunc(ctx, func() { _ = syscall.Kill(pid, syscall.SIGKILL) })()
	defer cancel()

	trace := &socketTrace{}
	if err := trace.follow(pid); err != nil {
		_ = syscall.Kill(pid, syscall.SIGKILL)
		return nil, err
	}
	text, err := os.ReadFile(out.Name())
	trace.output = string(text)
	return trace, err
}

func (trace *socketTrace) follow(pid int) error {
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(pid, &status, 0, nil); err != nil {
		return fmt.Errorf("wait for the first stop: %w", err)
	}
	if !status.Stopped() {
		return fmt.Errorf("the program was not traced: %w", syscall.EPERM)
	}
	options := syscall.PTRACE_O_TRACESYSGOOD | syscall.PTRACE_O_TRACECLONE | syscall.PTRACE_O_TRACEFORK |
		syscall.PTRACE_O_TRACEVFORK | syscall.PTRACE_O_TRACEEXEC | ptraceExitKill
	if err := syscall.PtraceSetOptions(pid, options); err != nil {
		return fmt.Errorf("set trace options: %w", err)
	}
	if err := syscall.PtraceSyscall(pid, 0); err != nil {
		return fmt.Errorf("continue: %w", err)
	}
	for {
		stopped, err := syscall.Wait4(-1, &status, syscall.WALL|waitOwnThread, nil)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case err != nil:
			return fmt.Errorf("wait: %w", err)
		case status.Signaled() && stopped == pid:
			return fmt.Errorf("the program was killed by %v", status.Signal())
		case status.Exited() && stopped == pid:
			trace.code = status.ExitStatus()
			return nil
		case !status.Stopped():
			continue
		}
		signal := 0
		switch stop := status.StopSignal(); stop {
		case syscallStop:
			trace.record(stopped)
		case syscall.SIGTRAP, syscall.SIGSTOP: // news of a clone, fork or exec, and the first stop of a new thread
		default:
			signal = int(stop)
		}
		// A thread that was killed meanwhile is gone: ESRCH is no failure.
		if err := syscall.PtraceSyscall(stopped, signal); err != nil && !errors.Is(err, syscall.ESRCH) {
			return fmt.Errorf("continue: %w", err)
		}
	}
}

// record looks at the registers: Orig_rax is the call, Rdi its first argument. Each call stops twice, at entry with Rax -ENOSYS.
func (trace *socketTrace) record(pid int) {
	trace.calls++
	var registers syscall.PtraceRegs
	if syscall.PtraceGetRegs(pid, &registers) != nil || int64(registers.Rax) != -int64(syscall.ENOSYS) {
		return
	}
	switch {
	case registers.Orig_rax == syscall.SYS_SOCKET && registers.Rdi != familyUnix:
		trace.sockets = append(trace.sockets, fmt.Sprintf("socket of family %d, type %d", registers.Rdi, registers.Rsi))
	case registers.Orig_rax == sysIOURingSetup:
		trace.sockets = append(trace.sockets, "io_uring")
	}
}
