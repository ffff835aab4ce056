package serve

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
)

// bareFolder names, in the environment of this very program started again, the
// folder with the answers that a bare server gives.
const bareFolder = "PERTAIN_BENCH_BARE"

// serveBare is the least that a server in Go does: read the request, write the
// answer that Pertain gave, which was made beforehand. It ends with its process.
func serveBare(dir string) error {
	answers := make([][]byte, contextCount)
	for i := range answers {
		text, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("answer-%d.json", i)))
		if err != nil {
			return err
		}
		answers[i] = text
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	told := json.NewEncoder(os.Stdout).Encode(map[string]string{"url": "http://" + listener.Addr().String() + "/", "token": "none"})
	if told != nil {
		return told
	}
	return http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		i, err := strconv.Atoi(r.Header.Get("X-Case"))
		if err != nil || i < 0 || i >= len(answers) {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		_, _ = w.Write(answers[i])
	}))
}

// startBare starts this program again as a bare server.
func startBare(dir string) (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return start(dir, []string{bareFolder + "=" + dir}, self, "--json", "serve")
}
