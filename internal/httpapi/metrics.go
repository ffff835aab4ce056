package httpapi

import (
	"net/http"
	"runtime"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/internal/metrics"
)

// serverMetrics are counts and times, for Prometheus. Labels come from the table of
// routes and from this file, never from a request or the context.
type serverMetrics struct {
	set      metrics.Set
	requests metrics.Counter   // by route and status
	seconds  metrics.Histogram // by route
	refused  metrics.Counter   // by reason
	matches  metrics.Counter
	slow     metrics.Counter
	streams  metrics.Gauge
}

func newMetrics(version string, catalog func() *pertain.Catalog) *serverMetrics {
	m := &serverMetrics{}
	m.requests = m.set.Counter("pertain_http_requests_total", "Requests answered.", "route", "code")
	m.seconds = m.set.Histogram("pertain_http_request_seconds", "How long answers took.",
		[]float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 5, 15}, "route")
	m.refused = m.set.Counter("pertain_http_refused_total", "Requests refused before they were looked at.", "reason")
	m.matches = m.set.Counter("pertain_matches_total", "How often strategies were matched.")
	m.slow = m.set.Counter("pertain_slow_matches_total", "Matches in which a strategy ran out of time.")
	m.streams = m.set.Gauge("pertain_event_streams", "Event streams that are open.")
	m.set.Gauge("pertain_build_info", "Which build this is.", "version", "go").Add(1, version, runtime.Version())
	m.set.GaugeFunc("pertain_strategies", "Strategies that are loaded.", func() float64 { return float64(len(catalog().Strategies())) })
	m.set.GaugeFunc("pertain_strategies_invalid", "Strategies with mistakes.", func() float64 { return float64(invalid(catalog())) })
	m.set.AddGo()
	return m
}

func invalid(c *pertain.Catalog) (n int) {
	for _, s := range c.Strategies() {
		if !s.Valid {
			n++
		}
	}
	return n
}

func (m *serverMetrics) serve(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", metrics.ContentType)
	_, _ = m.set.WriteTo(w) // the client may be gone
}
