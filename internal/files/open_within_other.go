//go:build !linux

package files

import "path/filepath"

func openWithin(path string, bounds Bounds) (Opened, error) { return openByRoot(path, bounds) }

func realPath(path string) (string, error) { return filepath.EvalSymlinks(path) }

// Pseudo tells whether a folder of the real disk is in a file system whose files the kernel makes up: there is none that has a
// folder.
func Pseudo(string) bool { return false }
