package serve

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/pertain-dev/pertain/bench/program"
)

// process is a server that runs as a program of its own.
type process struct {
	*program.Server
	address string // host and port
	token   string
}

func start(dir string, env []string, argv ...string) (*process, error) {
	server, err := program.Start(dir, env, argv...)
	if err != nil {
		return nil, err
	}
	return &process{server, server.Address(), server.Token}, nil
}

// metric reads one value of /metrics.
func (p *process) metric(name string) (float64, error) {
	r, err := http.NewRequest(http.MethodGet, "http://"+p.address+"/metrics", http.NoBody)
	if err != nil {
		return 0, err
	}
	r.Header.Set("Authorization", "Bearer "+p.token)
	r.Close = true
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, err
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(line, name+" "); ok {
			return strconv.ParseFloat(strings.TrimSpace(value), 64)
		}
	}
	return 0, fmt.Errorf("there is no metric %s", name)
}
