package peertest

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/pertain-dev/pertain/internal/metrics"
)

// TestMetrics has Prometheus' own parser read what is written, with values and labels of all kinds.
func TestMetrics(t *testing.T) {
	var s metrics.Set
	s.AddGo()
	counter := s.Counter("pertain_random_total", "Counts \\ \"by\"\nlabel.", "route", "code")
	histogram := s.Histogram("pertain_random_seconds", "Times.", []float64{.001, .5, 15}, "route")
	r := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "\"", "\\", "\n", "{", "}", ",", "=", " ", "é", "#", "200"}
	want := map[[2]string]float64{}
	observed := map[string]uint64{}
	for range 2000 {
		var route strings.Builder
		for range r.IntN(4) {
			route.WriteString(pieces[r.IntN(len(pieces))])
		}
		value, code := r.ExpFloat64()*math.Pow(10, float64(r.IntN(12))), pieces[r.IntN(len(pieces))]
		counter.Add(value, route.String(), code)
		want[[2]string{code, route.String()}] += value
		histogram.Observe(value, route.String())
		observed[route.String()]++
	}
	var text strings.Builder
	if _, err := s.WriteTo(&text); err != nil {
		t.Fatal(err)
	}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	if len(families) != strings.Count(text.String(), "# TYPE ") {
		t.Errorf("%d families were read", len(families))
	}
	for name, family := range families {
		if family.GetHelp() == "" || len(family.GetMetric()) == 0 {
			t.Errorf("%s is not described, or empty", name)
		}
	}
	if help := families["pertain_random_total"].GetHelp(); help != "Counts \\ \"by\"\nlabel." {
		t.Errorf("the help is %q", help)
	}
	for _, m := range families["pertain_random_total"].GetMetric() {
		key := [2]string{m.GetLabel()[0].GetValue(), m.GetLabel()[1].GetValue()}
		if m.GetCounter().GetValue() != want[key] {
			t.Errorf("%q is %v, want %v", key, m.GetCounter().GetValue(), want[key])
		}
		delete(want, key)
	}
	if len(want) > 0 {
		t.Errorf("%d counters are missing", len(want))
	}
	for _, m := range families["pertain_random_seconds"].GetMetric() {
		route := m.GetLabel()[0].GetValue()
		if h := m.GetHistogram(); h.GetSampleCount() != observed[route] || len(h.GetBucket()) != 4 || !math.IsInf(h.GetBucket()[3].GetUpperBound(), 1) {
			t.Errorf("%q: %v", route, h)
		}
	}
}
