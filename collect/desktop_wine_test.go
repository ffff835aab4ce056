//go:build desktop && linux

package collect_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// wine is a Windows without a screen.
type wine struct {
	t      *testing.T
	loader string
	home   string
	env    []string
}

// TestDesktopWine runs the tests of the Windows collectors under Wine, and the
// program itself. Wine has windows, their events, processes and the clipboard;
// UI Automation it has not, and instead there is a fake that is made of the
// same COM tables (internal/uia/uiatest).
func TestDesktopWine(t *testing.T) {
	t.Parallel()
	w := newWine(t)
	dir := tempDir(t)
	program := filepath.Join(dir, "pertain.exe")
	w.build("build", "-o", program, "../cmd/pertain")
	const names = "^Test(Automation|ControlTypes|FrontWindow|GatherOnWindows|NoAutomation|ExplorerViews|ProcessFacts|BareName|DebuggingPort|Listens|SoleListener|PortThat|IsAddress|WatchWindows|Clipboard(OnWindows|Secrets))"
	for _, folder := range []string{".", "./internal/devtools", "./internal/filemanager", "./internal/process", "./internal/uia"} {
		tests := filepath.Join(dir, filepath.Base(folder)+"_test.exe")
		w.build("test", "-c", "-o", tests, folder)
		out, err := w.run(tests, "-test.v", "-test.timeout=2m", "-test.run="+names)
		passed := strings.Count(out, "--- PASS: Test")
		if err != nil || passed == 0 || strings.Contains(out, "--- SKIP") {
			t.Errorf("%s: %v\n%s", folder, err, withoutPasses(out))
		}
		t.Logf("%s: %d tests of the Windows collectors passed", folder, passed)
	}
	out, err := w.run(program, "context", "--json")
	var answer struct{ Parts []struct{ Path string } }
	_, object, _ := strings.Cut(out, "{")
	// Wine itself may say something before and after it.
	if err != nil || json.NewDecoder(strings.NewReader("{"+object)).Decode(&answer) != nil || len(answer.Parts) == 0 {
		t.Errorf("pertain context: %v\n%s", err, out)
	}
}

// withoutPasses leaves out what is fine.
func withoutPasses(out string) string {
	var kept []string
	for line := range strings.Lines(out) {
		if !strings.Contains(line, "=== RUN") && !strings.Contains(line, "--- PASS") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}

func newWine(t *testing.T) *wine {
	t.Helper()
	w := &wine{t: t, loader: "/usr/lib/wine/wine64"} // where Debian has it
	if _, err := os.Stat(w.loader); err != nil {
		need(t, "wine64")
		w.loader = "wine64"
	}
	w.home = tempDir(t)
	prefix := filepath.Join(w.home, "prefix")
	w.env = []string{
		"HOME=" + w.home, "WINEPREFIX=" + prefix, "WINEDEBUG=-all", "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8",
		"WINEDLLOVERRIDES=mscoree,mshtml=", // else it offers to download them
	}
	t.Cleanup(func() { // what Wine has started for this prefix
		end := exec.Command("/usr/lib/wine/wineserver", "-k")
		end.Env = w.env
		_ = end.Run()
	})
	for _, args := range [][]string{
		{"wineboot", "-i"},
		{"reg", "add", `HKCU\Software\Wine\Drivers`, "/v", "Graphics", "/d", "null", "/f"},
	} {
		if out, err := w.run(args...); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	library := filepath.Join(prefix, "drive_c", "windows", "system32", "bcryptprimitives.dll")
	if _, err := os.Stat(library); err != nil {
		if err := os.WriteFile(library, randomLibrary(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// build runs the go command for Windows.
func (w *wine) build(args ...string) {
	w.t.Helper()
	cmd := exec.CommandContext(w.t.Context(), "go", args...)
	cmd.Env = append(os.Environ(), "GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		w.t.Fatalf("go %s: %v\n%s", args[0], err, out)
	}
}

// run runs a program. What it says goes to a file: Wine's own processes would
// hold a pipe open.
func (w *wine) run(args ...string) (string, error) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), 3*time.Minute)
	defer cancel()
	file, err := os.Create(filepath.Join(w.home, "output"))
	if err != nil {
		w.t.Fatal(err)
	}
	defer file.Close()
	cmd := exec.CommandContext(ctx, w.loader, args...)
	cmd.Env, cmd.Stdout, cmd.Stderr = w.env, file, file
	failed := cmd.Run()
	out, err := os.ReadFile(file.Name())
	if err != nil {
		w.t.Fatal(err)
	}
	return string(out), failed
}

// randomLibrary is bcryptprimitives.dll, which programs in Go need and Wine 8
// lacks. It has no code: its one function, ProcessPrng, is another name for
// advapi32's SystemFunction036, which does the same.
func randomLibrary() []byte {
	const (
		base    = 0x1000 // where the section is in memory
		at      = 0x400  // and in the file
		name    = base + 0x60
		export  = base + 0x80
		forward = base + 0xA0
	)
	var section bytes.Buffer
	put := func(to *bytes.Buffer, values ...any) {
		for _, v := range values {
			_ = binary.Write(to, binary.LittleEndian, v) // a buffer takes everything
		}
	}
	// The directory of exports, the three tables it points to, and the names.
	put(&section, uint32(0), uint32(0), uint32(0), uint32(name), uint32(1), uint32(1), uint32(1), uint32(base+0x30), uint32(base+0x38), uint32(base+0x40), uint64(0))
	put(&section, uint32(forward), uint32(0), uint32(export), uint32(0), uint16(0))
	text := func(offset int, s string) {
		section.Write(make([]byte, offset-section.Len()))
		section.WriteString(s)
	}
	text(name-base, "bcryptprimitives.dll")
	text(export-base, "ProcessPrng")
	text(forward-base, "advapi32.SystemFunction036")
	text(0x200, "")

	var file bytes.Buffer
	file.WriteString("MZ")
	file.Write(make([]byte, 58))
	put(&file, uint32(0x40))                                                                              // where the PE header is
	put(&file, []byte("PE\x00\x00"), uint16(0x8664), uint16(1), [3]uint32{}, uint16(240), uint16(0x2022)) // x86-64, one section; a library
	put(&file, uint16(0x20B), uint16(0), [3]uint32{0, 0x200, 0}, uint32(0), uint32(base), uint64(0x6A0000000000))
	put(&file, uint32(0x1000), uint32(0x200), [4]uint16{6}, [2]uint16{6}, uint32(0)) // alignments and versions
	put(&file, uint32(0x2000), uint32(at), uint32(0), uint16(3), uint16(0), [4]uint64{1 << 20, 4096, 1 << 20, 4096}, uint32(0), uint32(16))
	put(&file, uint32(base), uint32(0xC0), [15]uint64{}) // exports; no other directory
	put(&file, [8]byte{'.', 'e', 'd', 'a', 't', 'a'}, uint32(0x200), uint32(base), uint32(0x200), uint32(at), [3]uint32{}, uint32(0x40000040))
	file.Write(make([]byte, at-file.Len()))
	file.Write(section.Bytes())
	return file.Bytes()
}
