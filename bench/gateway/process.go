package gateway

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/pertain-dev/pertain/bench/program"
)

// process is a proxy that runs as a program of its own.
type process struct {
	*program.Server
	name string
	idle float64 // the part of a core that it uses while nobody asks
}

// Proxies are left alone for a moment first, since a gateway looks once more at files that were written just before it started,
// and then watched while nobody asks.
const (
	settleTime = 2 * time.Second
	restTime   = 8 * time.Second
)

// rest finds out what proxies use while nobody asks.
func rest(proxies []*process) error {
	time.Sleep(settleTime)
	before := make([]time.Duration, len(proxies))
	for i, p := range proxies {
		var err error
		if before[i], err = p.ProcessorTime(); err != nil {
			return err
		}
	}
	time.Sleep(restTime)
	for i, p := range proxies {
		after, err := p.ProcessorTime()
		if err != nil {
			return err
		}
		p.idle = float64(after-before[i]) / float64(restTime)
	}
	return nil
}

// plainUpstream names, in the environment of this very program started again, where a
// plain proxy passes requests on to.
const plainUpstream = "PERTAIN_BENCH_PROXY"

// servePlain is the proxy of Go's standard library, which flushes every piece.
func servePlain(upstream string) error {
	to, err := url.Parse(upstream)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	proxy := &httputil.ReverseProxy{FlushInterval: -1, Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to) }, Transport: &http.Transport{MaxIdleConnsPerHost: 1000, DisableCompression: true}}
	if err := json.NewEncoder(os.Stdout).Encode(map[string]string{"url": "http://" + listener.Addr().String() + "/"}); err != nil {
		return err
	}
	return http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body) // else some streams are cut short
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		proxy.ServeHTTP(w, r)
	}))
}

func startPlain(dir, upstream string) (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	server, err := program.Start(dir, []string{plainUpstream + "=" + upstream}, self, "--json", "gateway")
	return &process{Server: server, name: "ReverseProxy"}, err
}

// startPertain builds the program and starts a gateway with rules.
func startPertain(dir, upstream string) (*process, error) {
	path, err := program.Build(dir)
	if err != nil {
		return nil, err
	}
	if err := writeRules(filepath.Join(dir, ".omp", "rules")); err != nil {
		return nil, err
	}
	server, err := program.Start(dir, nil, path, "gateway", "--json", "--listen", "127.0.0.1:0", "--anthropic", upstream)
	return &process{Server: server, name: "pertain"}, err
}

// startNginx starts nginx, if it is installed, passing every piece on at once; nil: it
// is not.
func startNginx(dir, upstream string) (*process, error) {
	nginx, err := exec.LookPath("nginx")
	if err != nil {
		if nginx = "/usr/sbin/nginx"; !exists(nginx) {
			return nil, nil
		}
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	address := free.Addr().String()
	_ = free.Close()
	config := fmt.Sprintf(`daemon off; worker_processes 1; pid %[1]s/nginx.pid; error_log %[1]s/nginx.log;
events { worker_connections 4096; }
http { access_log off; client_body_temp_path %[1]s/body; proxy_temp_path %[1]s/proxy; fastcgi_temp_path %[1]s/f; uwsgi_temp_path %[1]s/u; scgi_temp_path %[1]s/s;
  upstream model { server %[3]s; keepalive 1000; }
  server { listen %[2]s; location / { proxy_pass http://model; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_buffering off; } } }
`, dir, address, strings.TrimPrefix(upstream, "http://"))
	path := filepath.Join(dir, "nginx.conf")
	if err := os.WriteFile(path, []byte(config), 0o600); err != nil {
		return nil, err
	}
	server, err := program.StartForking("http://"+address, nginx, "-c", path, "-p", dir)
	if err != nil {
		return nil, err
	}
	for range 500 {
		if c, err := net.Dial("tcp", address); err == nil {
			return &process{Server: server, name: "nginx"}, c.Close()
		}
		time.Sleep(10 * time.Millisecond)
	}
	return nil, errors.Join(errors.New("nginx does not answer"), server.Stop())
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
