package metrics_test

import (
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/pertain-dev/pertain/internal/metrics"
)

// told is what a set writes.
func told(t *testing.T, s *metrics.Set) string {
	t.Helper()
	var b strings.Builder
	if n, err := s.WriteTo(&b); err != nil || int(n) != b.Len() {
		t.Fatalf("%d of %d bytes: %v", n, b.Len(), err)
	}
	return b.String()
}

func TestText(t *testing.T) {
	var s metrics.Set
	requests := s.Counter("requests_total", "Requests,\nby \\ route.", "route", "code")
	s.Counter("plain_total", "From the start.")
	s.Counter("never_total", "Nothing has its labels.", "label")
	open := s.Gauge("open", "Up and down.")
	seconds := s.Histogram("seconds", "Times.", []float64{0.5, 1}, "route")
	s.GaugeFunc("loaded", "Read.", func() float64 { return 1e21 })
	requests.Add(1, "/b", "200")
	requests.Add(2, "/a", "404")
	requests.Add(1, "/a", "200")
	requests.Add(1, "/b", "200")
	requests.Add(1, "a\"b\\c\nd", "200")
	open.Add(2)
	open.Add(-3)
	for _, value := range []float64{0.1, 0.5, 0.75, 1, 2} { // a bound is in its bucket
		seconds.Observe(value, "/a")
	}
	const want = `# HELP loaded Read.
# TYPE loaded gauge
loaded 1e+21
# HELP open Up and down.
# TYPE open gauge
open -1
# HELP plain_total From the start.
# TYPE plain_total counter
plain_total 0
# HELP requests_total Requests,\nby \\ route.
# TYPE requests_total counter
requests_total{code="200",route="/a"} 1
requests_total{code="200",route="/b"} 2
requests_total{code="200",route="a\"b\\c\nd"} 1
requests_total{code="404",route="/a"} 2
# HELP seconds Times.
# TYPE seconds histogram
seconds_bucket{route="/a",le="0.5"} 2
seconds_bucket{route="/a",le="1"} 4
seconds_bucket{route="/a",le="+Inf"} 5
seconds_sum{route="/a"} 4.35
seconds_count{route="/a"} 5
`
	if got := told(t, &s); got != want {
		t.Errorf("got\n%s", got)
	}
}

// TestGo holds the names that dashboards know.
func TestGo(t *testing.T) {
	var s metrics.Set
	s.AddGo()
	text := told(t, &s)
	for _, line := range []string{
		`go_gc_duration_seconds\{quantile="0\.25"\} \S+`, `go_gc_duration_seconds_count \d+`, `go_gc_gogc_percent \d+`, `go_gc_gomemlimit_bytes [1-9]\S+`,
		`go_goroutines [1-9]\d*`, `go_info\{version="go1\S+"\} 1`, `go_sched_gomaxprocs_threads [1-9]\d*`, `go_threads [1-9]\d*`,
		`go_memstats_alloc_bytes [1-9]\S+`, `go_memstats_sys_bytes [1-9]\S+`, `go_memstats_mallocs_total [1-9]\S*`, `go_memstats_last_gc_time_seconds \S+`,
	} {
		if !regexp.MustCompile(`(?m)^` + line + `$`).MatchString(text) {
			t.Errorf("no line is %s:\n%s", line, text)
		}
	}
	if n := strings.Count(text, "# TYPE go_memstats_"); n != 22 {
		t.Errorf("%d numbers are about memory", n)
	}
}

func TestTogether(t *testing.T) {
	var s metrics.Set
	count := s.Counter("count_total", "Counted by many.", "label")
	seconds := s.Histogram("seconds", "By many.", []float64{1})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 100 {
				count.Add(1, "a")
				seconds.Observe(2)
				_ = told(t, &s)
			}
		})
	}
	wg.Wait()
	text := told(t, &s)
	for _, line := range []string{`count_total{label="a"} 800`, `seconds_bucket{le="1"} 0`, `seconds_count 800`} {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("%s is not told:\n%s", line, text)
		}
	}
}
