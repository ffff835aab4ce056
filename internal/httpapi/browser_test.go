package httpapi_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/internal/httpapi"
	"github.com/pertain-dev/pertain/internal/modeltest"
	"github.com/pertain-dev/pertain/internal/tally"
)

// TestPage drives the page in the system's Chromium. The driver comes from npm's
// registry, so it runs only when asked for: .ci/clients does. With
// PERTAIN_PICTURES, the screenshots of the documentation are written there.
func TestPage(t *testing.T) {
	tools := browserTools(t)
	browser := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			browser = path
			break
		}
	}
	if browser == "" {
		t.Skip("Chromium is not installed")
	}
	program := filepath.Join(t.TempDir(), "pertain")
	run(t, filepath.Join("..", ".."), "go", "build", "-o", program, "./cmd/pertain")

	for _, script := range []string{"page.mjs", "truth.mjs", "tabs.mjs"} {
		t.Run(strings.TrimSuffix(script, ".mjs"), func(t *testing.T) {
			dir, situation := pageWorld(t)
			url, token := servePage(t, program, dir, situation, t.TempDir())
			args := []string{script, browser, url, token, dir, situation}
			if pictures := os.Getenv("PERTAIN_PICTURES"); pictures != "" {
				args = append(args, pictures)
			}
			t.Log(run(t, tools, "node", args...))
		})
	}
	t.Run("ask", func(t *testing.T) { pageAsks(t, tools, browser, program) })
	t.Run("fleet", func(t *testing.T) { pageFleet(t, tools, browser) })
}

// pageFleet drives the view of a fleet, whose report is made up.
func pageFleet(t *testing.T, tools, browser string) {
	s := serve(t, httpapi.Options{Fleet: func(_ context.Context, period time.Duration) (tally.Report, error) {
		if period > 31*24*time.Hour {
			return tally.Report{}, errors.New("nobody answers")
		}
		now := time.Date(2026, 11, 16, 12, 0, 0, 0, time.UTC)
		report := tally.NewSummary(now.Add(-period), now).Report(nil)
		report.Machines = 3
		report.Total = tally.Totals{Fired: 300, Counts: tally.Counts{Denied: 200, Interrupted: 100, Given: 7, Heeded: 225, Unheeded: 75}, Share: new(0.75)}
		for i, n := range []int{200, 100} { // today, and the day before
			if at := len(report.Days) - 1 - i; at >= 0 {
				report.Days[at] = tally.When{From: report.Days[at].From, Fired: n, Heeded: n * 3 / 4, Unheeded: n / 4}
			}
		}
		report.Hours = []tally.When{{From: "2026-11-16T11:00Z", Fired: 200, Heeded: 150, Unheeded: 50}}
		report.Rules = []tally.Rule{
			{Name: "no-eval", Totals: report.Total, Agents: []string{"claude"}, Repositories: 2, Last: "2026-11-16", Days: []int{100, 200}},
			{Name: "<img src=x onerror=alert(1)>", Agents: []string{}, Last: "2026-11-15", Days: []int{0, 0}},
		}
		report.Never = []string{"never-fires"}
		return report, nil
	}})
	dir, situation := pageWorld(t)
	args := []string{"fleet.mjs", browser, s.url, token, dir, situation}
	if pictures := os.Getenv("PERTAIN_PICTURES"); pictures != "" {
		args = append(args, pictures)
	}
	t.Log(run(t, tools, "node", args...))
}

// pageAsks drives the page of a user with a model, which sees what was sent.
func pageAsks(t *testing.T, tools, browser, program string) {
	stopped := make(chan bool, 1)
	model := modeltest.Start(func(r *modeltest.Request) modeltest.Answer {
		switch {
		case r.Has("slowly"):
			return modeltest.Answer{Text: strings.Repeat("tick ", 2000), Piece: 5, Pause: 20 * time.Millisecond, Over: func(whole bool) { stopped <- whole }}
		case r.Has("refuse"):
			return modeltest.Answer{Status: 500, Body: `{"error":{"message":"out of order"}}`}
		case r.Has("Never unwrap."):
			return modeltest.Answer{Text: "Use the question mark. <img src=x onerror=alert(1)>", Piece: 3}
		}
		return modeltest.Answer{Text: "Call value.unwrap() here.", Piece: 3}
	})
	defer model.Close()
	dir, situation := pageWorld(t)
	home := t.TempDir()
	for name, text := range map[string]string{
		filepath.Join(home, ".config", "pertain", "config.yaml"): "ask: {upstream: openai, url: \"" + model.URL + "/v1\", model: scripted}\n",
		filepath.Join(dir, ".omp", "rules", "no-unwrap.md"):      "---\nttsr_trigger: 'value\\.unwrap\\('\n---\nNever unwrap.\n",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// Agreed to once, in a terminal, for a strategy that reads the clipboard alone.
	agree := exec.CommandContext(t.Context(), program, "ask", "user.todo", "--agree", "--no-builtin", "--context", situation, "--strategies", filepath.Join(dir, "strategies"))
	agree.Dir, agree.Env = dir, []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}
	if out, err := agree.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	before := len(model.Requests())
	url, token := servePage(t, program, dir, situation, home)
	t.Log(run(t, tools, "node", "ask.mjs", browser, url, token, dir, situation))
	if whole := <-stopped; whole {
		t.Error("an answer that was stopped went on to its end")
	}
	sent := model.Requests()[before:]
	if len(sent) != 8 { // three with a reminder each, the slow one and the refused one
		t.Errorf("%d requests were sent", len(sent))
	}
}

