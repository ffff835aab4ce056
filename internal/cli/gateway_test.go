package cli

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/internal/modeltest"
)

// put writes a file of a test.
func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// safeBuffer is one that is read while it is written.
type safeBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// startedGateway is one that runs.
type startedGateway struct {
	t              *testing.T
	url            string
	stdout, stderr safeBuffer
}

// startGateway runs `pertain gateway` until the test ends.
func startGateway(t *testing.T, home, dir string, env map[string]string, args ...string) *startedGateway {
	t.Helper()
	g := &startedGateway{t: t}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan int, 1)
	go func() {
		done <- Main(ctx, Invocation{
			Args: append([]string{"gateway", "--listen", "127.0.0.1:0"}, args...), Stdin: strings.NewReader(""), Stdout: &g.stdout, Stderr: &g.stderr, Dir: dir,
			Env: func(name string) string {
				if name == "HOME" || name == "USERPROFILE" {
					return home
				}
				return env[name]
			},
		})
	}()
	t.Cleanup(func() {
		stop()
		<-done
	})
	address := regexp.MustCompile(`http://[^\s"]+/`)
	for deadline := time.Now().Add(30 * time.Second); g.url == ""; time.Sleep(5 * time.Millisecond) {
		select {
		case code := <-done:
			done <- code
			t.Fatalf("exit %d: %s", code, g.stderr.String())
		default:
		}
		if g.url = strings.TrimSuffix(address.FindString(g.stdout.String()), "/"); time.Now().After(deadline) {
			t.Fatal("it does not say where it is")
		}
	}
	return g
}

// ask asks the model through the gateway.
func (g *startedGateway) ask(path string, header map[string]string) (int, http.Header, string) {
	g.t.Helper()
	body := `{"model":"m","stream":true,"max_tokens":9,"tools":[{"name":"write"}],"messages":[{"role":"user","content":"hello"}]}`
	r, err := http.NewRequestWithContext(g.t.Context(), http.MethodPost, g.url+path, strings.NewReader(body))
	if err != nil {
		g.t.Fatal(err)
	}
	r.Header.Set("X-Api-Key", "sk-secret")
	for name, value := range header {
		r.Header.Set(name, value)
	}
	if host := header["Host"]; host != "" {
		r.Host = host
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		g.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, _ := io.ReadAll(response.Body)
	return response.StatusCode, response.Header, string(text)
}

// scripted is a model that says a word that rules forbid until it is told not to.
func scripted(t *testing.T, word string) *modeltest.Server {
	model := modeltest.Start(func(r *modeltest.Request) modeltest.Answer {
		if r.Has("system-interrupt") {
			return modeltest.Answer{Text: "Better now."}
		}
		return modeltest.Answer{Text: "Say " + word + " here."}
	})
	t.Cleanup(model.Close)
	return model
}

// TestGatewayCommand: rules of the folder interrupt, named workspaces have their own,
// both are followed, the journal tells of it, and no key is anywhere.
func TestGatewayCommand(t *testing.T) {
	home, dir, other := t.TempDir(), t.TempDir(), t.TempDir()
	put(t, filepath.Join(dir, ".omp", "rules", "a.md"), "---\nttsr_trigger: badword\n---\nRule A.\n")
	model := scripted(t, "badword")
	config := filepath.Join(home, ".config", "pertain", "config.yaml")
	if runtime.GOOS == "windows" {
		config = filepath.Join(home, "AppData", "Roaming", "pertain", "config.yaml")
	}
	put(t, config, "gateway:\n  anthropic: "+model.URL+"\n  workspaces:\n    other: '"+other+"'\n")
	g := startGateway(t, home, dir, nil, "--json-log")
	status, header, text := g.ask("/v1/messages", nil)
	if status != http.StatusOK || strings.Contains(text, "badword") || !strings.Contains(text, "Better") || header.Get("X-Pertain-Rules") != "1" || header.Get("X-Pertain-Workspace") == "" {
		t.Errorf("%d %v %s", status, header, text)
	}
	if _, header, text := g.ask("/w/other/v1/messages", nil); !strings.Contains(text, "badword") || header.Get("X-Pertain-Rules") != "0" {
		t.Errorf("%v %s", header, text)
	}
	put(t, filepath.Join(other, ".omp", "rules", "b.md"), "---\nttsr_trigger: badword\n---\nRule B.\n")
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if _, _, text := g.ask("/w/other/v1/messages", nil); strings.Contains(text, "Better") {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the new rule is not followed")
		}
	}
	if status, header, text := g.ask("/w/none/v1/messages", nil); status != http.StatusNotFound || header.Get("X-Pertain-Error") != "workspace" || !strings.Contains(text, `"type":"error"`) {
		t.Errorf("%d %v %s", status, header, text)
	}
	second := scripted(t, "otherword")
	put(t, config, "gateway:\n  anthropic: "+second.URL+"\n")
	if _, _, text := g.ask("/v1/messages", nil); !strings.Contains(text, "otherword") {
		t.Errorf("the new upstream is not asked: %s", text)
	}
	if !strings.Contains(g.stderr.String(), `"action":"interrupted"`) {
		t.Errorf("the log has %s", g.stderr.String())
	}
	var all strings.Builder
	all.WriteString(g.stderr.String() + g.stdout.String())
	err := filepath.WalkDir(home, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			data, _ := os.ReadFile(path)
			all.Write(data)
		}
		return err
	})
	if err != nil || strings.Contains(all.String(), "sk-secret") || strings.Contains(all.String(), "Better now") || strings.Contains(all.String(), "hello") {
		t.Errorf("a key or a text is kept: %v %s", err, all.String())
	}
	var out bytes.Buffer
	code := Main(t.Context(), Invocation{Args: []string{"journal", "--json"}, Stdin: strings.NewReader(""), Stdout: &out, Stderr: io.Discard, Dir: dir, Env: func(name string) string {
		return map[string]string{"HOME": home, "USERPROFILE": home}[name]
	}})
	if code != 0 || !strings.Contains(out.String(), `"gateway"`) || !strings.Contains(out.String(), `"interrupted"`) || !strings.Contains(out.String(), `"heeded": true`) {
		t.Errorf("the journal: %d %s", code, out.String())
	}
}

