package httpapi

import (
	"log/slog"
	"net/http"
	"runtime"
	"strconv"
	"time"

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

// measured counts and logs the requests of one route: the route's name, never
// the address that was asked for.
func (s *Server) measured(route string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		recorder := &recorder{ResponseWriter: w, status: http.StatusOK}
		next.ServeHTTP(recorder, r)
		took := time.Since(start)
		s.metrics.requests.Add(1, route, strconv.Itoa(recorder.status))
		s.metrics.seconds.Observe(took.Seconds(), route)
		if !s.logger.Enabled(r.Context(), slog.LevelInfo) {
			return
		}
		s.logger.Info("request", "method", known(r.Method), "route", route, "status", recorder.status, "bytes", recorder.bytes, "ms", float64(took.Microseconds())/1000)
	})
}

// known keeps invented methods out of the log.
func known(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodPatch, http.MethodOptions:
		return method
	}
	return "other"
}

// recorder remembers how a request was answered.
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int64
}

func (r *recorder) WriteHeader(status int) {
	r.status = status
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(p []byte) (int, error) {
	n, err := r.ResponseWriter.Write(p)
	r.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
