package httpapi_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/internal/httpapi"
	"github.com/pertain-dev/pertain/internal/tally"
)

// TestAnswersMeetTheDescription asks every route and holds the answers against
// the OpenAPI description, in which no field may be missing.
func TestAnswersMeetTheDescription(t *testing.T) {
	s := serve(t, httpapi.Options{Fleet: func(_ context.Context, period time.Duration) (tally.Report, error) {
		now := time.Date(2026, 11, 16, 12, 0, 0, 0, time.UTC)
		summary := tally.NewSummary(now.Add(-period), now)
		day := tally.Day{Rows: map[tally.Name]*tally.Counts{{Rule: "r", Agent: "claude"}: {Denied: 3, Heeded: 2, Unheeded: 1}}}
		err := summary.Add("m", tally.DayOf(now), day.Encode())
		return summary.Report([]string{"never"}), err
	}, Ask: &fakeAsker{offered: true}})
	schemas := httpapi.Strict(t)
	asked := map[string]bool{}
	tree := `{\"visual\":{\"roots\":[{\"type\":\"TopLevel\",\"id\":\"e1\",\"bounds\":{\"x\":0,\"y\":0,\"width\":9,\"height\":9},\"name\":\"x\"}]}}`
	for _, c := range [][3]string{
		{"GET", "/api/v1/match?all=true", ""},
		{"POST", "/api/v1/match", `{"all":true,"context":{"attachments":{"text":"x"}}}`},
		{"POST", "/api/v1/explain", `{"id":"user.rewrite","showValues":true}`},
		{"POST", "/api/v1/explain", `{"id":"user.broken"}`},
		{"POST", "/api/v1/run", `{"id":"user.rewrite"}`},
		{"POST", "/api/v1/run", `{"id":"user.broken"}`},
		{"GET", "/api/v1/context", ""},
		{"GET", "/api/v1/context?showValues=true&id=user.rewrite", ""},
		{"GET", "/api/v1/strategies/text?id=user.rewrite", ""},
		{"GET", "/api/v1/problems", ""},
		{"GET", "/api/v1/rules?all=true", ""},
		{"GET", "/api/v1/rules?agent=cursor", ""},
		{"GET", "/api/v1/agents", ""},
		{"GET", "/api/v1/rules/text?name=types", ""},
		{"GET", "/api/v1/rules/for?file=a.go&all=true&agent=cursor", ""},
		{"GET", "/api/v1/rules/for?file=a.go&all=true", ""},
		{"GET", "/api/v1/fleet", ""},
		{"GET", "/api/v1/fleet?days=7", ""},
		{"POST", "/api/v1/try", `{"source":"---\nname: T\nwhen:\n  attachments.text:\n    equals: a\n---\nb"}`},
		{"POST", "/api/v1/try", `{"source":"---\nname: T\npreprocessors: [file-manager-selection]\n---\nb","input":"x"}`},
		{"POST", "/api/v1/try", `{"source":"","context":"{"}`},
		{"POST", "/api/v1/query", `{"query":"//*","context":"` + tree + `"}`},
		{"POST", "/api/v1/query", `{"query":"//*/@name","showValues":true,"context":"` + tree + `"}`},
		{"POST", "/api/v1/query", `{"query":"//*["}`},
		{"GET", "/api/v1/ask", ""},
		{"GET", "/api/v1/openapi.json", ""},
		{"GET", "/healthz", ""},
	} {
		status, body := s.ask(t, c[0], c[1], c[2])
		path, _, _ := strings.Cut(c[1], "?")
		route := c[0] + " " + path
		asked[route] = true
		if status != 200 || schemas[route] == nil {
			t.Errorf("%s: got %d: %s", route, status, body)
			continue
		}
		var value any
		if err := json.Unmarshal([]byte(body), &value); err != nil {
			t.Fatal(err)
		}
		if err := schemas[route].Validate(value); err != nil {
			t.Errorf("%s %s: %v\n%s", route, c[2], err, body)
		}
	}
	for route := range schemas {
		if !asked[route] {
			t.Errorf("%s is described and was not asked", route)
		}
	}
}
