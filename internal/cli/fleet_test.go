package cli

import (
	"bytes"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/tally"
)

// callFleet calls the program with settings, in a home of its own.
func callFleet(t *testing.T, settings string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	home := t.TempDir()
	config := filepath.Join(home, "config.yaml")
	if err := os.WriteFile(config, []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"HOME": home, "USERPROFILE": home, "PERTAIN_CONFIG": config}
	var out, errs bytes.Buffer
	code = Main(t.Context(), Invocation{Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Dir: home, Env: func(name string) string { return env[name] }})
	return code, out.String(), errs.String()
}

// TestFleetWithout: without a fleet commands say what is missing, and without one that answers they end.
func TestFleetWithout(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	_ = listener.Close() // nobody listens there now
	for _, args := range [][]string{{"fleet", "stats"}, {"fleet", "sync", "--timeout", "500ms"}, {"fleet", "stats", "--json"}} {
		if code, stdout, stderr := callFleet(t, "", args...); code != 2 || stdout != "" || !strings.Contains(stderr, "fleet.url") || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%v: %d, %q, %q", args, code, stdout, stderr)
		}
		if code, stdout, stderr := callFleet(t, "fleet:\n  url: nats://"+address+"\n  journal: counts\n", args...); code != 1 || stdout != "" || !strings.Contains(stderr, "the fleet does not answer") || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%v: %d, %q, %q", args, code, stdout, stderr)
		}
	}
	for _, args := range [][]string{{"fleet", "stats", "--since", "soon"}, {"fleet", "sync", "--timeout", "-1s"}, {"fleet", "sync", "x"}, {"fleet", "nothing"}} {
		if code, _, stderr := callFleet(t, "", args...); code != 2 || stderr == "" {
			t.Errorf("%v: %d, %q", args, code, stderr)
		}
	}
}

// TestFleetMistakenSettings: a namespace or an address that cannot be meant is told, and nothing goes elsewhere in its place.
func TestFleetMistakenSettings(t *testing.T) {
	for settings, want := range map[string]string{
		"fleet:\n  url: nats://127.0.0.1:1\n  namespace: a b\n": "`fleet.namespace`", "fleet:\n  url: htp://x\n": "`fleet.url`",
	} {
		for _, args := range [][]string{{"fleet", "status"}, {"fleet", "push", ".", "--dry-run"}, {"fleet", "stats"}, {"fleet", "sync"}, {"gateway", "--listen", "127.0.0.1:0"}} {
			if code, stdout, stderr := callFleet(t, settings, args...); code != 2 || stdout != "" || !strings.Contains(stderr, want+": ") {
				t.Errorf("%q, %v: %d, %q, %q", settings, args, code, stdout, stderr)
			}
		}
	}
}

// TestFleetPushChecks: what does not do what it says is told before any server is asked, and not pushed; with --force a server is asked.
func TestFleetPushChecks(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	settings := "fleet:\n  url: nats://" + listener.Addr().String() + "\n"
	_ = listener.Close() // nobody listens there now
	for path, test := range map[string]struct{ text, code string }{
		"rules/a.md":               {"---\ncondition: '(('\n---\nText.\n", "rule.invalid_trigger"},
		"rules/b.md":               {"---\ndescription: [[\n---\nText.\n", "rule.invalid_yaml"},
		"rules/c.md":               {"---\ndescription: c\n---\n", "rule.empty"},
		"strategies/e.strategy.md": {"---\nwhen: {nonsense: 1}\n---\nText.\n", "strategy."},
	} {
		dir := t.TempDir()
		full := filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		code, stdout, stderr := callFleet(t, settings, "fleet", "push", dir)
		if code != 1 || !strings.Contains(stdout, "error["+test.code) || !strings.Contains(stderr, "nothing was pushed: mend the errors") {
			t.Errorf("%s: %d, %s, %s", path, code, stdout, stderr)
		}
		if code, stdout, _ := callFleet(t, settings, "fleet", "push", dir, "--json"); code != 1 || !strings.Contains(stdout, test.code) || !strings.Contains(stdout, `"pushed": false`) {
			t.Errorf("%s: %d, %s", path, code, stdout)
		}
		if code, _, stderr := callFleet(t, settings, "fleet", "push", dir, "--force"); code != 1 || !strings.Contains(stderr, "cannot reach the fleet") {
			t.Errorf("%s with --force: %d, %s", path, code, stderr)
		}
	}
}

func TestPrintFleetStats(t *testing.T) {
	one, half := 1.0, 0.5
	report := tally.Report{
		Since: "2026-11-14", Until: "2026-11-16", Machines: 1240, Total: tally.Totals{Fired: 12345, Share: &half},
		Days: []tally.When{{Fired: 0}, {Fired: 1}, {Fired: 12344}},
		Rules: []tally.Rule{
			{Name: "no-eval\x1b[31m", Totals: tally.Totals{Fired: 12345, Share: &one}, Agents: []string{"claude", "codex"}, Repositories: 2, Last: "2026-11-16", Days: []int{0, 1, 12344}},
			{Name: "tests", Totals: tally.Totals{Counts: tally.Counts{Given: 3}}, Agents: []string{}, Repositories: 1, Last: "2026-11-15", Days: []int{0, 0, 0}},
		},
		Agents: []tally.Group{{Name: "claude", Totals: tally.Totals{Fired: 12345, Share: &half}}, {}},
		Never:  []string{"a", "b"},
	}
	var out bytes.Buffer
	a := &app{call: Invocation{Stdout: &out, Stderr: io.Discard, Env: func(string) string { return "" }}}
	if err := a.printFleetStats(report); err != nil {
		t.Fatal(err)
	}
	want := "2026-11-14 to 2026-11-16, 1,240 machines: 12,345 firings, 50 % heeded\n" +
		"▁▂█  firings by day\n" +
		"\n   fired   given  heeded  rule\n" +
		"  12,345       0   100 %  no-eval\ufffd[31m  ▁▂█  claude, codex, 2 repositories, last 2026-11-16\n" +
		"       0       3       -  tests  ▁▁▁  1 repository, last 2026-11-15\n" +
		"\nagents: claude 12,345 (50 % heeded), not known 0 (- heeded)\n" +
		"\nhold here and did nothing: a, b\n"
	if got := out.String(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
