package clipboard

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// FilePath is the path of a file: address on this machine. A path that is not
// valid UTF-8 cannot be told: what would be written of it is another file's. No
// file has a zero byte in its name.
func FilePath(address string) (string, bool) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "file" || !filepath.IsAbs(u.Path) || !utf8.ValidString(u.Path) || strings.ContainsRune(u.Path, 0) {
		return "", false
	}
	if u.Host != "" && u.Host != "localhost" {
		if host, err := os.Hostname(); err != nil || !strings.EqualFold(host, u.Host) {
			return "", false
		}
	}
	return filepath.Clean(u.Path), true
}
