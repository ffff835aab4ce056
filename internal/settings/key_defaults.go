package settings

import (
	"strconv"
	"time"
)

// Default is what holds where the settings file says nothing.
func Default() Settings {
	var s Settings
	for _, r := range table() {
		r.reset(&s)
	}
	return s
}

// reset writes the default. The table is part of the program, and a test reads every default back, so the parsers' answers
// about mistakes need no second look here.
func (r *row) reset(s *Settings) {
	switch field := r.field(s).(type) {
	case *bool:
		*field = r.normal == "true"
	case **bool:
		*field = nil
	case *int:
		*field, _ = strconv.Atoi(r.normal)
	case *time.Duration:
		*field, _ = ParseDuration(r.normal)
	case *string:
		*field = r.normal
	case *[]string:
		*field = nil
	case *ids:
		*field = nil
	case *oneOrMore:
		*field = nil
	case *map[string]string:
		*field = nil
	}
}
