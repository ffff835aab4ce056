// Package live measures the collectors on real programs: how long a process
// takes that has just started, and how long one that watches the desktop.
//
// The measuring itself is a test of package collect, which knows how to start a
// desktop without a screen and to act on it; this package runs it and passes on
// what it says.
package live

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/pertain-dev/pertain/bench/measure"
)

// result is a line of the measurements; times are medians in milliseconds.
type result struct {
	Program  string   `json:"program"`
	Need     string   `json:"need"`
	ColdMs   float64  `json:"coldMs"`
	WarmMs   float64  `json:"warmMs"`
	Elements int      `json:"elements"`
	Matches  int      `json:"matches"`
	LeftOut  []string `json:"leftOut"`
	Missing  string   `json:"missing"`
	Note     string   `json:"note"`
}

// samples is how often each thing is asked.
func samples(quick bool) int {
	if quick {
		return 5
	}
	return 15
}

// Run measures. Where the programs are not installed it says so, and has no
// results: bash .ci/desktop installs them on Debian.
func Run(b *measure.Bench) error { return runTest(b, "TestLive") }

// RunService measures commands that ask the service beside the same commands without
// it, and what the service uses while nothing happens.
func RunService(b *measure.Bench) error { return runTest(b, "TestLiveService") }

func runTest(b *measure.Bench, test string) error {
	dir, err := os.MkdirTemp("", "pertain-live")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path := filepath.Join(dir, "results.jsonl")
	cmd := exec.Command("go", "test", "-tags", "desktop", "-count=1", "-run", "^"+test+"$", "-v", "-timeout", "10m", "./collect")
	cmd.Dir = ".."
	cmd.Env = append(os.Environ(), "PERTAIN_LIVE_RESULTS="+path, fmt.Sprint("PERTAIN_LIVE_SAMPLES=", samples(b.Quick)), "GOFLAGS=-buildvcs=false")
	out, failed := cmd.CombinedOutput()
	if err := pass(b, path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if reason, skipped := skipReason(out, test); skipped {
		b.Notef("%s", reason)
		return nil
	}
	if failed != nil {
		return fmt.Errorf("the measurements failed: %w\n%s", failed, lastLines(out, 20))
	}
	return nil
}

// pass emits the results that a run has written, and notes what was left out.
func pass(b *measure.Bench, path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		var r result
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return err
		}
		if r.Missing != "" {
			b.Notef("%s is left out: %s", r.Program, r.Missing)
			continue
		}
		if r.Note != "" {
			b.Notef("%s", r.Note)
		}
		if r.Need == "" {
			continue
		}
		name := r.Program + " " + r.Need
		if len(r.LeftOut) > 0 {
			b.Notef("%s, cold, could not tell: %s", name, strings.Join(r.LeftOut, ", "))
		}
		b.Emit(measure.Result{
			Workload: b.Workload, Case: name, N: r.Elements, Matches: r.Matches,
			PertainNS: r.WarmMs * 1e6, Peer: "cold", PeerNS: r.ColdMs * 1e6, Ratio: r.ColdMs / max(r.WarmMs, 0.001),
		})
	}
	return nil
}

// skipReason is why the test did not run, as the go command prints it.
func skipReason(out []byte, test string) (string, bool) {
	if !bytes.Contains(out, []byte("--- SKIP: "+test)) {
		return "", false
	}
	for line := range strings.Lines(string(out)) {
		if _, reason, ok := strings.Cut(line, "_test.go:"); ok {
			_, reason, _ = strings.Cut(reason, ": ")
			return strings.TrimSpace(reason), true
		}
	}
	return "the desktop's programs are not installed", true
}

func lastLines(out []byte, n int) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
