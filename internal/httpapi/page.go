package httpapi

import (
	"embed"
	"io/fs"
	"net/http"
	"strings"
)

// static is the page as .ci/page builds it from page/, so that users need no
// Node.
//
//go:embed static
var static embed.FS

// pageHandler serves the page's files and no folder listings.
func pageHandler() http.Handler {
	files, err := fs.Sub(static, "static")
	if err != nil {
		panic(err) // the folder is embedded above
	}
	server := http.FileServerFS(files)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/")
		if name == "" {
			name = "index.html"
		}
		if info, err := fs.Stat(files, name); err != nil || info.IsDir() { // also for names that are not plain, such as ../x
			serveNothing(w, r)
			return
		}
		w.Header().Set("Cache-Control", "no-cache")
		server.ServeHTTP(w, r)
	})
}
