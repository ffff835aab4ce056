// Bench measures Pertain against its peers, side by side. Start it with
// bench/run; the README tells how to read what it prints.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/pertain-dev/pertain/bench/export"
	"github.com/pertain-dev/pertain/bench/gateway"
	"github.com/pertain-dev/pertain/bench/hook"
	"github.com/pertain-dev/pertain/bench/live"
	"github.com/pertain-dev/pertain/bench/load"
	"github.com/pertain-dev/pertain/bench/match"
	"github.com/pertain-dev/pertain/bench/measure"
	"github.com/pertain-dev/pertain/bench/process"
	"github.com/pertain-dev/pertain/bench/scan"
	"github.com/pertain-dev/pertain/bench/serve"
	"github.com/pertain-dev/pertain/bench/stream"
	"github.com/pertain-dev/pertain/bench/visual"
)

// workloads are all there are, in the order in which they run.
var workloads = []struct {
	name string
	run  func(*measure.Bench) error
}{
	{"load", load.Run},
	{"match", match.Run},
	{"small", match.RunSmall},
	{"process", process.Run},
	{"visual", visual.Run},
	{"stream", stream.Run},
	{"triggers", stream.RunTriggers},
	{"scan", scan.Run},
	{"live", live.Run},
	{"service", live.RunService},
	{"serve", serve.Run},
	{"gateway", gateway.Run},
	{"hook", hook.Run},
	{"export", export.Run},
}

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("bench/run", flag.ContinueOnError)
	flags.SetOutput(stderr)
	quick := flags.Bool("quick", false, "end within 50 seconds a workload: fewer samples, and nothing that takes long to prepare")
	asJSON := flags.Bool("json", false, "print one JSON line a result")
	flags.Usage = func() {
		fmt.Fprintln(stderr, "bench/run [--quick] [--json] [WORKLOAD...]")
		flags.PrintDefaults()
		for _, w := range workloads {
			fmt.Fprintln(stderr, "  workload", w.name)
		}
	}
	if err := flags.Parse(args); err != nil {
		return err
	}
	wanted, err := selected(flags.Args())
	if err != nil {
		return err
	}
	if !*asJSON {
		fmt.Fprint(stdout, measure.Header)
	}
	for _, w := range workloads {
		if !wanted[w.name] {
			continue
		}
		var failed error
		b := &measure.Bench{Workload: w.name, Quick: *quick, Log: stderr, Began: time.Now(), Emit: func(r measure.Result) {
			write := r.WriteRow
			if *asJSON {
				write = r.WriteJSON
			}
			if err := write(stdout); err != nil {
				failed = err
			}
		}}
		if err := w.run(b); err != nil {
			return fmt.Errorf("%s: %w", w.name, err)
		}
		if failed != nil {
			return failed
		}
	}
	return nil
}

// selected are the workloads that were named; none means all.
func selected(names []string) (map[string]bool, error) {
	wanted := map[string]bool{}
	for _, w := range workloads {
		wanted[w.name] = len(names) == 0
	}
	for _, name := range names {
		if _, known := wanted[name]; !known {
			return nil, fmt.Errorf("there is no workload %q", name)
		}
		wanted[name] = true
	}
	return wanted, nil
}
