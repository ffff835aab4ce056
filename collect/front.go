package collect

import "context"

// Front is a window, as far as it takes to tell it from others: who acts on the window
// that was in front compares what is in front by then.
type Front struct {
	Window  string // tells it from all other windows of the session while it is there; "": nothing does
	Process string // name of its program, as activeProcess.name has it
	PID     int    // of that program; 0: unknown
}

// Front is the window that is read: the one in front, unless the options name another.
// The error says why it is not known, or must not be.
func (m *Machine) Front(ctx context.Context) (Front, error) { return m.desktop.tellFront(ctx) }
