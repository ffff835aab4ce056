// Package load is the workload of loading many strategy files: [Run].
package load

import (
	"context"
	"fmt"
	"os"
	"runtime"

	"github.com/pertain-dev/pertain/bench/measure"
)

const fileCount = 10_000

// Run measures a cold load and a reload after one change.
func Run(b *measure.Bench) error {
	dir, err := os.MkdirTemp("", "pertain-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := write(dir, fileCount); err != nil {
		return err
	}
	if err := agree(dir); err != nil {
		return err
	}
	cold(b, dir)
	return reload(b, dir)
}

// agree checks that every file is a valid strategy whose name is that of the
// parsed YAML.
func agree(dir string) error {
	engine, err := open(dir)
	if err != nil {
		return err
	}
	names, err := namesOf(engine)
	if err != nil {
		return err
	}
	all, err := parseAll(dir, 1)
	if err != nil {
		return err
	}
	if len(all) != len(names) {
		return fmt.Errorf("pertain loads %d files, and %d have YAML", len(names), len(all))
	}
	for i := range all {
		if p := &all[i]; names[p.path] != p.name() {
			return fmt.Errorf("%s: pertain says that its name is %q, its YAML %q", p.path, names[p.path], p.name())
		}
	}
	return nil
}

func cold(b *measure.Bench, dir string) {
	cores := runtime.GOMAXPROCS(0)
	for _, workers := range []int{1, cores} {
		runtime.GOMAXPROCS(workers)
		name := "cold load on one core"
		if workers > 1 {
			name = fmt.Sprintf("cold load on %d cores", workers)
		}
		b.Compare(measure.Case{Name: name, N: fileCount, Wall: workers > 1},
			measure.Engine{Name: "pertain", Run: func(int) { must(open(dir)) }},
			measure.Engine{Name: "yaml", Run: func(int) { must(parseAll(dir, workers)) }},
		)
		if cores == 1 {
			break
		}
	}
	runtime.GOMAXPROCS(cores)
}

// reload measures the time from a change of one file to the new catalog. The
// peer is a load of everything.
func reload(b *measure.Bench, dir string) error {
	engine, err := open(dir)
	if err != nil {
		return err
	}
	changed := path(dir, 4711)
	original, err := os.ReadFile(changed)
	if err != nil {
		return err
	}
	b.Compare(measure.Case{Name: "reload after one changed file", N: fileCount, Settle: true},
		measure.Engine{Name: "pertain", Run: func(run int) {
			text := fmt.Appendf(original[:len(original):len(original)], "\nChange %d.\n", run)
			must(0, os.WriteFile(changed, text, 0o644))
			must(engine.Reload(context.Background(), changed))
		}},
		measure.Engine{Name: "full load", Run: func(int) { must(open(dir)) }},
	)
	return nil
}

// must stops the run: what worked before the clock started does not work any
// more.
func must[T any](_ T, err error) {
	if err != nil {
		panic(err)
	}
}
