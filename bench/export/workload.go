// Package export is the workload of moving real rules of Cursor to other agents: [Run]. What is measured is not only the time, but
// how many rules are the same afterwards. The peer is rulesync.
package export

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/pertain-dev/pertain/bench/measure"
)

// target is an agent as both programs call it, and where its rules are.
type target struct {
	name, peer, provider string
	folders              []string
}

var targets = []target{
	{"claude", "claudecode", "claude", []string{".claude"}},
	{"copilot", "copilot", "github", []string{".github"}},
	{"windsurf", "devin", "windsurf", []string{".windsurf", ".devin"}},
	{"cline", "cline", "cline", []string{".clinerules"}},
	{"kiro", "kiro", "kiro", []string{".kiro"}},
}

// Run moves the rules of a collection and counts what survives. PERTAIN_CORPUS names the folder of real rule files,
// PERTAIN_RULESYNC the command that starts rulesync, where it is not in PATH.
func Run(b *measure.Bench) error {
	corpus := os.Getenv("PERTAIN_CORPUS")
	if corpus == "" {
		b.Notef("left out: PERTAIN_CORPUS names no folder of real rule files")
		return nil
	}
	dir, err := os.MkdirTemp("", "pertain-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	program := filepath.Join(dir, "pertain")
	build := exec.Command("go", "build", "-trimpath", "-o", program, "./cmd/pertain")
	build.Dir = ".."
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	rules, err := filepath.Glob(filepath.Join(corpus, "awesome-cursorrules", "rules", "*.mdc"))
	if err != nil || len(rules) == 0 {
		return fmt.Errorf("no rules in %s: %w", corpus, errors.Join(err))
	}
	source, err := project(filepath.Join(dir, "pertain-project"), rules)
	if err != nil {
		return err
	}
	want, err := read(context.Background(), source, "cursor")
	if err != nil {
		return err
	}
	paths := samples(want)
	peer, err := newPeer(b, filepath.Join(dir, "peer-project"), rules)
	if err != nil {
		return err
	}
	for _, t := range targets {
		began := time.Now()
		cmd := exec.Command(program, "export", "--from", "cursor", "--to", t.name)
		cmd.Dir, cmd.Env = source, append(os.Environ(), "HOME="+dir)
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
		own := time.Since(began)
		result := measure.Result{Workload: b.Workload, Case: "Cursor to " + t.name, N: len(want), PertainNS: float64(own), Peer: "none"}
		if result.Survived, err = judge(filepath.Join(dir, "judged", "pertain", t.name), source, t, want, paths); err != nil {
			return err
		}
		if peer != nil {
			took, problem := peer.generate(t)
			if problem != "" {
				b.Notef("%s: %s", t.name, problem)
			}
			result.Peer, result.PeerNS, result.Ratio = "rulesync", float64(took), float64(took)/float64(own)
			if result.PeerSurvived, err = judge(filepath.Join(dir, "judged", "peer", t.name), peer.dir, t, want, paths); err != nil {
				return err
			}
		}
		b.Emit(result)
	}
	return nil
}

// project is a repository with the rules of Cursor.
func project(dir string, rules []string) (string, error) {
	folder := filepath.Join(dir, ".cursor", "rules")
	if err := errors.Join(os.MkdirAll(folder, 0o755), os.MkdirAll(filepath.Join(dir, ".git"), 0o755)); err != nil {
		return "", err
	}
	for _, path := range rules {
		data, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, filepath.Base(path)), data, 0o644)
		}
		if err != nil {
			return "", err
		}
	}
	return dir, nil
}

// peer is rulesync with the rules in its own form.
type peer struct {
	dir     string
	command []string
	took    time.Duration // of the import
}

// refusedFile is what rulesync says of a file that it cannot read; it then imports none.
var refusedFile = regexp.MustCompile(`Invalid frontmatter in \S*?([^/\\\s]+\.mdc)`)

// peerCommand starts rulesync; it is empty where there is none.
func peerCommand() []string {
	if command := strings.Fields(os.Getenv("PERTAIN_RULESYNC")); len(command) > 0 {
		return command
	}
	if path, err := exec.LookPath("rulesync"); err == nil {
		return []string{path}
	}
	return nil
}

// newPeer imports the rules. A file that rulesync cannot read keeps it from importing any: such files are taken out, one after
// the other, and do not survive.
func newPeer(b *measure.Bench, dir string, rules []string) (*peer, error) {
	command := peerCommand()
	if len(command) == 0 {
		b.Notef("without a peer: rulesync is neither in PATH nor named by PERTAIN_RULESYNC")
		return nil, nil
	}
	if _, err := project(dir, rules); err != nil {
		return nil, err
	}
	p := &peer{dir: dir, command: command}
	taken := 0
	for range rules {
		began := time.Now()
		out, err := p.run("import", "--targets", "cursor", "--features", "rules")
		p.took = time.Since(began)
		m := refusedFile.FindSubmatch(out)
		if m == nil {
			if _, there := os.Stat(filepath.Join(dir, ".rulesync", "rules")); there != nil {
				return nil, fmt.Errorf("rulesync imports nothing: %w: %s", err, out)
			}
			b.Notef("rulesync imports nothing as long as one of %d files is there that it cannot read; they are taken out", taken)
			return p, nil
		}
		if err := os.Remove(filepath.Join(dir, ".cursor", "rules", string(m[1]))); err != nil {
			return nil, err
		}
		taken++
	}
	return nil, errors.New("rulesync can read none of the files")
}

func (p *peer) run(args ...string) ([]byte, error) {
	cmd := exec.Command(p.command[0], append(p.command[1:], args...)...)
	cmd.Dir = p.dir
	return cmd.CombinedOutput()
}

// generate writes the rules for one agent; the time is that of importing them too.
func (p *peer) generate(t target) (took time.Duration, problem string) {
	began := time.Now()
	out, err := p.run("generate", "--targets", t.peer, "--features", "rules")
	took = time.Since(began) + p.took
	if err != nil || bytes.Contains(out, []byte("does not support")) {
		problem = string(bytes.SplitN(bytes.TrimSpace(out), []byte("\n"), 2)[0])
	}
	return took, problem
}
