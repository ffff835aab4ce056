package collect

import (
	"context"
	"strings"
	"time"

	host "github.com/pertain-dev/pertain/collect/internal/environment"
	"github.com/pertain-dev/pertain/facts"
)

// Environment is the object environment (docs/reference/paths.md). What cannot be told for
// certain is left out, and so unavailable.
//
// lookup reads an environment variable ("" where it is not set; os.Getenv).
// now is the present in the user's time zone (time.Now()).
//
//   - os is linux, windows or macos; on other systems it is left out.
//   - architecture is Go's name for it: amd64, arm64, …
//   - locale is a language tag such as de-DE, from the first of LC_ALL,
//     LC_MESSAGES and LANG that is set; on Windows, where none is set, the
//     user's. The locales C and POSIX say that no language was chosen: locale is
//     left out then, so that no strategy takes a build server for an American.
//   - timeZone is the IANA name of the zone that now is in, such as
//     Europe/Berlin; the zones that are just UTC are called UTC.
//   - currentDate is the date of now, such as 2026-11-15.
func Environment(lookup func(string) string, now time.Time) facts.Value {
	return host.Of(lookup, now)
}

// FillEnvironment returns the context with what its environment leaves out,
// field by field, from an [Environment]. An explicit null stays, for a field as
// for the whole; so does an environment that is no object.
func FillEnvironment(s *facts.Snapshot, environment facts.Value) *facts.Snapshot {
	return host.Fill(s, environment)
}

// assistant tells what the settings say about the assistant (docs/reference/paths.md).
type assistant struct {
	object facts.Value
}

func (assistant) Info() facts.CollectorInfo {
	return facts.CollectorInfo{ID: "settings", Serves: []string{"assistant"}}
}

func (assistant) CanCollect(context.Context, *facts.Snapshot, facts.Request) bool { return true }

func (a assistant) Collect(_ context.Context, _ *facts.Snapshot, request facts.Request) (facts.Part, error) {
	var part facts.Part
	known := 0
	for _, need := range request.Needs.Names() {
		if v := facts.Item(a.object, strings.TrimPrefix(need, "assistant.")); !v.IsAbsent() {
			part = part.With(need, v)
			known++
		}
	}
	if known == 0 {
		return facts.Part{}, facts.Unavailable("the settings do not say it", "write it under `assistant:` in the settings file")
	}
	return part, nil
}
