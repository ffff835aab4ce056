package fleettest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/fleettest"
)

// computer is a home folder, and the program in it.
type computer struct {
	t             *testing.T
	program, home string
}

func (c *computer) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, c.program, args...)
	cmd.Dir = filepath.Join(c.home, "work")
	cmd.Env = []string{"HOME=" + c.home, "USERPROFILE=" + c.home, "PATH=" + os.Getenv("PATH"), "SystemRoot=" + os.Getenv("SystemRoot")}
	return cmd
}

// run gives what the program prints; the exit code must be code.
func (c *computer) run(code int, input string, args ...string) string {
	c.t.Helper()
	cmd := c.command(c.t.Context(), args...)
	var out, problems bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), &out, &problems
	_ = cmd.Run()
	if got := cmd.ProcessState.ExitCode(); got != code {
		c.t.Fatalf("%v: exit %d, want %d\n%s%s", args, got, code, out.String(), problems.String())
	}
	return out.String()
}

// until calls the program until it succeeds: nodes that have only just begun choose a leader at their own pace.
func (c *computer) until(cluster *fleettest.Cluster, args ...string) {
	c.t.Helper()
	cluster.Wait("success of "+strings.Join(args, " "), func() bool { return c.command(c.t.Context(), args...).Run() == nil })
}

func (c *computer) write(name, text string) {
	c.t.Helper()
	path := filepath.Join(c.home, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		c.t.Fatal(err)
	}
}

func build(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "pertain.exe")
	cmd := exec.Command("go", "build", "-o", program, "./cmd/pertain")
	cmd.Dir = ".."
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return program
}

// TestTeam is a team of two: one pushes, and on the other's machine, where a gateway runs, the rule holds for the hooks of agents, also after the
// servers are gone.
func TestTeam(t *testing.T) {
	program := build(t)
	cluster := fleettest.Start(t, 3, fleettest.Options{})
	machine := func() *computer {
		c := &computer{t, program, t.TempDir()}
		c.write("work/a.txt", "")
		return c
	}
	lead, developer := machine(), machine()
	var key struct{ PublicKey string }
	if err := json.Unmarshal([]byte(lead.run(0, "", "fleet", "keygen", "--no-password", "--json", filepath.Join(lead.home, "fleet.key"))), &key); err != nil {
		t.Fatal(err)
	}
	config := "fleet:\n  url: [\"" + strings.Join(cluster.URLs(), `", "`) + "\"]\n  keys: " + key.PublicKey + "\n"
	lead.write(".config/pertain/config.yaml", config+"  signingKey: ~/fleet.key\n")
	developer.write(".config/pertain/config.yaml", config)
	lead.write("team/rules/no-eval.md", "---\ncondition: 'eval\\('\n---\nNever use eval.\n")
	team := filepath.Join(lead.home, "team")
	lead.run(0, "", "fleet", "push", team, "--dry-run")
	if out := lead.run(0, "", "fleet", "list"); !strings.Contains(out, "nothing was pushed") {
		t.Errorf("--dry-run pushed: %s", out)
	}

	ctx, stop := context.WithCancel(t.Context())
	gateway := developer.command(ctx, "gateway", "--listen", "127.0.0.1:0")
	gateway.Cancel = func() error { return gateway.Process.Signal(os.Interrupt) }
	gateway.WaitDelay = 20 * time.Second
	var said bytes.Buffer
	gateway.Stderr = &said
	if err := gateway.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { defer close(ended); _ = gateway.Wait() }()
	defer func() { stop(); <-ended }()

	lead.until(cluster, "fleet", "push", team, "-m", "first")
	rules := func() string { return developer.run(0, "", "rules", "--json") }
	cluster.Wait("rule of the fleet", func() bool { return strings.Contains(rules(), `"provider": "fleet"`) })

	// Taken to a folder, changed and pushed again; whoever is late is told.
	out := filepath.Join(lead.home, "out")
	lead.run(0, "", "fleet", "pull", "--out", out)
	lead.write("out/rules/no-exec.md", "---\ncondition: 'exec\\('\n---\nNever use exec.\n")
	lead.run(0, "", "fleet", "push", out)
	cluster.Wait("second rule of the fleet", func() bool { return strings.Contains(rules(), "no-exec") })
	lead.run(0, "", "fleet", "rollback", "1")
	cluster.Wait("first revision again", func() bool { return !strings.Contains(rules(), "no-exec") })
	lead.write("out/rules/no-exec.md", "---\ncondition: 'exec\\('\n---\nchanged\n")
	lead.run(1, "", "fleet", "push", out)
	lead.run(1, "", "fleet", "pull", "--out", out) // what was changed there stays
	lead.run(0, "", "fleet", "pull", "--out", out, "--force")
	if _, err := os.Stat(filepath.Join(out, "rules", "no-exec.md")); err == nil {
		t.Error("what the revision does not have is still there")
	}

	for i := range 3 {
		cluster.Kill(i)
	}
	call := `{"hook_event_name":"PreToolUse","session_id":"s","cwd":"` + filepath.ToSlash(filepath.Join(developer.home, "work")) + `","tool_name":"Write","tool_input":{"file_path":"a.js","content":"eval(x)"}}`
	if out := developer.run(0, call, "hook", "claude"); !strings.Contains(out, "no-eval") || !strings.Contains(out, "deny") {
		t.Errorf("the hook without servers: %s", out)
	}
	var status struct {
		Reachable bool
		Copy      *struct{ Revision int }
	}
	if err := json.Unmarshal([]byte(developer.run(0, "", "fleet", "status", "--json")), &status); err != nil || status.Reachable || status.Copy == nil || status.Copy.Revision != 3 {
		t.Errorf("%+v, %v", status, err)
	}
	stop()
	<-ended
	if !strings.Contains(said.String(), "cannot be reached") {
		t.Errorf("the gateway said nothing of the servers that went: %s", said.String())
	}
}
