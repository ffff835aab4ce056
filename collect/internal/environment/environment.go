// Package environment says what is always known of a machine: its system, the
// user's language and time zone, and the date.
//
//	variables, /etc/localtime, the system's own answers → host → the object environment
//
// Use [Of] first; [Fill] adds to a context what it leaves out.
package environment

import (
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/pertain-dev/pertain/facts"
)

// Of is the object environment at a moment, as collect.Environment describes it.
func Of(lookup func(string) string, now time.Time) facts.Value {
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
	zone := h.timeZone(now)
	add("timeZone", zone)
	if now.Location() == time.Local { // of this process; the variables may be those of another one, in another zone
		if there, err := time.LoadLocation(zone); err == nil && zone != "" {
			now = now.In(there)
		}
	}
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

// Fill adds to a context what its environment leaves out, as
// collect.FillEnvironment describes it.
func Fill(s *facts.Snapshot, environment facts.Value) *facts.Snapshot {
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