// TestGatewayHosts: nobody else may use it, unless names and a token are given.
func TestGatewayHosts(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	model := scripted(t, "x")
	g := startGateway(t, home, dir, map[string]string{"PERTAIN_TOKEN": "0123456789abcdef"}, "--host", "box.local", "--anthropic", model.URL)
	for _, c := range []struct {
		header map[string]string
		status int
		code   string
	}{
		{map[string]string{"Host": "evil.example"}, 403, "host"},
		{map[string]string{"Origin": "http://127.0.0.1"}, 403, "origin"},
		{nil, 403, "token"},
		{map[string]string{"X-Pertain-Token": "wrong"}, 403, "token"},
		{map[string]string{"X-Pertain-Token": "0123456789abcdef", "Host": "box.local:7352"}, 200, ""},
	} {
		if status, header, _ := g.ask("/v1/messages", c.header); status != c.status || header.Get("X-Pertain-Error") != c.code {
			t.Errorf("%v: %d %v", c.header, status, header)
		}
	}
	for _, args := range [][]string{{"--listen", "0.0.0.0:0"}, {"--host", "box.local"}, {"--anthropic", "ftp://x"}, {"--openai", "x"}, {"extra"}} {
		code := Main(t.Context(), Invocation{Args: append([]string{"gateway"}, args...), Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard, Dir: dir, Env: func(string) string { return "" }})
		if code != exitUsage {
			t.Errorf("%q: exit %d", args, code)
		}
	}
}

// TestWithCommand: a command gets the addresses, its own streams and arguments, and its
// exit code is the call's.
func TestWithCommand(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("it starts a shell")
	}
	home, dir := t.TempDir(), t.TempDir()
	put(t, filepath.Join(dir, ".omp", "rules", "a.md"), "---\nttsr_trigger: badword\n---\nRule A.\n")
	with := func(stdin string, args ...string) (int, string, string) {
		var out, errs bytes.Buffer
		env := []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "OPENAI_BASE_URL=http://127.0.0.1:1/other", "KEPT=yes"}
		code := Main(t.Context(), Invocation{
			Args: append([]string{"with"}, args...), Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &errs, Dir: dir, Environ: env,
			Env: func(name string) string {
				for _, pair := range env {
					if value, ok := strings.CutPrefix(pair, name+"="); ok {
						return value
					}
				}
				return ""
			},
		})
		return code, out.String(), errs.String()
	}
	code, out, _ := with("in", "--", "sh", "-c", `cat; echo " $KEPT $1"; echo "$ANTHROPIC_BASE_URL $OPENAI_BASE_URL $GOOGLE_GEMINI_BASE_URL"; echo "$PERTAIN_GATEWAY"; echo "$PERTAIN_GATEWAY_PROOF" "$(ls "$HOME"/.local/state/pertain/gateways/*.gateway | wc -l)"; exit 7`, "sh", "--json")
	lines := strings.Split(out, "\n")
	if code != 7 || lines[0] != "in yes --json" || len(lines) < 4 || lines[1] != lines[2]+" "+lines[2]+"/v1 "+lines[2] || !strings.HasPrefix(lines[2], "http://127.0.0.1:") {
		t.Errorf("exit %d, %q", code, out)
	}
	if proof := strings.Fields(lines[3]); len(proof) != 2 || len(proof[0]) < 20 || proof[1] != "1" {
		t.Errorf("hooks are shown %q", lines[3])
	}
	if left, _ := filepath.Glob(filepath.Join(home, ".local/state/pertain/gateways/*")); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
	if code, _, _ := with("", "--", "sh", "-c", "kill -TERM $$"); code != 143 {
		t.Errorf("exit %d after a signal", code)
	}
	for _, c := range []struct{ want, args string }{
		{"did you mean `claude`", "claud"}, {"pertain with -- frob", "frob"}, {"in no folder of PATH", "-- no-such-program-here"}, {"there is no such program", "-- ./none"}, {"name an agent", ""},
	} {
		if code, out, errs := with("", strings.Fields(c.args)...); code != exitUsage || out != "" || !strings.Contains(errs, c.want) {
			t.Errorf("%s: exit %d, %q, %q", c.args, code, out, errs)
		}
	}
}

