//go:build !linux && !darwin

package repository

import "io/fs"

func identity(fs.FileInfo) (changed, inode uint32, ok bool) { return 0, 0, false }
