//go:build unix

package preprocess

import "syscall"

// openFlags keep an open from waiting for a pipe and from following a link.
const openFlags = syscall.O_NONBLOCK | syscall.O_NOFOLLOW | syscall.O_NOCTTY
