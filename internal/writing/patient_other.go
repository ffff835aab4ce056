//go:build !windows

package writing

import "context"

// Patiently does it once: a file can be replaced here while another process reads it.
func Patiently(_ context.Context, do func() error) error { return do() }
