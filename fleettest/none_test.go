//go:build linux

package fleettest_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/pertain-dev/pertain/fleettest"
)

// TestNoFleet: a gateway whose settings name no fleet runs no goroutine of NATS or of a fleet and has no connection. One that has a fleet does, so
// that the test would see them.
func TestNoFleet(t *testing.T) {
	program := build(t)
	cluster := fleettest.Start(t, 1, fleettest.Options{})
	for settings, want := range map[string]bool{"": false, "fleet:\n  url: " + cluster.URL(0) + "\n  keys: RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3\n": true} {
		g := newHome(t, program, t.TempDir(), settings).gateway("http://127.0.0.1:1")
		if want {
			eventually(t, "a connection to the fleet", func() error {
				if connections(t, g.command.Process.Pid) == 0 {
					return errors.New("there is none")
				}
				return nil
			})
		} else if n := connections(t, g.command.Process.Pid); n != 0 {
			t.Errorf("without a fleet there are %d connections", n)
		}
		if err := g.command.Process.Signal(syscall.SIGQUIT); err != nil { // Go prints all goroutines
			t.Fatal(err)
		}
		_ = g.command.Wait() // by the signal
		g.command = nil
		said := g.log.String()
		if !strings.Contains(said, "goroutine 1 ") {
			t.Fatalf("it did not print its goroutines: %s", said)
		}
		for _, word := range []string{"nats-io", "pertain/internal/fleet"} {
			if strings.Contains(said, word) != want {
				t.Errorf("with the settings %q, %s is in a goroutine: %v", settings, word, !want)
			}
		}
	}
}

// connections is how many established connections of TCP a process has.
func connections(t *testing.T, pid int) (n int) {
	t.Helper()
	folder := fmt.Sprintf("/proc/%d/fd", pid)
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	sockets := map[string]bool{}
	for _, e := range entries {
		if target, err := os.Readlink(filepath.Join(folder, e.Name())); err == nil && strings.HasPrefix(target, "socket:[") {
			sockets[strings.Trim(target, "socket:[]")] = true
		}
	}
	for _, table := range []string{"tcp", "tcp6"} {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/net/%s", pid, table))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			const state, established, inode = 3, "01", 9
			if fields := strings.Fields(line); len(fields) > inode && fields[state] == established && sockets[fields[inode]] {
				n++
			}
		}
	}
	return n
}

// most is how much larger NATS may make the program, in bytes.
const most = 4 << 20

// TestSize: what is in the program for NATS alone, going by its share of the code, is no more than 4 MB of it.
func TestSize(t *testing.T) {
	program := build(t)
	info, err := os.Stat(program)
	if err != nil {
		t.Fatal(err)
	}
	only := onlyForNATS(t)
	cmd := exec.Command("go", "tool", "nm", "-size", program)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var all, nats int64
	for scanner := bufio.NewScanner(bytes.NewReader(out)); scanner.Scan(); {
		var address, kind, name string
		var size int64
		if _, err := fmt.Sscan(scanner.Text(), &address, &size, &kind, &name); err != nil || kind != "T" && kind != "t" {
			continue
		}
		all += size
		folder, last := filepath.Split(name)
		element, _, _ := strings.Cut(last, ".") // dots of an import's last element are escaped
		if only[folder+strings.ReplaceAll(element, "%2e", ".")] {
			nats += size
		}
	}
	if all == 0 || nats == 0 {
		t.Fatalf("%d of %d bytes of code", nats, all)
	}
	share := info.Size() * nats / all
	t.Logf("%d packages are there for NATS alone: %d of %d KB of code, so %.1f of %.1f MB of the program", len(only), nats>>10, all>>10, float64(share)/1e6, float64(info.Size())/1e6)
	if share > most {
		t.Errorf("%d bytes of the program are there for NATS alone", share)
	}
}

// onlyForNATS are the packages that the program reaches through NATS and in no other way.
func onlyForNATS(t *testing.T) map[string]bool {
	t.Helper()
	cmd := exec.Command("go", "list", "-deps", "-json=ImportPath,Imports", "./cmd/pertain")
	cmd.Dir = ".."
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	imports := map[string][]string{}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		imports[p.ImportPath] = p.Imports
	}
	reached := map[string]bool{}
	for next := []string{"github.com/pertain-dev/pertain/cmd/pertain"}; len(next) > 0; next = next[1:] {
		if path := next[0]; !reached[path] && !strings.HasPrefix(path, "github.com/nats-io/") {
			reached[path] = true
			next = append(next, imports[path]...)
		}
	}
	only := map[string]bool{}
	for path := range imports {
		if !reached[path] {
			only[path] = true
		}
	}
	return only
}
