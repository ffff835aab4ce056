// Chart draws the results of bench/run --json as an SVG:
//
//	bench/run --json >results.jsonl
//	go run ./chart <results.jsonl >../docs/bench.svg
//
// It shows how the time of one match grows with the number of conditions, for
// Pertain and each peer, and the counting of visual queries beside it. Colours
// follow the reader's light or dark mode.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/pertain-dev/pertain/bench/measure"
)

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "chart:", err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer) error {
	var results []measure.Result
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		var r measure.Result
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return fmt.Errorf("line %d is no result: %w", len(results)+1, err)
		}
		results = append(results, r)
	}
	if err := lines.Err(); err != nil {
		return err
	}
	matching := panel{
		title:  "Matching: time of one match",
		xLabel: "installed conditions, one predicate in twenty a regular expression",
		series: seriesOf(results, "match", "cold with regexes"),
	}
	counting := panel{
		title:  "Visual queries: time of counting twenty at once",
		xLabel: "elements on the screen",
		series: seriesOf(results, "visual", "count 20 queries"),
	}
	if len(matching.series) == 0 || len(counting.series) == 0 {
		return fmt.Errorf("the results of the workloads match and visual are needed")
	}
	return draw(out, matching, counting)
}

// panel is one diagram; both axes are logarithmic.
type panel struct {
	title, xLabel string
	series        []series
}

// series is one engine's times, by size.
type series struct {
	name   string
	points []point
}

type point struct{ n, ns float64 }

// seriesOf collects the times of one case: Pertain first, then the peers in the
// order of the results.
func seriesOf(results []measure.Result, workload, name string) []series {
	var all []series
	add := func(name string, p point) {
		for i := range all {
			if all[i].name != name {
				continue
			}
			if last := all[i].points[len(all[i].points)-1]; last.n < p.n {
				all[i].points = append(all[i].points, p)
			}
			return
		}
		all = append(all, series{name, []point{p}})
	}
	for _, r := range results {
		if r.Workload == workload && r.Case == name {
			add("Pertain", point{float64(r.N), r.PertainNS})
			add(r.Peer, point{float64(r.N), r.PeerNS})
		}
	}
	return all
}
