package lsp

import (
	"net/url"
	"strings"

	"github.com/pertain-dev/pertain/internal/files"
)

// pathOf is the path of a file's address, absolute and clean; ok is false for what is
// no file of this machine.
func pathOf(uri string) (path string, ok bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" || strings.ContainsRune(u.Path, 0) {
		return "", false
	}
	path = u.Path
	flavor := files.Native()
	if flavor == files.Windows {
		path = strings.TrimPrefix(path, "/") // /C:/x
		if len(path) > 1 && path[1] == ':' {
			path = strings.ToUpper(path[:1]) + path[1:]
		}
	}
	path = flavor.Clean(path)
	return path, flavor.IsAbs(path)
}

// uriOf is the address of a file.
func uriOf(path string) string {
	slash := files.Native().ToSlash(path)
	if !strings.HasPrefix(slash, "/") {
		slash = "/" + slash
	}
	return (&url.URL{Scheme: "file", Path: slash}).String()
}
