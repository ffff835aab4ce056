//go:build unix && !darwin

package settings

import (
	"os"
	"strconv"
	"strings"

	"github.com/pertain-dev/pertain/internal/files"
)

// maxAccounts is how much of the list of accounts is read, in bytes.
const maxAccounts = 4 << 20

// AccountHome is the user's home as the system's list of accounts has it, whatever the environment says; empty: it is not known. Accounts that a
// network knows are not asked for.
func AccountHome() string {
	data, err := files.OS().ReadFile("/etc/passwd", maxAccounts)
	if err != nil {
		return ""
	}
	return homeOf(string(data), strconv.Itoa(os.Getuid()))
}

// homeOf finds the home of a user by the number, in lines as of /etc/passwd.
func homeOf(accounts, user string) string {
	for line := range strings.Lines(accounts) {
		fields := strings.Split(strings.TrimRight(line, "\n"), ":")
		if len(fields) >= 7 && fields[2] == user && files.Unix.IsAbs(fields[5]) {
			return files.Unix.Clean(fields[5])
		}
	}
	return ""
}
