// Package hook is the workload of one call of a hook, as an agent makes it: [Run]. The peers are hooks that do nothing, in the
// languages that people write hooks in.
package hook

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pertain-dev/pertain/bench/measure"
	"github.com/pertain-dev/pertain/bench/program"
)

// sizes are numbers of rules in the repository.
var sizes = []int{10, 300, 3000}

// Run measures processor time and wall time of one call before a tool and one after it.
func Run(b *measure.Bench) error {
	rounds := 31
	if b.Quick {
		rounds = 9
	}
	return program.Built(func(dir, pertain string) error {
		for _, n := range sizes {
			w, err := newWorld(filepath.Join(dir, fmt.Sprint(n)), n)
			if err != nil {
				return err
			}
			for _, moment := range []string{"PreToolUse", "PostToolUse"} {
				if err := w.compare(b, pertain, moment, rounds); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// world is a repository with rules: a third has triggers, a third globs, a third a description.
type world struct {
	n int
	program.Environment
}

func newWorld(dir string, n int) (*world, error) {
	w := &world{n, program.Environment{Home: filepath.Join(dir, "home"), Dir: filepath.Join(dir, "work")}}
	rules := filepath.Join(w.Dir, ".omp", "rules")
	for _, folder := range []string{w.Home, rules, filepath.Join(w.Dir, ".git")} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return nil, err
		}
	}
	body := strings.Repeat("Words of the rule. ", 20)
	for i := range n {
		fields := fmt.Sprintf("ttsr_trigger: 'forbidden%d\\(.*\\)'", i)
		switch i % 3 {
		case 1:
			fields = fmt.Sprintf("description: part %d\nglobs: ['src/part%d/**/*.ts']", i, i)
		case 2:
			fields = fmt.Sprintf("description: area %d", i)
		}
		text := fmt.Sprintf("---\n%s\n---\nRule %d. %s\n", fields, i, body)
		if err := os.WriteFile(filepath.Join(rules, fmt.Sprintf("r%04d.md", i)), []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// event is what Claude Code sends.
func (w *world) event(moment, content string) string {
	text, _ := json.Marshal(map[string]any{ // texts
		"session_id": "bench", "cwd": w.Dir, "hook_event_name": moment, "tool_name": "Write",
		"tool_input": map[string]string{"file_path": filepath.Join(w.Dir, "a.js"), "content": content},
	})
	return string(text)
}

// compare runs the hook and its peers in turns.
func (w *world) compare(b *measure.Bench, pertain, moment string, rounds int) error {
	ours := []string{pertain, "hook", "claude"}
	if denial, _, err := w.Run(w.event("PreToolUse", "forbidden0(1)"), ours...); err != nil || !strings.Contains(denial, `"deny"`) {
		return fmt.Errorf("a call that breaks a rule is answered %s: %w", denial, err)
	}
	contenders := []struct {
		name string
		argv []string
	}{{"pertain", ours}, {"sh", []string{"sh", "-c", ":"}}, {"node", []string{"node", "-e", "0"}}, {"python", []string{"python3", "-c", ""}}}
	costs := map[string][]program.Cost{}
	input := w.event(moment, strings.Repeat("hello world\n", 50))
	for range rounds {
		for _, c := range contenders {
			if _, err := exec.LookPath(c.argv[0]); err != nil {
				continue
			}
			_, spent, err := w.Run(input, c.argv...)
			if err != nil {
				return err
			}
			costs[c.name] = append(costs[c.name], spent)
		}
	}
	for _, peer := range contenders[1:] {
		if costs[peer.name] == nil {
			fmt.Fprintf(b.Log, "bench: %s is not installed\n", peer.name)
			continue
		}
		for _, kind := range []struct {
			name string
			of   func(program.Cost) time.Duration
		}{{"processor", func(c program.Cost) time.Duration { return c.Processor }}, {"wall", func(c program.Cost) time.Duration { return c.Wall }}} {
			own, other := median(costs["pertain"], kind.of), median(costs[peer.name], kind.of)
			b.Emit(measure.Result{
				Workload: b.Workload, Case: moment + ", " + kind.name + " time", N: w.n,
				PertainNS: float64(own), Peer: peer.name + " no-op", PeerNS: float64(other), Ratio: float64(other) / float64(own),
			})
		}
	}
	return nil
}

func median(list []program.Cost, of func(program.Cost) time.Duration) time.Duration {
	all := make([]time.Duration, len(list))
	for i, c := range list {
		all[i] = of(c)
	}
	slices.Sort(all)
	return all[len(all)/2]
}
