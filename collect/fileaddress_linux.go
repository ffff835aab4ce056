package collect

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// filePath is the path of a file: address on this machine.
func filePath(address string) (string, bool) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "file" || !filepath.IsAbs(u.Path) {
		return "", false
	}
	if u.Host != "" && u.Host != "localhost" {
		if host, err := os.Hostname(); err != nil || !strings.EqualFold(host, u.Host) {
			return "", false
		}
	}
	return filepath.Clean(u.Path), true
}
