package follow

import (
	"time"

	"github.com/pertain-dev/pertain/internal/files"
)

// fileState is what is at a path, links not followed, in all that can tell of a change without reading.
type fileState struct {
	kind    files.Kind
	problem error // not nil: nothing can be seen there, and why; the system's number for it
	mode    uint32
	size    int64
	changed int64  // when the content was changed, in nanoseconds since 1970
	target  string // of a link; not compared
	system  systemState
}

// missing is the kind where there is a problem: neither a way on nor something to read.
const missing = files.Special

// same tells whether two states are of the same thing in the same state. What is in a folder counts only for who listed it.
func (s fileState) same(now fileState, listed bool) bool {
	if s.kind != now.kind || s.problem != now.problem || s.mode != now.mode || !s.system.sameThing(now.system) { //nolint:errorlint // the numbers of the system are never wrapped
		return false
	}
	if s.problem != nil || s.kind == files.Folder && !listed {
		return true
	}
	return s.size == now.size && s.changed == now.changed && s.system.sameState(now.system)
}

// fresh tells whether the last change was after a time, and not in the future, as a clock that is wrong has it.
func (s fileState) fresh(since time.Time) bool {
	at := s.system.touched(s.changed)
	return s.problem == nil && at >= since.UnixNano() && at <= time.Now().UnixNano()
}
