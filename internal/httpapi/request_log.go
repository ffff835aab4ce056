package httpapi

import (
	"log/slog"
	"net/http"
	"strconv"
	"time"
)

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
