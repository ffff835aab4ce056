package cli

import (
	"bytes"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestGatewayTrust: a gateway that runs follows what the user trusts, and what no longer.
func TestGatewayTrust(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	put(t, filepath.Join(dir, ".omp", "rules", "a.md"), "---\nttsr_trigger: badword\n---\nRule A.\n")
	model := scripted(t, "badword")
	g := startGateway(t, home, dir, nil, "--anthropic", model.URL)
	asked := 0
	binds := func() bool {
		asked++
		g.ask("/v1/messages", map[string]string{"X-Pertain-Conversation": strconv.Itoa(asked)})
		requests := model.Requests()
		return requests[len(requests)-1].Has("you must comply with them.")
	}
	if binds() {
		t.Error("a stranger's rules bind")
	}
	for _, args := range [][]string{{"trust"}, {"trust", "--revoke"}} {
		var out bytes.Buffer
		if code := Main(t.Context(), Invocation{Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out, Dir: dir, Env: func(name string) string {
			return map[string]string{"HOME": home, "USERPROFILE": home}[name]
		}}); code != 0 {
			t.Fatal(out.String())
		}
		for deadline := time.Now().Add(30 * time.Second); binds() != (len(args) == 1); time.Sleep(5 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%q is not followed", args)
			}
		}
	}
}

// TestGatewayBinding: that the model must comply is said with the user's own rules, and
// with those of a workspace once the user trusts it.
func TestGatewayBinding(t *testing.T) {
	for _, c := range []struct {
		name         string
		own, trusted bool
	}{{"a stranger's", false, false}, {"own", true, false}, {"trusted", false, true}} {
		t.Run(c.name, func(t *testing.T) {
			home, dir := t.TempDir(), t.TempDir()
			rules := filepath.Join(dir, ".omp", "rules")
			if c.own {
				rules = filepath.Join(home, ".omp", "agent", "rules")
			}
			put(t, filepath.Join(rules, "a.md"), "---\nttsr_trigger: badword\n---\nRule A.\n")
			model := scripted(t, "badword")
			config := filepath.Join(home, ".config", "pertain", "config.yaml")
			if runtime.GOOS == "windows" {
				config = filepath.Join(home, "AppData", "Roaming", "pertain", "config.yaml")
			}
			put(t, config, "gateway:\n  anthropic: "+model.URL+"\n")
			if c.trusted {
				var out bytes.Buffer
				if code := Main(t.Context(), Invocation{Args: []string{"trust"}, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out, Dir: dir, Env: func(name string) string {
					return map[string]string{"HOME": home, "USERPROFILE": home}[name]
				}}); code != 0 {
					t.Fatal(out.String())
				}
			}
			startGateway(t, home, dir, nil).ask("/v1/messages", nil)
			requests := model.Requests()
			if len(requests) != 2 {
				t.Fatalf("%d requests", len(requests))
			}
			if got := requests[1].Has("you must comply with them."); got != (c.own || c.trusted) {
				t.Errorf("%s", requests[1].Body)
			}
		})
	}
}
