package httpapi

import (
	"log/slog"
	"net/http"
	"runtime"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/common/expfmt"

	"github.com/pertain-dev/pertain"
)

// metrics are counts and times, for Prometheus. Labels come from the table of
// routes and from this file, never from a request or the context.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec   // by route and status
	seconds  *prometheus.HistogramVec // by route
	refused  *prometheus.CounterVec   // by reason
	matches  prometheus.Counter
	slow     prometheus.Counter
	streams  prometheus.Gauge
}

func newMetrics(version string, catalog func() *pertain.Catalog) *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "pertain_http_requests_total", Help: "Requests answered."}, []string{"route", "code"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "pertain_http_request_seconds", Help: "How long answers took.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 5, 15},
		}, []string{"route"}),
		refused: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "pertain_http_refused_total", Help: "Requests refused before they were looked at."}, []string{"reason"}),
		matches: prometheus.NewCounter(prometheus.CounterOpts{Name: "pertain_matches_total", Help: "How often strategies were matched."}),
		slow:    prometheus.NewCounter(prometheus.CounterOpts{Name: "pertain_slow_matches_total", Help: "Matches in which a strategy ran out of time."}),
		streams: prometheus.NewGauge(prometheus.GaugeOpts{Name: "pertain_event_streams", Help: "Event streams that are open."}),
	}
	state := func(name, help string, count func(*pertain.Catalog) int) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, func() float64 { return float64(count(catalog())) })
	}
	info := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "pertain_build_info", Help: "Which build this is.", ConstLabels: prometheus.Labels{"version": version, "go": runtime.Version()},
	})
	info.Set(1)
	m.registry.MustRegister(m.requests, m.seconds, m.refused, m.matches, m.slow, m.streams, info,
		state("pertain_strategies", "Strategies that are loaded.", func(c *pertain.Catalog) int { return len(c.Strategies()) }),
		state("pertain_strategies_invalid", "Strategies with mistakes.", invalid),
		collectors.NewGoCollector())
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

func (m *metrics) serve(w http.ResponseWriter, _ *http.Request) {
	families, err := m.registry.Gather()
	if err != nil {
		writeError(w, fail(http.StatusInternalServerError, "internal", "the metrics could not be gathered"))
		return
	}
	format := expfmt.NewFormat(expfmt.TypeTextPlain)
	w.Header().Set("Content-Type", string(format))
	encoder := expfmt.NewEncoder(w, format)
	for _, family := range families {
		if encoder.Encode(family) != nil {
			return // the client is gone
		}
	}
}

// measured counts and logs the requests of one route: the route's name, never
// the address that was asked for.
func (s *Server) measured(route string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		recorder := &recorder{ResponseWriter: w, status: http.StatusOK}
		next.ServeHTTP(recorder, r)
		took := time.Since(start)
		s.metrics.requests.WithLabelValues(route, strconv.Itoa(recorder.status)).Inc()
		s.metrics.seconds.WithLabelValues(route).Observe(took.Seconds())
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
