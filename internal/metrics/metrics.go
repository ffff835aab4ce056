// Package metrics counts and measures, and writes that in the text format of
// Prometheus.
//
// Begin with a zero [Set], and write it with [Set.WriteTo]. Names, labels and help
// are the program's own; a value of a label may be any text.
package metrics

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// ContentType is the media type of what a [Set] writes.
const ContentType = "text/plain; version=0.0.4; charset=utf-8"

// Set is everything that a program tells. Families are added before it is written
// for the first time; they are counted by any number of goroutines.
type Set struct{ families []*family }

// family is what has one name.
type family struct {
	name, kind, help string
	labels           []string // names, sorted
	order            []int    // for each of them, which of the given values it has
	bounds           []float64
	read             func(*moment) []sample // nil: what was counted

	mu     sync.Mutex
	series map[string]*series // by the values of labels
}

// series is what was counted for some values of the labels.
type series struct {
	values []string // of the labels, in their order
	total  float64  // of a histogram: of what was observed
	counts []uint64 // of a histogram: in each bucket, and above all of them
}

// sample is one line.
type sample struct {
	suffix string
	labels []string // names and values
	value  float64
}

// Counter only grows.
type Counter struct{ f *family }

// Gauge goes up and down.
type Gauge struct{ f *family }

// Histogram counts values in buckets.
type Histogram struct{ f *family }

func (s *Set) add(f *family, labels []string) *family {
	f.series = map[string]*series{}
	f.order = make([]int, len(labels))
	for i := range labels {
		f.order[i] = i
	}
	slices.SortFunc(f.order, func(a, b int) int { return cmp.Compare(labels[a], labels[b]) })
	for _, at := range f.order {
		f.labels = append(f.labels, labels[at])
	}
	if len(labels) == 0 && f.read == nil {
		f.of() // what has no labels is told from the start
	}
	s.families = append(s.families, f)
	return f
}

// Counter adds a counter. Each of its methods takes as many values as there are
// labels, in the order given here.
func (s *Set) Counter(name, help string, labels ...string) Counter {
	return Counter{s.add(&family{name: name, kind: "counter", help: help}, labels)}
}

// Gauge adds a gauge; see [Set.Counter] for labels.
func (s *Set) Gauge(name, help string, labels ...string) Gauge {
	return Gauge{s.add(&family{name: name, kind: "gauge", help: help}, labels)}
}

// Histogram adds a histogram with the upper bounds of its buckets, ascending; see
// [Set.Counter] for labels.
func (s *Set) Histogram(name, help string, bounds []float64, labels ...string) Histogram {
	return Histogram{s.add(&family{name: name, kind: "histogram", help: help, bounds: bounds}, labels)}
}

// GaugeFunc adds a gauge that is read when it is told.
func (s *Set) GaugeFunc(name, help string, read func() float64) {
	s.add(&family{name: name, kind: "gauge", help: help, read: func(*moment) []sample { return []sample{{value: read()}} }}, nil)
}

// Add counts.
func (c Counter) Add(n float64, values ...string) { c.f.count(n, values) }

// Add moves the gauge.
func (g Gauge) Add(n float64, values ...string) { g.f.count(n, values) }

// Observe counts a value.
func (h Histogram) Observe(value float64, values ...string) {
	h.f.mu.Lock()
	defer h.f.mu.Unlock()
	s := h.f.of(values...)
	at, _ := slices.BinarySearch(h.f.bounds, value)
	s.counts[at]++
	s.total += value
}

func (f *family) count(n float64, values []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.of(values...).total += n
}

// of is the series of some values.
func (f *family) of(values ...string) *series {
	key := strings.Join(values, "\xFF") // no UTF-8
	s, known := f.series[key]
	if !known {
		s = &series{counts: make([]uint64, len(f.bounds)+1)}
		for _, at := range f.order {
			s.values = append(s.values, values[at])
		}
		f.series[key] = s
	}
	return s
}

// samples are the lines of the family, in order.
func (f *family) samples(now *moment) []sample {
	if f.read != nil {
		return f.read(now)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	all := make([]*series, 0, len(f.series))
	for _, s := range f.series {
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b *series) int { return slices.Compare(a.values, b.values) })
	var out []sample
	for _, s := range all {
		var labels []string
		for i, name := range f.labels {
			labels = append(labels, name, s.values[i])
		}
		if f.bounds == nil {
			out = append(out, sample{labels: labels, value: s.total})
			continue
		}
		sum := uint64(0)
		for i, n := range s.counts {
			sum += n
			bound := "+Inf"
			if i < len(f.bounds) {
				bound = number(f.bounds[i])
			}
			out = append(out, sample{"_bucket", slices.Concat(labels, []string{"le", bound}), float64(sum)})
		}
		out = append(out, sample{"_sum", labels, s.total}, sample{"_count", labels, float64(sum)})
	}
	return out
}

// WriteTo writes everything, by name.
func (s *Set) WriteTo(w io.Writer) (int64, error) {
	var b bytes.Buffer
	families := slices.Clone(s.families)
	slices.SortFunc(families, func(f, g *family) int { return cmp.Compare(f.name, g.name) })
	var now moment
	for _, f := range families {
		samples := f.samples(&now)
		if len(samples) == 0 {
			continue
		}
		fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %s %s\n", f.name, escapeHelp.Replace(f.help), f.name, f.kind)
		for _, m := range samples {
			b.WriteString(f.name + m.suffix)
			for i := 0; i < len(m.labels); i += 2 {
				b.WriteString(punctuation(i) + m.labels[i] + `="` + escapeLabel.Replace(m.labels[i+1]) + `"`)
			}
			if len(m.labels) > 0 {
				b.WriteByte('}')
			}
			b.WriteString(" " + number(m.value) + "\n")
		}
	}
	return b.WriteTo(w)
}

var (
	escapeHelp  = strings.NewReplacer(`\`, `\\`, "\n", `\n`)
	escapeLabel = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)
)

// punctuation stands before the label at i.
func punctuation(i int) string {
	if i == 0 {
		return "{"
	}
	return ","
}

func number(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
