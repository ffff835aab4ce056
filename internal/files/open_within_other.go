//go:build !linux

package files

import "path/filepath"

func openWithin(path string, bounds Bounds) (Opened, error) { return openByRoot(path, bounds) }

func realPath(path string) (string, error) { return filepath.EvalSymlinks(path) }
