package collect

import (
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/pertain-dev/pertain/facts"
)

// Environment is the object environment (CONTRACT §3). What cannot be told for
// certain is left out, and so unavailable.
//
// lookup reads an environment variable ("" where it is not set; os.Getenv).
// now is the present in the user's time zone (time.Now()).
//
//   - os is linux, windows or macos; on other systems it is left out.
//   - architecture is Go's name for it: amd64, arm64, …
//   - locale is a language tag such as de-DE, from the first of LC_ALL,
//     LC_MESSAGES and LANG that is set; on Windows else the user's. The locales
//     C and POSIX say that no language was chosen: locale is left out then, so
//     that no strategy takes a build server for an American.
//   - timeZone is the IANA name of the zone that now is in, such as
//     Europe/Berlin; the zones that are just UTC are called UTC.
//   - currentDate is the date of now, such as 2026-11-15.
func Environment(lookup func(string) string, now time.Time) facts.Value {
	return host{
		goos:     runtime.GOOS,
		goarch:   runtime.GOARCH,
		lookup:   lookup,
		readlink: os.Readlink,
		readFile: os.ReadFile,
		locale:   systemLocale,
		zone:     systemZone,
	}.environment(now)
}

// host is what the environment's facts are read from.
type host struct {
	goos, goarch string
	lookup       func(string) string
	readlink     func(string) (string, error)
	readFile     func(string) ([]byte, error)
	locale       func() string // the system's own answer where no variable is set; "" if it has none
	zone         func() string
}

func (h host) environment(now time.Time) facts.Value {
	var fields []facts.Field
	add := func(name, text string) {
		if text != "" {
			fields = append(fields, facts.Field{Name: name, Value: facts.Text(text)})
		}
	}
	add("os", osName(h.goos))
	add("architecture", h.goarch)
	add("locale", h.language())
	add("timeZone", h.timeZone(now))
	add("currentDate", now.Format(time.DateOnly))
	return facts.Fields(fields...)
}

func osName(goos string) string {
	switch goos {
	case "linux", "windows":
		return goos
	case "darwin":
		return "macos"
	default:
		return ""
	}
}

// FillEnvironment returns the context with what its environment leaves out,
// field by field, from an [Environment]. An explicit null stays, for a field as
// for the whole; so does an environment that is no object.
func FillEnvironment(s *facts.Snapshot, environment facts.Value) *facts.Snapshot {
	given, told := field(s.Values(), "environment")
	if told && given.Kind() != facts.Object {
		return s
	}
	fields := slices.Clone(given.Fields())
	for _, f := range environment.Fields() {
		if _, told := field(given, f.Name); !told {
			fields = append(fields, f)
		}
	}
	if len(fields) == len(given.Fields()) {
		return s
	}
	return s.With("environment", facts.Fields(fields...))
}

// field tells a field that is null from one that is not there.
func field(object facts.Value, name string) (facts.Value, bool) {
	for _, f := range object.Fields() {
		if f.Name == name {
			return f.Value, true
		}
	}
	return facts.Value{}, false
}
