package pertain_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestDoctorProves: doctor runs the command that an agent's settings hold where `setup` wrote it, and no program of the workspace.
func TestDoctorProves(t *testing.T) {
	ownTree(t) // the test cache sees the sources by this
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	work, home, bin := filepath.Join(base, "w"), filepath.Join(base, "home"), filepath.Join(base, "bin")
	for _, dir := range []string{filepath.Join(work, ".git"), home, bin, filepath.Join(work, "bin")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	program := filepath.Join(bin, "pertain")
	buildProgram(t, program, "./cmd/pertain")
	run := func(path string, args ...string) string {
		cmd := exec.Command(program, args...)
		cmd.Dir, cmd.Env = work, []string{"HOME=" + home, "PATH=" + path}
		out, err := cmd.CombinedOutput()
		if _, exits := err.(*exec.ExitError); err != nil && !exits { //nolint:errorlint // of exec itself
			t.Fatal(err)
		}
		return string(out)
	}
	check := func(path, id string) (status, message string) {
		var report struct {
			Checks []struct{ ID, Status, Message string }
		}
		if err := json.Unmarshal([]byte(run(path, "doctor", "--json")), &report); err != nil {
			t.Fatal(err)
		}
		for _, c := range report.Checks {
			if c.ID == id {
				return c.Status, c.Message
			}
		}
		return "", ""
	}
	run(bin, "setup", "claude")
	if status, message := check(bin, "hooks.claude"); status != "ok" || !strings.Contains(message, "no hook has come yet") {
		t.Errorf("%s: %s", status, message)
	}
	if _, err := os.Stat(filepath.Join(home, ".local/state/pertain/hooks.jsonl")); err == nil {
		t.Error("the sample counts as a call")
	}
	mark := filepath.Join(base, "mark")
	evil := "#!/bin/sh\n: > '" + mark + "'\n"
	for _, path := range []string{filepath.Join(work, "bin/pertain"), filepath.Join(base, "broken")} {
		if err := os.WriteFile(path, []byte(evil), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if status, message := check(filepath.Join(work, "bin")+":.:bin", "hooks.claude"); status != "failed" || !strings.Contains(message, "no such program") {
		t.Errorf("%s: %s", status, message)
	}
	run(bin, "setup", "claude", "--user")
	settings := filepath.Join(home, ".claude/settings.json")
	text, err := os.ReadFile(settings)
	if err != nil || !strings.Contains(string(text), program+" hook claude") {
		t.Fatalf("%v: %s", err, text)
	}
	if status, message := check(bin, "hooks.claude"); status != "ok" || strings.Count(message, "settings.json") != 2 {
		t.Errorf("%s: %s", status, message)
	}
	text = []byte(strings.ReplaceAll(string(text), program+" hook", filepath.Join(work, "bin/pertain")+" hook"))
	if err := os.WriteFile(settings, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, message := check(bin, "hooks.claude"); !strings.Contains(message, "not run, since others wrote them: `"+filepath.Join(work, "bin/pertain")) {
		t.Error(message)
	}
	// Project settings may name any program; setup writes only the name there.
	if err := os.Rename(filepath.Join(base, "broken"), filepath.Join(base, "pertain")); err != nil {
		t.Fatal(err)
	}
	for _, named := range []string{"/proc/self/cwd/bin/pertain", filepath.Join(base, "pertain"), program} {
		text := `{"hooks":{"PreToolUse":[{"matcher":"*","hooks":[{"type":"command","command":"` + named + ` hook claude"}]}]}}`
		if err := os.WriteFile(filepath.Join(work, ".claude/settings.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, message := check(bin, "hooks.claude"); !strings.Contains(message, "`"+named+" hook claude`") || !strings.Contains(message, "not run") {
			t.Error(message)
		}
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("a program that others named was run")
	}
	// Nor is anything outside of the project read and shown.
	if err := os.Remove(filepath.Join(work, ".claude/settings.json")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "secret"), []byte("MySecretToken"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(home, "secret"), filepath.Join(work, ".claude/settings.json")); err != nil {
		t.Fatal(err)
	}
	if status, message := check(bin, "hooks.claude"); status != "failed" || strings.Contains(message, "MySecret") {
		t.Errorf("%s: %s", status, message)
	}
}

// TestDoctorManyHooks: settings that call Pertain thousands of times have it tried once, and other programs are named up to a number.
func TestDoctorManyHooks(t *testing.T) {
	ownTree(t) // the test cache sees the sources by this
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	work, home, bin := filepath.Join(base, "w"), filepath.Join(base, "home"), filepath.Join(base, "bin")
	for _, dir := range []string{filepath.Join(work, ".git"), filepath.Join(work, ".claude"), home, bin} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	program, calls := filepath.Join(base, "program"), filepath.Join(base, "calls")
	buildProgram(t, program, "./cmd/pertain")
	if err := os.WriteFile(filepath.Join(bin, "pertain"), []byte("#!/bin/sh\necho x >> '"+calls+"'\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	var commands []string
	for i := range 300 {
		commands = append(commands, "pertain hook claude", bin+"/"+strings.Repeat("./", i)+"pertain hook claude", fmt.Sprintf("make check-%d", i))
	}
	hooks := make([]map[string]any, 0, len(commands))
	for _, command := range commands {
		hooks = append(hooks, map[string]any{"matcher": "*", "hooks": []map[string]string{{"type": "command", "command": command}}})
	}
	settings, err := json.Marshal(map[string]any{"hooks": map[string]any{"PreToolUse": hooks}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(work, ".claude/settings.json"), settings, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "doctor")
	cmd.Dir, cmd.Env = work, []string{"HOME=" + home, "PATH=" + bin}
	out, err := cmd.CombinedOutput()
	if _, exits := err.(*exec.ExitError); err != nil && !exits { //nolint:errorlint // of exec itself
		t.Fatal(err)
	}
	ran, err := os.ReadFile(calls)
	if n := strings.Count(string(ran), "x"); err != nil || n != 1 {
		t.Errorf("Pertain was started %d times: %v", n, err)
	}
	if !strings.Contains(string(out), "`make check-3` and 592 more") {
		t.Errorf("%s", out)
	}
}
