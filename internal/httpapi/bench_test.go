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

// busySpace has 1,000 strategies of five kinds, of which some twenty match the
// context of [busyContext].
func busySpace(b *testing.B) *space {
	b.Helper()
	s := newSpace(b)
	for i := range 1000 {
		var when string
		switch n := i / 5; i % 5 {
		case 0:
			when = fmt.Sprintf("- extra.browser.active_tab.url:\n        startsWith: https://topic%d.example/\n    - extra.browser.active_tab.title:\n        regex: '\\b(topic|word%d)s?\\b'", n%50, n)
		case 1:
			when = fmt.Sprintf("- attachments.files:\n        any:\n          extension:\n            in: ['.x%d', .y]\n    - attachments.selection.text:\n        contains: word%d", n%50, n%100)
		case 2:
			when = fmt.Sprintf("- attachments.selection.text:\n        length: { min: 2 }\n    - clipboard.text:\n        contains: topic%d", n%50)
		case 3:
			when = fmt.Sprintf("- visual.match:\n        query: //TopLevel/@process\n        equals: program%d\n    - clipboard.hasText:\n        equals: true", n%50)
		case 4:
			when = fmt.Sprintf("- visual.exists:\n        query: //Button[@name='save %d']\n    - none:\n        - clipboard.hasImage:\n            equals: true", n%50)
		}
		text := fmt.Sprintf("---\nname: S%d\ndescription: What to do with it\nwhen:\n  all:\n    %s\n---\nLook at {attachments.selection.text}\n", i, when)
		if err := os.WriteFile(filepath.Join(s.dir, "strategies", fmt.Sprintf("s%d.strategy.md", i)), []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	catalog, err := s.engine.Reload(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	catalog.Prepare()
	return s
}

// busyContext is some 8 KB: texts, files, a page and three windows with 88
// elements.
func busyContext() string {
	prose := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "word%d of many ", 200+i%100)
		}
		return b.String()
	}
	var windows []string
	for w := range 3 {
		var panels []string
		for p := range 4 {
			var buttons []string
			for i := range 6 {
				buttons = append(buttons, fmt.Sprintf(`{"type":"Button","name":"save %d"}`, 47+w*100+p*10+i))
			}
			panels = append(panels, `{"type":"Panel","children":[`+strings.Join(buttons, ",")+`]}`)
		}
		windows = append(windows, fmt.Sprintf(`{"type":"TopLevel","name":"%s","process":"program%d","children":[%s]}`, prose(2), 49+w*10, strings.Join(panels, ",")))
	}
	return fmt.Sprintf(`{"attachments":{"files":[{"path":"/w/a.pdf","extension":".pdf"},{"path":"/w/b.x1","extension":".x1"}],"selection":{"text":"%s word1 "},"text":"%s"},`+
		`"clipboard":{"text":"%s topic7 ","hasText":true,"hasImage":false},"environment":{"os":"linux","architecture":"amd64","locale":"en-US","timeZone":"UTC","currentDate":"2026-11-15"},`+
		`"extra":{"browser":{"active_tab":{"url":"https://topic3.example/x","title":"A topic","domain":"topic3.example"}}},"visual":{"roots":[{"type":"Screen","children":[%s]}]}}`,
		prose(120), prose(40), prose(60), strings.Join(windows, ","))
}

// BenchmarkMatch is the server's own work for one match, without the network.
func BenchmarkMatch(b *testing.B) {
	handler := httpapi.New(busySpace(b), httpapi.Options{Token: token}).Handler()
	body := `{"context":` + busyContext() + `}`
	matches := 0
	for b.Loop() {
		r, err := http.NewRequestWithContext(b.Context(), http.MethodPost, "http://localhost/api/v1/match", strings.NewReader(body))
		if err != nil {
			b.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set("Content-Type", "application/json")
		w := &answer{header: http.Header{}}
		handler.ServeHTTP(w, r)
		if w.status != http.StatusOK {
			b.Fatal(w.body.String())
		}
		matches = strings.Count(w.body.String(), `"result":true`)
	}
	b.ReportAllocs()
	b.ReportMetric(float64(matches), "matches")
	b.ReportMetric(float64(len(body)), "body-bytes")
}

// BenchmarkMatchOverLoopback is one client on two connections for each core that
// asks what is recommended: the load of many windows of one user, far above what
// one causes. Run it with -benchtime 10s; it reports matches per second and
// allocations of both sides. `bench/run serve` measures the program itself.
func BenchmarkMatchOverLoopback(b *testing.B) {
	s := serveSpace(b, busySpace(b), httpapi.Options{})
	body := `{"context":` + busyContext() + `}`
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100}}
	b.ReportAllocs()
	b.SetParallelism(2)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
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
