//go:build linux

package fleettest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/internal/modeltest"
)

// nodeProcess is a nats-server of its own.
type nodeProcess struct {
	program, config, store, address string
	command                         *exec.Cmd // nil: it does not run
}

// startNodes starts three, each with a folder; those of names in small are small file systems.
func startNodes(t *testing.T, program string) []*nodeProcess {
	t.Helper()
	ports := make([]int, 6)
	for i := range ports {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		ports[i] = l.Addr().(*net.TCPAddr).Port
		defer func() { _ = l.Close() }()
	}
	var nodes []*nodeProcess
	for i := range 3 {
		folder := t.TempDir()
		n := &nodeProcess{program: program, config: filepath.Join(folder, "nats.conf"), store: filepath.Join(folder, "store"), address: fmt.Sprintf("127.0.0.1:%d", ports[i])}
		if err := os.Mkdir(n.store, 0o700); err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprintf("server_name: n%d\nlisten: %q\njetstream { store_dir: %q, max_file_store: 1GB, max_mem: 64MB }\n"+
			"cluster { name: fleet, listen: \"127.0.0.1:%d\", no_advertise: true, routes: [\"nats://127.0.0.1:%d\", \"nats://127.0.0.1:%d\", \"nats://127.0.0.1:%d\"] }\n",
			i, n.address, n.store, ports[3+i], ports[3], ports[4], ports[5])
		if err := os.WriteFile(n.config, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		nodes = append(nodes, n)
		t.Cleanup(n.kill)
	}
	return nodes
}

func (n *nodeProcess) start(t *testing.T) {
	t.Helper()
	n.command = exec.Command(n.program, "-c", n.config)
	if err := n.command.Start(); err != nil {
		t.Fatal(err)
	}
}

// kill ends it as a power cut would.
func (n *nodeProcess) kill() {
	if n.command != nil {
		_ = n.command.Process.Kill()
		_ = n.command.Wait() // killed
		n.command = nil
	}
}

// hold stops it, as a network does that takes packets and gives none; false lets it go on.
func (n *nodeProcess) hold(t *testing.T, stopped bool) {
	t.Helper()
	signal := syscall.SIGCONT
	if stopped {
		signal = syscall.SIGSTOP
	}
	if n.command == nil {
		return
	}
	if err := n.command.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
}

// home is a user of the program, with settings.
type home struct {
	t            *testing.T
	program, dir string
	work         string // a project
}

func newHome(t *testing.T, program, settings string) *home {
	t.Helper()
	h := &home{t: t, program: program, dir: t.TempDir()}
	h.work = filepath.Join(h.dir, "work")
	for path, text := range map[string]string{".config/pertain/config.yaml": settings, "work/.git/HEAD": "ref: refs/heads/main\n"} {
		path = filepath.Join(h.dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

func (h *home) command(ctx context.Context, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, h.program, args...)
	c.Dir, c.Env = h.work, []string{"HOME=" + h.dir, "PATH=" + os.Getenv("PATH")}
	return c
}

// call runs the program, and reads its JSON.
func (h *home) call(into any, args ...string) error {
	var out, errs bytes.Buffer
	c := h.command(h.t.Context(), args...)
	c.Stdout, c.Stderr = &out, &errs
	if err := c.Run(); err != nil {
		return fmt.Errorf("%v: %w: %s", args, err, errs.String())
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(out.Bytes(), into)
}

// gatewayProcess is a gateway that runs.
type gatewayProcess struct {
	home    *home
	url     string
	command *exec.Cmd
	log     *lockedBuffer
}

type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

func (h *home) gateway(model string) *gatewayProcess {
	h.t.Helper()
	g := &gatewayProcess{home: h, command: h.command(context.Background(), "gateway", "--listen", "127.0.0.1:0", "--anthropic", model), log: &lockedBuffer{}}
	out := &lockedBuffer{}
	g.command.Stdout, g.command.Stderr = out, g.log
	if err := g.command.Start(); err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() {
		g.end()
		if h.t.Failed() {
			h.t.Logf("a gateway said:\n%s", g.log.String())
		}
	})
	address := regexp.MustCompile(`http://[^\s"]+/`)
	eventually(h.t, "address of the gateway", func() bool { g.url = strings.TrimSuffix(address.FindString(out.String()), "/"); return g.url != "" })
	return g
}

// end tells it to end, and waits.
func (g *gatewayProcess) end() {
	if g.command != nil {
		_ = g.command.Process.Signal(syscall.SIGTERM)
		_ = g.command.Wait() // by a signal
		g.command = nil
	}
}

// ask is a request of an agent in a conversation; further ones come after an answer.
func (g *gatewayProcess) ask(session string, further bool) (answer string, took time.Duration) {
	g.home.t.Helper()
	messages := `{"role":"user","content":"hello"}`
	if further {
		messages += `,{"role":"assistant","content":"Better now."},{"role":"user","content":"go on"}`
	}
	body := `{"model":"m","stream":true,"max_tokens":9,"tools":[{"name":"write"}],"messages":[` + messages + `]}`
	r, err := http.NewRequestWithContext(g.home.t.Context(), http.MethodPost, g.url+"/v1/messages", strings.NewReader(body))
	if err != nil {
		g.home.t.Fatal(err)
	}
	r.Header.Set("X-Claude-Code-Session-Id", session)
	start := time.Now()
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		g.home.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		g.home.t.Fatalf("%d %v: %s", response.StatusCode, err, text)
	}
	return string(text), time.Since(start)
}

// eventually waits until something holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("there was no %s within a minute", what)
		}
	}
}

// scripted is a model that breaks a rule until it is reminded of it.
func scripted(t *testing.T) *modeltest.Server {
	t.Helper()
	model := modeltest.Start(func(r *modeltest.Request) modeltest.Answer {
		if r.Has("system-interrupt") {
			return modeltest.Answer{Text: "Better now."}
		}
		return modeltest.Answer{Text: "Say badword here."}
	})
	t.Cleanup(model.Close)
	return model
}
