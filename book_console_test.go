//go:build unix

package pertain_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestBookConsoles runs every command of README, reference and guide in a folder of its own, with the files that the page
// shows before it and with examples/, and compares what is printed. -update writes it anew.
func TestBookConsoles(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	bin := t.TempDir()
	build := exec.CommandContext(t.Context(), "go", "build", "-o", bin, "./cmd/pertain")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, path := range bookPages(t) {
		t.Run(path, func(t *testing.T) {
			page := readPage(t, path)
			changed := runConsoles(t, page, newDesk(t, bin, !strings.Contains(path, "reference")))
			if *update && changed != page {
				if err := os.WriteFile(path, []byte(changed), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// desk is the world in which the commands of a page run.
type desk struct {
	root, home, work string
	env              []string
}

// newDesk is a home with a working folder that is a repository and may have examples/.
func newDesk(t *testing.T, bin string, examples bool) *desk {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{root: root, home: filepath.Join(root, "home", "me")}
	d.work = filepath.Join(d.home, "pertain")
	if err := os.MkdirAll(filepath.Join(d.work, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	if examples {
		if err := os.CopyFS(filepath.Join(d.work, "examples"), os.DirFS("examples")); err != nil {
			t.Fatal(err)
		}
	}
	d.env = []string{"HOME=" + d.home, "PATH=" + bin + ":" + os.Getenv("PATH"), "LANG=C.UTF-8", "TZ=UTC"}
	return d
}

// runConsoles runs the commands of a page in order and returns the page with what they print now.
func runConsoles(t *testing.T, page string, d *desk) string {
	t.Helper()
	lines := strings.Split(page, "\n")
	shift := 0 // lines that the page has grown by
	dir := d.work
	for _, b := range blocks(page) {
		if b.name != "" && b.name != "settings" {
			write := filepath.Join(dir, filepath.FromSlash(b.name))
			if err := os.MkdirAll(filepath.Dir(write), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(write, []byte(b.text()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if b.kind != "console" {
			continue
		}
		var now []string
		for _, c := range commands(b.lines) {
			got := d.run(t, &dir, c.text)
			now = append(now, "$ "+c.text)
			if steady(got) == steady(c.want) {
				now = append(now, split(c.want)...)
				continue
			}
			now = append(now, split(got)...)
			if !*update {
				t.Errorf("$ %s\n(-want +got)\n%s", c.text, cmp.Diff(split(c.want), split(got)))
			}
		}
		from := b.at + shift
		lines = append(lines[:from:from], append(now, lines[from+len(b.lines):]...)...)
		shift += len(now) - len(b.lines)
	}
	return strings.Join(lines, "\n")
}

func split(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// run runs a command in a folder, which it may change.
func (d *desk) run(t *testing.T, dir *string, text string) string {
	t.Helper()
	if to, ok := strings.CutPrefix(text, "cd "); ok {
		*dir = filepath.Join(*dir, to)
		return ""
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-c", text)
	cmd.Dir, cmd.Env = *dir, d.env
	out, _ := cmd.CombinedOutput() // what a command ends with shows in what it prints, or by echo $?
	return strings.ReplaceAll(string(out), d.root, "")
}

var durations = regexp.MustCompile(`\b\d+(\.\d+)? ms|("durationMs": )[\d.]+|\b\d+\.\d+e-\d+`)

// steady is what is printed without what differs from run to run.
func steady(text string) string {
	return durations.ReplaceAllString(strings.TrimSuffix(text, "\n"), "${2}N")
}
