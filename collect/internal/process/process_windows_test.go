package process

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestProcessFacts(t *testing.T) {
	if Name(uint32(os.Getpid())) == "" || Name(0xFFFFFFF0) != "" {
		t.Error("program names")
	}
	if Higher(uint32(os.Getpid())) {
		t.Error("this process has more rights than itself")
	}
	if got := Arguments(uint32(os.Getpid())); len(got) != len(os.Args) || len(got) > 1 && got[1] != os.Args[1] {
		t.Errorf("%q, want %q", got, os.Args)
	}
	dir := ownFolder(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	child := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestSleep$")
	child.Dir = dir
	child.Env = append(os.Environ(), "PERTAIN_SLEEP=1")
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		cancel()
		_ = child.Wait()
	}()
	want := strings.ToLower(filepath.Clean(dir))
	got := ""
	for range 200 {
		if got = strings.ToLower(dirOf(uint32(child.Process.Pid))); got == want {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if pid, name := latest(uint32(os.Getpid())); int(pid) != child.Process.Pid || name != BareName(os.Args[0]) {
		t.Errorf("%d %q is not the child %d", pid, name, child.Process.Pid)
	}
	if got := strings.ToLower(Dir(uint32(os.Getpid()), "WindowsTerminal", "")); got != want {
		t.Errorf("in a terminal: %q, want %q", got, want)
	}
	if got := Dir(uint32(child.Process.Pid), "WindowsTerminal", ""); got != "" {
		t.Errorf("a terminal without programs is in %q", got)
	}
	if got := Dir(uint32(child.Process.Pid), "pwsh", consoleClass); got != "" {
		t.Errorf("PowerShell's folder was guessed: %q", got)
	}
}

// TestSleep is what other tests start as another program.
func TestSleep(t *testing.T) {
	if os.Getenv("PERTAIN_SLEEP") == "" {
		t.Skip("it is started by other tests")
	}
	time.Sleep(20 * time.Second)
}

func TestBareName(t *testing.T) {
	for path, want := range map[string]string{`C:\a\Code.exe`: "Code", `C:\a\TOOL.EXE`: "TOOL", "notepad": "notepad", `D:\x.y\vi.bin`: "vi.bin"} {
		if got := BareName(path); got != want {
			t.Errorf("%s: %q", path, got)
		}
	}
}

// ownFolder is t.TempDir without a failure where it cannot be removed: Wine does
// not know the call that Go removes files with.
func ownFolder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "pertain") //nolint:usetesting // see above
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}
