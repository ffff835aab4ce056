// Package measure times the engines of a workload side by side and prints the
// results.
//
// A workload makes [Engine] values that answer the same question, has
// [Bench.Compare] time them in turns, and gets one [Result] a peer.
package measure

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
)

// Result is one line of the output: Pertain against one peer in one case.
type Result struct {
	Workload  string  `json:"workload"`
	Case      string  `json:"case"`
	N         int     `json:"n"`          // size: conditions, elements or files
	PertainNS float64 `json:"pertain_ns"` // median time of one run, in nanoseconds
	Peer      string  `json:"peer"`
	PeerNS    float64 `json:"peer_ns"`
	Ratio     float64 `json:"ratio"`  // peer over Pertain: above 1 Pertain is faster
	Allocs    float64 `json:"allocs"` // allocations of one run of Pertain

	Matches int     `json:"matches,omitempty"` // how many conditions were true
	Bytes   float64 `json:"bytes,omitempty"`   // memory that one condition keeps, parsing excepted

	Survived     *Survival `json:"survived,omitempty"` // of rules that Pertain moved
	PeerSurvived *Survival `json:"peer_survived,omitempty"`
}

// Survival is how many of some rules are the same after they were moved to another agent.
type Survival struct {
	Rules      int `json:"rules"`
	Text       int `json:"text"`
	Scope      int `json:"scope"`      // the files that they are for
	Activation int `json:"activation"` // what brings them to a model
	All        int `json:"all"`        // all three
}

// String gives the shares.
func (s *Survival) String() string {
	percent := func(n int) string { return fmt.Sprintf("%.1f", 100*float64(n)/float64(max(s.Rules, 1))) }
	return percent(s.All) + " % (text " + percent(s.Text) + ", scope " + percent(s.Scope) + ", activation " + percent(s.Activation) + ")"
}

// WriteJSON prints a result as one line.
func (r Result) WriteJSON(w io.Writer) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", line)
	return err
}

// Header is the first line of the readable table.
const Header = "workload  case                                              n      pertain  peer             its time     ratio   allocs  notes\n"

// WriteRow prints a result as a row of the table.
func (r Result) WriteRow(w io.Writer) error {
	var notes []string
	if r.Matches > 0 {
		notes = append(notes, fmt.Sprintf("%d matches", r.Matches))
	}
	if r.Bytes > 0 {
		notes = append(notes, fmt.Sprintf("%.0f bytes", r.Bytes))
	}
	if r.Survived != nil {
		notes = append(notes, "survive: "+r.Survived.String())
	}
	if r.PeerSurvived != nil {
		notes = append(notes, "of the peer's: "+r.PeerSurvived.String())
	}
	_, err := fmt.Fprintf(w, "%-8s  %-42s %8d  %11s  %-10s  %13s  %8s  %7.0f  %s\n",
		r.Workload, r.Case, r.N, duration(r.PertainNS), r.Peer, duration(r.PeerNS), ratio(r.Ratio), r.Allocs, strings.Join(notes, ", "))
	return err
}

func duration(ns float64) string {
	switch d := time.Duration(ns); {
	case d < 10*time.Microsecond:
		return fmt.Sprintf("%.0f ns", ns)
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.1f µs", ns/1e3)
	default:
		return fmt.Sprintf("%.1f ms", ns/1e6)
	}
}

func ratio(r float64) string {
	if r < 10 {
		return fmt.Sprintf("%.2f", r)
	}
	return fmt.Sprintf("%.0f", r)
}
