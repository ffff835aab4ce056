//go:build !windows

package stream

import "context"

// patiently does it once: a file can be replaced here while another process reads it.
func patiently(_ context.Context, do func() error) error { return do() }