// TestLeads: what an agent is led by, and where its requests go on to.
func TestLeads(t *testing.T) {
	home := t.TempDir()
	put(t, filepath.Join(home, ".pi", "agent", "models.json"), `{"providers":{"mine":{"api":"openai-completions","baseUrl":"http://127.0.0.1:9/llm"}}}`)
	put(t, filepath.Join(home, ".config", "opencode", "opencode.jsonc"), `{
		// a server of my own
		"provider": {"local": {"npm": "@ai-sdk/openai-compatible", "options": {"baseURL": "http://127.0.0.1:{env:PORT}/llm"}}},
	}`)
	put(t, filepath.Join(home, ".factory", "settings.json"), `{"customModels": [ // mine
		{"model": "a", "provider": "anthropic", "baseUrl": "http://127.0.0.1:9/one"},
		{"model": "b", "displayName": "My own", "provider": "anthropic", "baseUrl": "http://127.0.0.1:9/two", "apiKey": "k"},
	]}`)
	put(t, filepath.Join(home, ".continue", "config.yaml"), "name: Mine # and more\nmodels:\n  - {name: a, provider: anthropic, model: m, roles: [chat]}\n  - {name: b, provider: anthropic, model: m, apiBase: 'https://other/v1'}\n  - {name: c, provider: openai, model: m, apiBase: 'https://proxy/v1/'}\n  - {name: d, provider: ollama, model: m}\n")
	put(t, filepath.Join(home, ".cline", "data", "settings", "providers.json"), `{"version":1,"lastUsedProvider":"openai-compatible","providers":{
		"openai-compatible":{"settings":{"provider":"openai-compatible","apiKey":"k","baseUrl":"https://proxy/v1"}},"anthropic":{"settings":{"provider":"anthropic","apiKey":"k"}}}}`)
	for _, c := range []struct {
		agent   string
		env     map[string]string
		args    []string
		led     string // a variable or an argument
		api     string
		to      string
		without string
		partly  bool // some of its models are not led
	}{
		{agent: "claude", env: map[string]string{"ANTHROPIC_BASE_URL": "https://proxy/x"}, led: "ANTHROPIC_BASE_URL=http://gw", api: "anthropic", to: "https://proxy/x"},
		{agent: "codex", env: map[string]string{"OPENAI_BASE_URL": "https://proxy/v1"}, led: `openai_base_url="http://gw/v1"`, api: "openai", to: "https://proxy/v1"},
		{agent: "codex", env: map[string]string{"OPENAI_BASE_URL": "https://proxy/llm"}, led: `openai_base_url="http://gw/v1"`, api: "openai", to: "https://proxy/llm", without: "/v1"},
		{agent: "copilot", env: map[string]string{"COPILOT_PROVIDER_BASE_URL": "https://a", "COPILOT_PROVIDER_TYPE": "anthropic"}, led: "COPILOT_PROVIDER_BASE_URL=http://gw", api: "anthropic", to: "https://a"},
		{agent: "copilot", env: map[string]string{"OPENAI_API_KEY": "k"}, led: "COPILOT_PROVIDER_API_KEY=k"},
		{agent: "gemini", env: map[string]string{"GEMINI_API_KEY": "k"}, led: "GOOGLE_GEMINI_BASE_URL=http://gw"},
		{agent: "pi", args: []string{"--provider", "mine"}, led: "-e", api: "openai", to: "http://127.0.0.1:9/llm", without: "/v1"},
		{agent: "opencode", led: `"anthropic":{"options":{"baseURL":"http://gw/v1"}},"google":{"options":{"baseURL":"http://gw/v1beta"}},"openai":{"options":{"baseURL":"http://gw/v1"}}`, partly: true},
		{agent: "opencode", args: []string{"run", "-m", "local/m"}, env: map[string]string{"PORT": "9"}, led: `"google":{"options":{"baseURL":"http://gw/v1beta"}},"local":{"options":{"baseURL":"http://gw/v1"}}}`, api: "openai", to: "http://127.0.0.1:9/llm", without: "/v1"},
		{agent: "opencode", args: []string{"--model=anthropic/m"}, env: map[string]string{"OPENCODE_CONFIG_CONTENT": `{"theme":"x",/* mine */"provider":{"anthropic":{"options":{"baseURL":"https://proxy/v1","apiKey":"k"}}}}`}, led: `"anthropic":{"options":{"apiKey":"k","baseURL":"http://gw/v1"}}`, api: "anthropic", to: "https://proxy/v1", partly: true},
		{agent: "opencode", args: []string{"--model=other/m"}, led: "OPENCODE_CONFIG_CONTENT=", partly: true},
		{agent: "pi", led: "-e", partly: true},
		{agent: "droid", args: []string{"exec", "-m", "custom:My-own-1", "hi"}, led: "exec\n--settings\n", api: "anthropic", to: "http://127.0.0.1:9/two", partly: true},
		{agent: "continue", args: []string{"-p", "hi"}, led: "--config\n", api: "openai", to: "https://proxy/v1", partly: true},
		{agent: "cline", args: []string{"hi"}, led: "CLINE_SESSION_BACKEND_MODE=local", api: "openai", to: "https://proxy/v1", partly: true},
		{agent: "cline", args: []string{"-P", "anthropic"}, led: "CLINE_PROVIDER_SETTINGS_PATH=", partly: true},
		{agent: "claude", led: "NO_PROXY=127.0.0.1,localhost"},
	} {
		a := &app{call: Invocation{Dir: t.TempDir(), Env: func(name string) string {
			if name == "HOME" || name == "USERPROFILE" {
				return home
			}
			return c.env[name]
		}}}
		l, err := leads[c.agent].prepare(a, "http://gw", gatewayFlags{}, c.args)
		if err != nil {
			t.Fatal(err)
		}
		all := strings.Join(append(l.before, l.args...), "\n")
		if c.agent == "droid" {
			text, _ := os.ReadFile(l.args[2])
			if !strings.Contains(string(text), `"baseUrl":"http://127.0.0.1:9/one"`) || !strings.Contains(string(text), `"apiKey":"k","baseUrl":"http://gw"`) {
				t.Errorf("droid gets %s", text)
			}
		}
		if c.agent == "continue" {
			text, _ := os.ReadFile(l.args[1])
			if got := string(text); strings.Count(got, `"apiBase":"http://gw/v1/"`) != 2 || !strings.Contains(got, `"apiBase":"https://other/v1","model":"m","name":"b"`) || !strings.Contains(got, `"roles":["chat"]`) {
				t.Errorf("Continue gets %s", text)
			}
		}
		if c.agent == "cline" {
			text, _ := os.ReadFile(l.env["CLINE_PROVIDER_SETTINGS_PATH"])
			if strings.Count(string(text), `"baseUrl":"http://gw/v1"`) != 1 || !strings.Contains(string(text), `"apiKey":"k"`) {
				t.Errorf("Cline gets %s", text)
			}
		}
		for name, value := range l.env {
			all += "\n" + name + "=" + value
		}
		if !strings.Contains(all, c.led) || !strings.Contains(all, "PERTAIN_GATEWAY=http://gw") {
			t.Errorf("%s is led by %s", c.agent, all)
		}
		if to := l.set.of(c.api); c.to != "" && (to.URL == nil || to.URL.String() != c.to || to.Without != c.without) {
			t.Errorf("%s goes on to %+v", c.agent, to)
		}
		if l.partly != c.partly {
			t.Errorf("%s %q: led in part is %v", c.agent, c.args, l.partly)
		}
		for _, name := range []string{"NO_PROXY", "OPENCODE_CONFIG_CONTENT", "OPENAI_API_KEY"} { // as the agent gets them
			want, ok := l.env[name]
			if !ok {
				want = c.env[name]
			}
			if got := l.variable(a.call.Env)(name); got != want {
				t.Errorf("%s: %s is %q, not %q", c.agent, name, got, want)
			}
		}
		l.remove()
	}
	bare := &app{call: Invocation{Dir: t.TempDir(), Env: func(string) string { return "" }}}
	if _, err := leads["droid"].prepare(bare, "http://gw", gatewayFlags{}, nil); err == nil || !strings.Contains(err.Error(), "customModels") {
		t.Error(err)
	}
	for agent, want := range map[string]string{"continue": "--config FILE", "cline": "cline auth"} {
		if _, err := leads[agent].prepare(bare, "http://gw", gatewayFlags{}, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", agent, err)
		}
	}
	if _, err := leads["claude"].upstreams(func(string) string { return "no address" }); err == nil {
		t.Error("an address that is none was taken")
	}
}
