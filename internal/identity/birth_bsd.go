//go:build darwin || freebsd || netbsd

package identity

import (
	"fmt"
	"syscall"
)

// birth is when something was made; empty: its file system does not tell, which some say by 0 and some by -1.
func birth(_ string, st *syscall.Stat_t) string {
	sec, nsec := st.Birthtimespec.Unix()
	if sec <= 0 {
		return ""
	}
	return fmt.Sprintf("%d.%09d", sec, nsec)
}
