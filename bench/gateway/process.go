package gateway

import (
	"bufio"
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
	"strconv"
	"strings"
	"time"
)

// process is a proxy that runs as a program of its own.
type process struct {
	name    string
	command *exec.Cmd
	url     string
	pids    func() []int // its processes
	idle    float64      // the part of a core that it uses while nobody asks
}

// restTime is how long a proxy is watched while nobody asks.
const restTime = 4 * time.Second

// rest finds out what a proxy uses while nobody asks.
func (p *process) rest() error {
	before, err := p.processorTime()
	if err != nil {
		return err
	}
	time.Sleep(restTime)
	after, err := p.processorTime()
	p.idle = float64(after-before) / float64(restTime)
	return err
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
	return start("ReverseProxy", dir, []string{plainUpstream + "=" + upstream}, self, "--json", "gateway")
}

// startPertain builds the program and starts a gateway with rules.
func startPertain(dir, upstream string) (*process, error) {
	program := filepath.Join(dir, "pertain")
	command := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-o", program, "./cmd/pertain")
	command.Dir = ".."
	if out, err := command.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("the program does not build: %w\n%s", err, out)
	}
	if err := writeRules(filepath.Join(dir, ".omp", "rules")); err != nil {
		return nil, err
	}
	return start("pertain", dir, nil, program, "gateway", "--json", "--listen", "127.0.0.1:0", "--anthropic", upstream)
}

// start runs a proxy and waits for the line in which it tells where it is.
func start(name, dir string, env []string, program string, args ...string) (*process, error) {
	p := &process{name: name, command: exec.Command(program, args...)}
	p.command.Dir, p.command.Stderr = dir, os.Stderr
	p.command.Env = append([]string{"HOME=" + dir, "PATH=" + os.Getenv("PATH")}, env...)
	out, err := p.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.command.Start(); err != nil {
		return nil, err
	}
	p.pids = func() []int { return []int{p.command.Process.Pid} }
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s told no address: %w", name, err), p.end())
	}
	var told struct{ URL string }
	if err := json.Unmarshal(line, &told); err != nil {
		return nil, errors.Join(err, p.end())
	}
	p.url = strings.TrimSuffix(told.URL, "/")
	return p, nil
}

// startNginx starts nginx, if it is installed, passing every piece on at once; nil: it
// is not.
func startNginx(dir, upstream string) (*process, error) {
	program, err := exec.LookPath("nginx")
	if err != nil {
		if program = "/usr/sbin/nginx"; !exists(program) {
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
	p := &process{name: "nginx", command: exec.Command(program, "-c", path, "-p", dir), url: "http://" + address}
	if err := p.command.Start(); err != nil {
		return nil, err
	}
	p.pids = func() []int { return append(children(p.command.Process.Pid), p.command.Process.Pid) }
	for range 500 {
		if c, err := net.Dial("tcp", address); err == nil {
			return p, c.Close()
		}
		time.Sleep(10 * time.Millisecond)
	}
	return nil, errors.Join(errors.New("nginx does not answer"), p.end())
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// children are the processes that a process has started.
func children(pid int) []int {
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid)) // none is none
	var out []int
	for _, field := range strings.Fields(string(data)) {
		if n, err := strconv.Atoi(field); err == nil {
			out = append(out, n)
		}
	}
	return out
}

// end ends a proxy.
func (p *process) end() error {
	_ = p.command.Process.Signal(os.Interrupt)
	late := time.AfterFunc(10*time.Second, func() { _ = p.command.Process.Kill() })
	defer late.Stop()
	_ = p.command.Wait() // it was interrupted
	return nil
}

// tick is the unit of processor times in /proc, which Linux fixes for programs.
const tick = 10 * time.Millisecond

// processorTime is what the proxy has used so far on all cores.
func (p *process) processorTime() (total time.Duration, err error) {
	for _, pid := range p.pids() {
		data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			return 0, err
		}
		fields := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
		user, err1 := strconv.Atoi(fields[11])
		system, err2 := strconv.Atoi(fields[12])
		if err := errors.Join(err1, err2); err != nil {
			return 0, err
		}
		total += time.Duration(user+system) * tick
	}
	return total, nil
}

// resident is the memory that the proxy holds, in bytes.
func (p *process) resident() (total float64, err error) {
	for _, pid := range p.pids() {
		data, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
		if err != nil {
			return 0, err
		}
		pages, err := strconv.Atoi(strings.Fields(string(data))[1])
		if err != nil {
			return 0, err
		}
		total += float64(pages * os.Getpagesize())
	}
	return total, nil
}
