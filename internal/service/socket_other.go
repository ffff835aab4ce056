//go:build !linux

package service

import (
	"context"
	"time"
)

// Dial finds no service: there is none on this system.
func (Endpoint) Dial(context.Context, time.Duration) (*Conn, error) { return nil, ErrElsewhere }

// Listener is the service's end of the socket.
type Listener struct{}

// Listen cannot make the socket.
func (Endpoint) Listen(context.Context) (*Listener, error) { return nil, ErrElsewhere }

// Serve ends at once.
func (*Listener) Serve(context.Context, func(context.Context, *Caller)) error { return ErrElsewhere }

// Close has nothing to end.
func (*Listener) Close() {}

// Build is not known.
func Build() string { return "" }

// Outdated is not known.
func Outdated(string) bool { return false }

// Seal does nothing.
func Seal() {}

// Used is not known.
func Used() (memory int, cpu float64) { return 0, 0 }
