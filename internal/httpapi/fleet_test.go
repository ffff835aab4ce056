package httpapi_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/internal/httpapi"
	"github.com/pertain-dev/pertain/internal/tally"
)

func TestFleet(t *testing.T) {
	if status, body := serve(t, httpapi.Options{}).ask(t, "GET", "/api/v1/fleet", ""); status != 200 || !strings.Contains(body, `"shared":false`) {
		t.Errorf("without a fleet: %d: %s", status, body)
	}
	var periods []time.Duration
	away := false
	s := serve(t, httpapi.Options{Fleet: func(_ context.Context, period time.Duration) (tally.Report, error) {
		periods = append(periods, period)
		if away {
			return tally.Report{}, errors.New("nats://secret.example.org does not answer")
		}
		now := time.Date(2026, 11, 16, 12, 0, 0, 0, time.UTC)
		return tally.NewSummary(now.Add(-period), now).Report(nil), nil
	}})
	if status, body := s.ask(t, "GET", "/api/v1/fleet?known=true", ""); status != 200 || !strings.Contains(body, `"shared":true`) || len(periods) > 0 {
		t.Errorf("whether there is one: %d: %s", status, body)
	}
	if status, body := s.ask(t, "GET", "/api/v1/fleet?days=7", ""); status != 200 || !strings.Contains(body, `"since":"2026-11-10","until":"2026-11-16"`) {
		t.Errorf("7 days: %d: %s", status, body)
	}
	for _, days := range []string{"0", "-1", "401", "x", "1e9"} {
		if status, body := s.ask(t, "GET", "/api/v1/fleet?days="+days, ""); status != 400 {
			t.Errorf("%s days: %d: %s", days, status, body)
		}
	}
	away = true
	if status, body := s.ask(t, "GET", "/api/v1/fleet", ""); status != 503 || strings.Contains(body, "secret") || !strings.Contains(body, "fleet_away") {
		t.Errorf("away: %d: %s", status, body)
	}
}
