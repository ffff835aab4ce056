package httpapi

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/pertain-dev/pertain/internal/tally"
)

type fleetQuery struct {
	Known bool   `json:"known,omitempty" jsonschema:"tell only whether there is a fleet, without asking it"`
	Days  string `json:"days,omitempty" jsonschema:"how many days back, today included: 1 to 400; 30 unless given"`
}

type fleetAnswer struct {
	Shared bool          `json:"shared" jsonschema:"whether the settings name a fleet"`
	Report *tally.Report `json:"report" jsonschema:"what rules did in it; null without one"`
}

const (
	fleetDays    = 30
	maxFleetDays = 400
)

// fleet tells what rules did on all machines of the fleet.
func (s *Server) fleet(ctx context.Context, in fleetQuery) (fleetAnswer, error) {
	days := fleetDays
	if in.Days != "" {
		n, err := strconv.Atoi(in.Days)
		if err != nil || n < 1 || n > maxFleetDays {
			return fleetAnswer{}, fail(http.StatusBadRequest, "bad_field", "`days` is a number from 1 to %d", maxFleetDays)
		}
		days = n
	}
	if s.options.Fleet == nil || in.Known {
		return fleetAnswer{Shared: s.options.Fleet != nil}, nil
	}
	report, err := s.options.Fleet(ctx, time.Duration(days-1)*24*time.Hour)
	if err != nil {
		s.logger.Warn("the fleet cannot be asked", "error", err)
		return fleetAnswer{}, fail(http.StatusServiceUnavailable, "fleet_away", "the fleet's servers do not answer; this machine goes on without them")
	}
	return fleetAnswer{Shared: true, Report: &report}, nil
}
