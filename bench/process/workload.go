// Package process is the workload of `pertain match` as a process of its own, as scripts and
// editors start it: [Run]. What starting the program takes stands beside it.
package process

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pertain-dev/pertain/bench/measure"
	"github.com/pertain-dev/pertain/bench/program"
)

// sizes are numbers of strategies of the user's own, beside the builtin ones.
var sizes = []int{0, 10, 100}

// Run measures one answer: processor time and wall time of the whole process.
func Run(b *measure.Bench) error {
	rounds := 41
	if b.Quick {
		rounds = 15
	}
	return program.Built(func(dir, pertain string) error {
		for _, n := range sizes {
			if err := compare(b, pertain, filepath.Join(dir, fmt.Sprint(n)), n, rounds); err != nil {
				return err
			}
		}
		return nil
	})
}

// situation is a context with an error on the clipboard.
const situation = `{"clipboard": {"hasText": true, "text": "panic: runtime error: index out of range"},
	"attachments": {"selection": {"text": "Some words that are selected."}}}`

// newEnvironment writes strategies, of which one in ten is true, and the context.
func newEnvironment(dir string, n int) (program.Environment, error) {
	p := program.Environment{Home: filepath.Join(dir, "home"), Dir: filepath.Join(dir, "work")}
	strategies := filepath.Join(dir, "strategies")
	for _, folder := range []string{p.Home, p.Dir, strategies} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return p, err
		}
	}
	for i := range n {
		word := fmt.Sprintf("word%d", i)
		if i%10 == 0 {
			word = "runtime"
		}
		text := fmt.Sprintf("---\nname: Strategy %d\nwhen:\n  clipboard.text:\n    contains: %s\n  attachments.selection.text:\n    length: { min: %d }\n---\nDo it.\n", i, word, 1+i%7)
		if err := os.WriteFile(filepath.Join(strategies, fmt.Sprintf("s%03d.strategy.md", i)), []byte(text), 0o600); err != nil {
			return p, err
		}
	}
	return p, os.WriteFile(filepath.Join(p.Dir, "context.json"), []byte(situation), 0o600)
}

// compare runs the program and its peers in turns.
func compare(b *measure.Bench, pertain, dir string, n, rounds int) error {
	environment, err := newEnvironment(dir, n)
	if err != nil {
		return err
	}
	ours := []string{pertain, "match", "--json", "--context", "context.json", "--strategies", filepath.Join(dir, "strategies")}
	answer, _, err := environment.Run("", ours...)
	if err != nil {
		return err
	}
	matches := strings.Count(answer, `"result": true`)
	if want := (n + 9) / 10; matches <= want {
		return fmt.Errorf("%d strategies match, and %d are meant to beside builtin ones", matches, want)
	}
	contenders := [][]string{
		ours, {pertain, "version"}, {pertain, "rules", "--json"}, {"sh", "-c", ":"},
	}
	names := []string{"pertain match", "pertain version", "pertain rules", "sh no-op"}
	costs := make([][]program.Cost, len(contenders))
	for range rounds {
		for i, argv := range contenders {
			_, spent, err := environment.Run("", argv...)
			if err != nil {
				return err
			}
			costs[i] = append(costs[i], spent)
		}
	}
	for i := 1; i < len(contenders); i++ {
		emit := func(name string, of func(program.Cost) time.Duration) {
			own, other := least(costs[0], of), least(costs[i], of)
			b.Emit(measure.Result{
				Workload: b.Workload, Case: "match, " + name, N: n, Matches: matches,
				PertainNS: float64(own), Peer: names[i], PeerNS: float64(other), Ratio: float64(other) / float64(own),
			})
		}
		emit("processor time", func(c program.Cost) time.Duration { return c.Processor })
		emit("wall time", func(c program.Cost) time.Duration { return c.Wall })
	}
	return nil
}

// least is the least of what runs took: what else the machine does only adds to it.
func least(list []program.Cost, of func(program.Cost) time.Duration) time.Duration {
	return of(slices.MinFunc(list, func(a, b program.Cost) int { return int(of(a) - of(b)) }))
}
