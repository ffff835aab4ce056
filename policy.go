package pertain

import (
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/settings"
	"github.com/pertain-dev/pertain/stream"
)

// StreamPolicy is what the user's settings say about rules with a trigger: whether
// they watch, and what happens when one fires (docs/reference/triggers.md). What is wrong with the
// settings file is in the list, and the default holds for it. The error is for a file
// that cannot be read.
func StreamPolicy(env Environment) (stream.Policy, diag.List, error) {
	paths, _ := settings.Locate(settingsEnvironment(env)) // without a home there is no settings file
	values, list, err := load(files.OS(), env, paths)
	if err != nil {
		return stream.Policy{}, nil, err
	}
	return streamPolicy(values.TTSR), list, nil
}

// streamPolicy says the same in the words of the stream, where 0 means the default.
func streamPolicy(s settings.TTSR) stream.Policy {
	orNone := func(n int) int {
		if n == 0 {
			return -1
		}
		return n
	}
	return stream.Policy{
		Disabled:      !s.Enabled,
		ContextMode:   stream.ContextMode(s.ContextMode),
		RepeatMode:    stream.RepeatMode(s.RepeatMode),
		RepeatGap:     orNone(s.RepeatGap),
		InterruptMode: stream.InterruptMode(s.InterruptMode),
		Budget:        orNone(s.Budget),
	}
}
