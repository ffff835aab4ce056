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

	"github.com/pertain-dev/pertain/fleettest"
	"github.com/pertain-dev/pertain/internal/modeltest"
)

// nodeProcess is a nats-server of its own.
type nodeProcess struct {
	program, config, store, address string
	cables                          []*fleettest.Relay // to and from the other nodes
	command                         *exec.Cmd          // nil: it does not run
}

// newNodes makes three, each with a folder. What they say to each other goes through cables that can be pulled.
func newNodes(t *testing.T, program string) []*nodeProcess {
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
	nodes := make([]*nodeProcess, 3)
	for i := range nodes {
		folder := t.TempDir()
		nodes[i] = &nodeProcess{program: program, config: filepath.Join(folder, "nats.conf"), store: filepath.Join(folder, "store"), address: fmt.Sprintf("127.0.0.1:%d", ports[i])}
		if err := os.Mkdir(nodes[i].store, 0o700); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(nodes[i].kill)
	}
	for i, n := range nodes {
		var routes []string
		for j, other := range nodes {
			if i == j {
				continue
			}
			cable := fleettest.NewRelay(t, fmt.Sprintf("127.0.0.1:%d", ports[3+j]))
			n.cables, other.cables = append(n.cables, cable), append(other.cables, cable)
			routes = append(routes, fmt.Sprintf("%q", "nats://"+cable.Address()))
		}
		// Nodes tell each other of addresses beside their cables: nobody listens at the one that is told.
		text := fmt.Sprintf("server_name: n%d\nlisten: %q\njetstream { store_dir: %q, max_file_store: 1GB, max_mem: 64MB }\n"+
			"cluster { name: fleet, listen: \"127.0.0.1:%d\", no_advertise: true, advertise: \"127.0.0.1:1\", routes: [%s] }\n",
			i, n.address, n.store, ports[3+i], strings.Join(routes, ", "))
		if err := os.WriteFile(n.config, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return nodes
}

// part pulls the cables between this node and the others; false puts them back.
func (n *nodeProcess) part(pulled bool) {
	for _, cable := range n.cables {
		cable.Cut(pulled)
	}
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

// home is a user of the program on a machine of their own, with settings.
type home struct {
	t            *testing.T
	program, dir string
	work         string // a project, at the same path on every machine: a conversation belongs to one
}

func newHome(t *testing.T, program, work, settings string) *home {
	t.Helper()
	h := &home{t: t, program: program, dir: t.TempDir(), work: work}
	for path, text := range map[string]string{filepath.Join(h.dir, ".config/pertain/config.yaml"): settings, filepath.Join(work, ".git/HEAD"): "ref: refs/heads/main\n"} {
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
	eventually(h.t, "an address of the gateway", func() error {
		if g.url = strings.TrimSuffix(address.FindString(out.String()), "/"); g.url == "" {
			return fmt.Errorf("it said %q", out)
		}
		return nil
	})
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
	return g.send(session, messages)
}

// look is a request in a conversation that breaks no rule, whatever the model was told: to see what the model is reminded of changes nothing.
func (g *gatewayProcess) look(session string) {
	g.home.t.Helper()
	_, _ = g.send(session, `{"role":"user","content":"hello"},{"role":"assistant","content":"Better now."},{"role":"user","content":"`+looking+`"}`)
}

const looking = "I am only looking"

func (g *gatewayProcess) send(session, messages string) (answer string, took time.Duration) {
	g.home.t.Helper()
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

// patience is how long something may take that has no time of its own: it ends a test that would wait for ever, on a machine however busy.
const patience = 4 * time.Minute

// eventually waits until something is no error any more. Where that takes long, the errors on the way are told.
func eventually(t *testing.T, what string, try func() error) {
	t.Helper()
	start := time.Now()
	var way []string
	for pause := 10 * time.Millisecond; ; pause = min(2*pause, 500*time.Millisecond) {
		err := try()
		took := time.Since(start)
		switch {
		case err == nil && took < 10*time.Second:
			return
		case err == nil:
			t.Logf("%s took %s\n%s", what, took.Round(time.Second), strings.Join(way, "\n"))
			return
		case took > patience:
			t.Fatalf("there was not %s within %s: %v\n%s", what, patience, err, strings.Join(way, "\n"))
		}
		if n := len(way); n == 0 || !strings.HasSuffix(way[n-1], err.Error()) {
			way = append(way, fmt.Sprintf("after %s: %v", took.Round(100*time.Millisecond), err))
		}
		time.Sleep(pause)
	}
}

// scripted is a model that breaks a rule until it is reminded of it, unless one only looks.
func scripted(t *testing.T) *modeltest.Server {
	t.Helper()
	model := modeltest.Start(func(r *modeltest.Request) modeltest.Answer {
		if r.Has(looking) {
			return modeltest.Answer{Text: "Look."}
		}
		if r.Has("system-interrupt") {
			return modeltest.Answer{Text: "Better now."}
		}
		return modeltest.Answer{Text: "Say badword here."}
	})
	t.Cleanup(model.Close)
	return model
}
