package cli

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// configFile is where the settings of a home are.
func configFile(home string) string {
	if runtime.GOOS == "windows" {
		return filepath.Join(home, "AppData", "Roaming", "pertain", "config.yaml")
	}
	return filepath.Join(home, ".config", "pertain", "config.yaml")
}

// TestGatewayMistake: a mistake in the settings file leads no request elsewhere. While the gateway runs, what was set before
// holds, and the log says so once.
func TestGatewayMistake(t *testing.T) {
	home, dir, other := t.TempDir(), t.TempDir(), t.TempDir()
	put(t, filepath.Join(dir, ".omp", "rules", "a.md"), "---\nttsr_trigger: badword\n---\nRule A.\n")
	model := scripted(t, "badword")
	good := fmt.Sprintf("gateway:\n  anthropic: %s\n  workspaces: {other: '%s'}\nttsr:\n  enabled: false\n", model.URL, other)
	put(t, configFile(home), good)
	g := startGateway(t, home, dir, nil, "--json-log")
	asks := func(what string) {
		t.Helper()
		for _, path := range []string{"/v1/messages", "/w/other/v1/messages"} {
			if status, header, text := g.ask(path, nil); status != http.StatusOK || !strings.Contains(text, "badword") || header.Get("X-Pertain-Rules") != "0" {
				t.Errorf("%s, %s: %d %v %s", what, path, status, header, text)
			}
		}
	}
	asks("as it was")
	for i, mistake := range []string{
		good + "skills: [broken\n",
		"gateway:\n  anthropic: 5\nttsr: 5\n",
		"gateway: [x]\nttsr: {enabled: x}\n",
		"gateway:\n  anthropic: localhost\nttsr: {enabled: perhaps}\n",
		"gatewey:\n  anthropic: http://127.0.0.1:1\nttrs: {}\n",
		"gateway: \xff\n",
	} {
		put(t, configFile(home), mistake)
		asks(mistake)
		asks(mistake)
		if n := strings.Count(g.stderr.String(), "the settings file has a mistake"); n != i+1 {
			t.Errorf("%q: it was told %d times: %s", mistake, n, g.stderr.String())
		}
	}
	put(t, configFile(home), strings.Replace(good, "false", "true", 1))
	if _, _, text := g.ask("/v1/messages", nil); strings.Contains(text, "badword") || !strings.Contains(g.stderr.String(), "right again") {
		t.Errorf("it is mended: %s %s", text, g.stderr.String())
	}
}

// TestGatewayMistakeAtStart: with such a mistake a gateway does not start, unless an address is named; requests of other
// providers go nowhere then.
func TestGatewayMistakeAtStart(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	model := scripted(t, "x")
	for mistake, told := range map[string]string{
		"gateway:\n  anthropic: http://127.0.0.1:1\nttsr: [broken\n": "line 3",
		"gateway:\n  anthropic: 5\n":                                 "`gateway.anthropic` must be text",
		"gateway:\n  openai: localhost\n":                            "gateway.openai is no address",
	} {
		put(t, configFile(home), mistake)
		var out, errs bytes.Buffer
		code := Main(t.Context(), Invocation{Args: []string{"gateway", "--listen", "127.0.0.1:0"}, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Dir: dir, Env: func(name string) string {
			return map[string]string{"HOME": home, "USERPROFILE": home}[name]
		}})
		if code != exitUsage || !strings.Contains(errs.String(), told) || out.Len() > 0 {
			t.Errorf("%q: exit %d, %s %s", mistake, code, out.String(), errs.String())
		}
		g := startGateway(t, home, dir, nil, "--anthropic", model.URL)
		if status, _, _ := g.ask("/v1/messages", nil); status != http.StatusOK {
			t.Errorf("%q: %d", mistake, status)
		}
		if status, header, text := g.ask("/v1/chat/completions", nil); status != http.StatusServiceUnavailable || header.Get("X-Pertain-Error") != "settings" {
			t.Errorf("%q: %d %v %s", mistake, status, header, text)
		}
	}
	put(t, configFile(home), "options: {regexTimeout: x}\n") // what is about something else stops nobody
	startGateway(t, home, dir, nil)
}

// TestGatewayMissingFolder: a workspace whose folder is not there is none, and the log says so.
func TestGatewayMissingFolder(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	gone := filepath.Join(t.TempDir(), "gone")
	put(t, configFile(home), fmt.Sprintf("gateway:\n  workspaces: {gone: '%s'}\n", gone))
	g := startGateway(t, home, dir, nil, "--anthropic", scripted(t, "x").URL)
	if status, header, _ := g.ask("/w/gone/v1/messages", nil); status != http.StatusNotFound || header.Get("X-Pertain-Error") != "workspace" || !strings.Contains(g.stderr.String(), "is no folder") {
		t.Errorf("%d %v %s", status, header, g.stderr.String())
	}
}

// TestGatewaySettingsTogether: requests that come at once share a reading of the settings, and each has what was written
// before it came.
func TestGatewaySettingsTogether(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	put(t, filepath.Join(dir, ".omp", "rules", "a.md"), "---\nttsr_trigger: badword\n---\nRule A.\n")
	model := scripted(t, "fine")
	put(t, configFile(home), "gateway:\n  anthropic: "+model.URL+"\n")
	g := startGateway(t, home, dir, nil)
	for round := range 6 {
		want := fmt.Sprint(round % 2)
		put(t, configFile(home), fmt.Sprintf("gateway:\n  anthropic: %s\nttsr:\n  enabled: %t\n", model.URL, round%2 == 1))
		var all sync.WaitGroup
		for range 12 {
			all.Go(func() {
				if status, header, _ := g.ask("/v1/messages", nil); status != http.StatusOK || header.Get("X-Pertain-Rules") != want {
					t.Errorf("round %d: %d with %s rules", round, status, header.Get("X-Pertain-Rules"))
				}
			})
		}
		all.Wait()
	}
}

// TestGatewayLent: the address of a stranger's project counts where the user has set none, now or later, and never while nobody knows
// whether that is so.
func TestGatewayLent(t *testing.T) {
	home := t.TempDir()
	a := &app{call: Invocation{Dir: t.TempDir(), Env: func(name string) string {
		return map[string]string{"HOME": home, "USERPROFILE": home, "APPDATA": filepath.Join(home, "AppData", "Roaming")}[name]
	}}}
	lent, named := upstreams{}, upstreams{}
	lent.openai.URL, _ = upstreamURL("http://strange")
	named.anthropic.URL, _ = upstreamURL("http://own")
	put(t, configFile(home), "gateway: [\n")
	if _, err := a.openConfig(upstreams{}, lent, slog.New(slog.DiscardHandler)); err == nil {
		t.Error("settings with a mistake are enough beside the address of a stranger")
	}
	c, err := a.openConfig(named, lent, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct{ config, to string }{
		{"gateway: [\n", ""}, {"gateway: {}\n", "http://strange"}, {"gateway: {openai: http://mine}\n", "http://mine"}, {"gateway: [\n", "http://mine"}, {"gateway: {}\n", "http://strange"},
	} {
		put(t, configFile(home), step.config)
		to := ""
		if u := c.settings().OpenAI.URL; u != nil {
			to = u.String()
		}
		if to != step.to {
			t.Errorf("%q: requests go on to %q", step.config, to)
		}
	}
}
