package fleettest_test

import (
	"testing"

	"github.com/pertain-dev/pertain/fleettest"
	"github.com/pertain-dev/pertain/internal/fleet"
	"github.com/pertain-dev/pertain/internal/tally"
)

// TestReportOfLaggingNode: a node that was just started again has not heard yet of what was brought meanwhile, and does not pass as the whole
// report what it has.
func TestReportOfLaggingNode(t *testing.T) {
	cluster := fleettest.Start(t, 3, fleettest.Options{})
	w := newWriter(t, "machine", fleet.Config{URLs: cluster.URLs(), Member: "dev"})
	carry := func() {
		cluster.Wait("carrying", func() bool { return w.carry(t.Context()) == nil })
	}
	const rounds, each, asked = 6, 20, 10
	w.write(t, 0, each) // the first that is brought makes the streams
	carry()
	for round := 1; round <= rounds; round++ {
		cluster.WaitCurrent("pertain_main_tally", "pertain_main_journal")
		lagging := round % 3
		cluster.Kill(lagging)
		w.write(t, round, each)
		carry()
		cluster.Restart(lagging)
		answers := 0
		cluster.Wait("report", func() bool {
			s := tally.NewSummary(noon.AddDate(0, 0, -29), noon)
			if err := w.fleet.Ledger("reader").Sum(t.Context(), s); err != nil {
				return false // a node that knows that it lags says so
			}
			if got, want := s.Report(nil).Total.Denied, (round+1)*each; got != want {
				t.Errorf("round %d: %d entries, want %d", round, got, want)
			}
			answers++
			return answers == asked
		})
	}
}
