package cli

import (
	"os"
	"runtime"
	"strings"
	"time"
)

// zoneFolders are where time zones are looked up by name, as package time does it.
var zoneFolders = []string{"/usr/share/zoneinfo/", "/usr/share/lib/zoneinfo/", "/usr/lib/locale/TZ/", "/etc/zoneinfo/"}

// settleZone leaves times at UTC where TZ names what is no file: package time would open and read it with the first local time, and who reads a pipe or
// a terminal's other end waits for ever. Agents run hooks with variables that a repository's settings may set.
func settleZone() {
	if tz, ok := os.LookupEnv("TZ"); ok && !isZone(tz) {
		time.Local = time.UTC
	}
}

// isZone tells whether nothing but a regular file is read for a time zone.
func isZone(tz string) bool {
	tz = strings.TrimPrefix(tz, ":")
	if tz == "" || tz == "UTC" || runtime.GOOS == "windows" { // where the variable is not read
		return true
	}
	folders := zoneFolders
	if strings.HasPrefix(tz, "/") {
		folders = []string{""}
	}
	found := false
	for _, folder := range folders {
		info, err := os.Stat(folder + tz)
		if err == nil && !info.Mode().IsRegular() {
			return false
		}
		found = found || err == nil
	}
	return found
}
