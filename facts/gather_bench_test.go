package facts_test

import (
	"context"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/facts"
)

// BenchmarkGather is what the seam itself costs: three roots whose collectors
// answer at once, and the same with everything given.
func BenchmarkGather(b *testing.B) {
	part := tab("u").With("clipboard.text", facts.Text("x")).With("extra.workspace.name", facts.Text("w"))
	wanted := needs("clipboard.text", "extra.browser", "extra.workspace")
	for _, bench := range []struct {
		name string
		base facts.Parts
	}{{"collected", facts.Parts{}}, {"given", facts.Parts{Values: part.Values}}} {
		b.Run(bench.name, func(b *testing.B) {
			g := facts.NewGatherer(instant{"clipboard", part}, instant{"extra.browser", part}, instant{"extra.workspace", part})
			b.ReportAllocs()
			for b.Loop() {
				if out, err := g.Gather(context.Background(), wanted, bench.base, time.Minute); err != nil || len(out.Diagnostics) > 0 {
					b.Fatal(err, out.Diagnostics)
				}
			}
		})
	}
}

// instant is a collector that costs nothing.
type instant struct {
	serves string
	part   facts.Part
}

func (c instant) Info() facts.CollectorInfo {
	return facts.CollectorInfo{ID: c.serves, Serves: []string{c.serves}}
}

func (c instant) CanCollect(context.Context, *facts.Snapshot, facts.Request) bool { return true }

func (c instant) Collect(context.Context, *facts.Snapshot, facts.Request) (facts.Part, error) {
	return c.part, nil
}
