package hook

import (
	"context"
	"time"

	"github.com/pertain-dev/pertain/stream"
	"github.com/pertain-dev/pertain/toolcall"
)

// RunImpatiently is Run where the user's own rules are asked at once, and decide as soon as they can.
func RunImpatiently(ctx context.Context, call Call) int {
	return run(ctx, call, patience{0, 0, time.Minute})
}

// Looks gives how many texts of a call are looked at for triggers, and how many parts it has.
func Looks(tool, arguments string) (looks, parts int) {
	set, _ := stream.Compile([]stream.Trigger{{Name: "r", Patterns: []string{"FORBIDDEN"}}}, stream.Options{})
	segments := toolcall.Read(tool, arguments)
	looked := look{set: set}
	for _, segment := range segments {
		looked.at(segment.Text)
	}
	return looked.count, len(segments)
}

// Touching looks at the files of a call, and gives how many parts it has.
func Touching(tool, arguments, dir string) (look func() int) {
	s := &session{request: request{tool: tool}, segments: toolcall.Read(tool, arguments), dir: dir, root: dir}
	return func() int {
		locations := s.locations()
		for _, segment := range s.segments {
			for range locations.of(segment) {
			}
		}
		return len(s.segments)
	}
}
