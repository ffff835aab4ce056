package httpapi_test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/httpapi"
)

// BenchmarkMatchOverLoopback is one client on two connections for each core that
// asks what is recommended, with 1,000 strategies loaded of which ten match: the
// load of many windows of one user, far above what one causes. Run it with
// -benchtime 10s; it reports matches per second and allocations of both sides.
func BenchmarkMatchOverLoopback(b *testing.B) {
	s := serve(b, httpapi.Options{})
	for i := range 1000 {
		condition := fmt.Sprintf("clipboard.text:\n    contains: word%d", i)
		if i%100 == 0 {
			condition = "attachments.selection.text:\n    length: { min: 1 }"
		}
		text := fmt.Sprintf("---\nname: S%d\nwhen:\n  %s\n---\nx\n", i, condition)
		if err := os.WriteFile(filepath.Join(s.dir, "strategies", fmt.Sprintf("s%d.strategy.md", i)), []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	catalog, err := s.engine.Reload(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	catalog.Prepare()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100}}
	b.ReportAllocs()
	b.SetParallelism(2)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			body := `{"context":{"attachments":{"selection":{"text":"hello"}},"clipboard":{"text":"nothing special"}}}`
			r, err := http.NewRequestWithContext(b.Context(), http.MethodPost, s.url+"/api/v1/match", strings.NewReader(body))
			if err != nil {
				b.Error(err)
				return
			}
			r.Header.Set("Authorization", "Bearer "+token)
			r.Header.Set("Content-Type", "application/json")
			response, err := client.Do(r)
			if err != nil {
				b.Error(err)
				return
			}
			_, _ = io.Copy(io.Discard, response.Body)
			response.Body.Close()
			if response.StatusCode != http.StatusOK {
				b.Errorf("got %d", response.StatusCode)
				return
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "matches/s")
}