// servePage starts the program in a world of its own and ends it with the test.
func servePage(t *testing.T, program, dir, situation, home string) (url, token string) {
	t.Helper()
	// The end of the test must not kill it: how it ends is part of it.
	command := exec.CommandContext(context.WithoutCancel(t.Context()), program, "serve", "--json", "--no-builtin", "--listen", "127.0.0.1:0",
		"--context", situation, "--strategies", filepath.Join(dir, "strategies"))
	command.Dir, command.Stderr = dir, os.Stderr
	command.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Signal(os.Interrupt)
		if err := command.Wait(); err != nil {
			t.Errorf("serve ended with %v", err)
		}
	})
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err != nil {
		t.Fatal(err)
	}
	var announced struct{ URL, Token string }
	if err := json.Unmarshal(line, &announced); err != nil {
		t.Fatal(err)
	}
	return announced.URL, announced.Token
}

// browserTools is a folder with the programs of testdata/browser and what they
// use. The test is skipped where that is not asked for or not to be had.
func browserTools(t *testing.T) string {
	t.Helper()
	if os.Getenv("PERTAIN_CLIENTS") == "" {
		t.Skip("set PERTAIN_CLIENTS=1 to install what is needed from npm's registry")
	}
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed", tool)
		}
	}
	tools := t.TempDir()
	if err := os.CopyFS(tools, os.DirFS(filepath.Join("testdata", "browser"))); err != nil {
		t.Fatal(err)
	}
	run(t, tools, "npm", "install", "--silent", "--no-audit", "--no-fund")
	return tools
}

func pageWorld(t *testing.T) (dir, situation string) {
	t.Helper()
	dir = t.TempDir()
	situation = filepath.Join(dir, "situation.json")
	for name, text := range map[string]string{
		".git/HEAD":                "ref: refs/heads/main\n",
		"situation.json":           `{"attachments":{"selection":{"text":"send me the numbers today"}},"clipboard":{"text":"TODO","hasImage":false}}`,
		".cursor/rules/types.mdc":  "---\ndescription: How we write types\nglobs: \"**/*.ts\"\n---\nUse types.\n",
		".windsurf/rules/types.md": "---\ndescription: Other types\n---\nShadowed.\n",
		".cursor/rules/go.mdc":     "---\nglobs: \"**/*.go\"\n---\nRun gofmt.\n",
		"strategies/reply.strategy.md": "---\nname: Reply to the message\ndescription: Drafts an answer in your tone\npriority: 80\nwhen:\n  all:\n" +
			"    - attachments.selection.text:\n        length: { min: 1, max: 5000 }\n    - none:\n        - clipboard.hasImage:\n            equals: true\n" +
			"tools:\n  builtin.web.*: false\n---\nWrite a reply to: {attachments.selection.text}\n",
		"strategies/todo.strategy.md":   "---\nname: Turn notes into tasks\nwhen:\n  clipboard.text:\n    contains: TODO\n---\nMake tasks of: {clipboard.text}\n",
		"strategies/polite/SKILL.md":    "---\nname: Polite\n---\nBe polite.\n",
		"strategies/polite.strategy.md": "---\nfrom: ./polite/SKILL.md\nname: Polite rewrite\nwhen:\n  attachments.selection.text:\n    length: { min: 1 }\n---\nRewrite politely: {attachments.selection.text}\n",
		"strategies/broken.strategy.md": "---\nname: Broken\nwhen:\n  attachments.text: 5\n---\nx\n",
	} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir, situation
}

func run(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), name, args...)
	command.Dir = dir
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
	return string(out)
}
