//go:build linux && amd64

package pertain_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// tracedRun is a program that is run under a tracer.
type tracedRun struct {
	argv  []string
	dir   string   // empty: a new one
	env   []string // nil: a home of its own, and PATH
	input string   // what it reads
	// until are texts of its output that show that it has done its work. Then done is called with the output, if
	// there is one, the input ends, and the program is asked to end. Empty: it ends by itself.
	until []string
	done  func(output string)
}

// programTrace is what one run did.
type programTrace struct {
	sockets  []string // one line for each socket that is not of the Unix family
	connects []string // one line for each connection that is not of the Unix family
	programs []string // those that were started, or tried
	calls    int      // system calls seen, entries and exits
	code     int
	output   string
}

const (
	ptraceExitKill  = 0x100000   // PTRACE_O_EXITKILL: no traced process outlives the test
	waitOwnThread   = 0x20000000 // __WNOTHREAD: leave the children of other tests alone
	sysIOURingSetup = 425        // rings can open sockets without a system call that shows it
	sysExecveat     = 322
	traceLimit      = time.Minute
	syscallStop     = syscall.SIGTRAP | 0x80
	familyUnix      = syscall.AF_UNIX
)

// traced runs a program to its end and follows all its threads and children.
func traced(t *testing.T, run tracedRun) (*programTrace, error) {
	t.Helper()
	out, err := os.Create(filepath.Join(t.TempDir(), "output"))
	if err != nil {
		return nil, err
	}
	defer out.Close()
	input, feed, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer input.Close()
	defer feed.Close()
	if run.dir == "" {
		run.dir = t.TempDir()
	}
	if run.env == nil {
		run.env = []string{"HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH"), "NO_COLOR=1"}
	}

	runtime.LockOSThread() // the kernel knows the tracer by its thread
	defer runtime.UnlockOSThread()
	pid, err := syscall.ForkExec(run.argv[0], run.argv, &syscall.ProcAttr{
		Dir:   run.dir,
		Env:   run.env,
		Files: []uintptr{input.Fd(), out.Fd(), out.Fd()},
		Sys:   &syscall.SysProcAttr{Ptrace: true},
	})
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", run.argv[0], err)
	}
	input.Close()
	ctx, cancel := context.WithTimeout(t.Context(), traceLimit)
	defer context.AfterFunc(ctx, func() { _ = syscall.Kill(pid, syscall.SIGKILL) })()
	defer cancel()
	go run.attend(ctx, pid, feed, out.Name())

	trace := &programTrace{}
	if err := trace.follow(pid); err != nil {
		_ = syscall.Kill(pid, syscall.SIGKILL)
		text, _ := os.ReadFile(out.Name())
		return nil, fmt.Errorf("%w; output:\n%s", err, text)
	}
	text, err := os.ReadFile(out.Name())
	trace.output = string(text)
	return trace, err
}

// attend feeds the program and, once it has done its work, ends it.
func (run tracedRun) attend(ctx context.Context, pid int, feed *os.File, output string) {
	defer feed.Close()
	_, _ = feed.WriteString(run.input)
	if len(run.until) == 0 {
		return
	}
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-look.C:
		}
		text, err := os.ReadFile(output)
		if err != nil || slices.ContainsFunc(run.until, func(part string) bool { return !strings.Contains(string(text), part) }) {
			continue
		}
		if run.done != nil {
			run.done(string(text))
		}
		_ = syscall.Kill(pid, syscall.SIGTERM)
		return
	}
}

func (trace *programTrace) follow(pid int) error {
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
func (trace *programTrace) record(pid int) {
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
	case registers.Orig_rax == syscall.SYS_CONNECT:
		var address [8]byte // the family, and for IPv4 the port and the address
		_, err := syscall.PtracePeekData(pid, uintptr(registers.Rsi), address[:])
		switch family := binary.NativeEndian.Uint16(address[:]); {
		case err == nil && family == syscall.AF_INET:
			to := netip.AddrPortFrom(netip.AddrFrom4([4]byte(address[4:])), binary.BigEndian.Uint16(address[2:]))
			trace.connects = append(trace.connects, "connection to "+to.String())
		case err != nil || family != familyUnix:
			trace.connects = append(trace.connects, fmt.Sprintf("connection of family %d", family))
		}
	case registers.Orig_rax == syscall.SYS_EXECVE:
		trace.programs = append(trace.programs, textAt(pid, uintptr(registers.Rdi)))
	case registers.Orig_rax == sysExecveat:
		trace.programs = append(trace.programs, textAt(pid, uintptr(registers.Rsi)))
	}
}

// textAt reads a text out of the memory of a traced program.
func textAt(pid int, address uintptr) string {
	var text []byte
	for len(text) < 4096 {
		var word [8]byte
		n, err := syscall.PtracePeekData(pid, address+uintptr(len(text)), word[:])
		if err != nil || n == 0 {
			return string(text) + "?"
		}
		if end := strings.IndexByte(string(word[:n]), 0); end >= 0 {
			return string(append(text, word[:end]...))
		}
		text = append(text, word[:n]...)
	}
	return string(text)
}
