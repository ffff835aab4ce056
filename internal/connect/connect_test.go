package connect_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tailscale/hujson"

	"github.com/pertain-dev/pertain/internal/connect"
)

// machine has a project and a home.
type machine struct {
	t     *testing.T
	setup connect.Setup
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &machine{t, connect.Setup{Root: filepath.Join(base, "w"), Home: filepath.Join(base, "home"), State: filepath.Join(base, "state"), Dir: filepath.Join(base, "w"), Program: "/opt/pertain/bin/pertain"}}
	for _, dir := range []string{filepath.Join(p.setup.Root, ".git"), p.setup.Home} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// path is a file of the project or, with ~/ before it, of the home.
func (p *machine) path(name string) string {
	if rest, ok := strings.CutPrefix(name, "~/"); ok {
		return filepath.Join(p.setup.Home, filepath.FromSlash(rest))
	}
	return filepath.Join(p.setup.Root, filepath.FromSlash(name))
}

func (p *machine) write(name, text string) {
	p.t.Helper()
	if err := os.MkdirAll(filepath.Dir(p.path(name)), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(p.path(name), []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

func (p *machine) read(name string) string {
	p.t.Helper()
	data, err := os.ReadFile(p.path(name))
	if err != nil {
		p.t.Fatal(err)
	}
	return string(data)
}

// files are all files of the project and the home, with their texts.
func (p *machine) files() map[string]string {
	p.t.Helper()
	out := map[string]string{}
	for _, root := range []string{p.setup.Root, p.setup.Home} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			text := "folder"
			if !d.IsDir() {
				data, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				text = string(data)
			}
			out[path] = text
			return nil
		})
		if err != nil {
			p.t.Fatal(err)
		}
	}
	return out
}

// run connects an agent, and tells what became of each file by its name.
func (p *machine) run(agent string, change func(*connect.Setup)) []string {
	p.t.Helper()
	a, ok := connect.Named(agent)
	if !ok {
		p.t.Fatalf("there is no agent %s", agent)
	}
	setup := p.setup
	if change != nil {
		change(&setup)
	}
	var out []string
	for _, report := range setup.Run(p.t.Context(), []connect.Agent{a}) {
		for _, f := range report.Files {
			name := f.Path
			if rel, err := filepath.Rel(p.setup.Root, f.Path); err == nil && !strings.HasPrefix(rel, "..") {
				name = filepath.ToSlash(rel)
			} else if rel, err := filepath.Rel(p.setup.Home, f.Path); err == nil && !strings.HasPrefix(rel, "..") {
				name = "~/" + filepath.ToSlash(rel)
			}
			text := string(f.Change) + " " + name
			if f.Why != nil {
				text += ": " + *f.Why
			}
			out = append(out, text)
		}
	}
	return out
}

func undo(s *connect.Setup) { s.Undo = true }

// TestEveryAgent: a second run changes nothing, and undoing leaves no trace, in new files and in files with something in them.
func TestEveryAgent(t *testing.T) {
	for _, a := range connect.Agents() {
		for _, level := range []connect.Level{"", connect.Project, connect.User} {
			t.Run(a.Name+" "+string(level), func(t *testing.T) {
				p := newMachine(t)
				at := func(s *connect.Setup) { s.Level = level }
				before := p.files()
				first := p.run(a.Name, at)
				for _, line := range first {
					if strings.HasPrefix(line, "refused") && level != "" && strings.Contains(line, "has no settings of") {
						return
					}
					if !strings.HasPrefix(line, "created ") {
						t.Errorf("%s", line)
					}
				}
				after := p.files()
				for path, text := range after {
					if strings.HasSuffix(path, ".json") && !json.Valid([]byte(text)) {
						t.Errorf("%s is %s", path, text)
					}
					if !strings.Contains(text, "pertain") && text != "folder" {
						t.Errorf("%s is %s", path, text)
					}
					user := strings.HasPrefix(path, p.setup.Home)
					if text != "folder" && strings.Contains(text, "/opt/pertain/bin/pertain") != user {
						t.Errorf("%s calls the wrong program: %s", path, text)
					}
				}
				for _, line := range p.run(a.Name, at) {
					if !strings.HasPrefix(line, "unchanged ") {
						t.Errorf("again: %s", line)
					}
				}
				if diff := cmp.Diff(after, p.files()); diff != "" {
					t.Errorf("the second run changed something: %s", diff)
				}
				for _, line := range p.run(a.Name, func(s *connect.Setup) { s.Level, s.Undo = level, true }) {
					if !strings.HasPrefix(line, "removed ") {
						t.Errorf("undo: %s", line)
					}
				}
				if diff := cmp.Diff(before, p.files()); diff != "" {
					t.Errorf("undoing leaves a trace: %s", diff)
				}
				left, _ := os.ReadDir(filepath.Join(p.setup.State, "setup"))
				if len(left) > 0 {
					t.Errorf("%d records are left", len(left))
				}
			})
		}
	}
}

const settings = "{\r\n\t// mine\r\n\t\"model\": \"opus\", /* best */\r\n\t\"hooks\": {\r\n\t\t\"PreToolUse\": [\r\n\t\t\t{\"matcher\": \"Bash\", \"hooks\": [{\"type\": \"command\", \"command\": \"mine\"}]} // keep\r\n\t\t],\r\n\t},\r\n}\r\n"

// TestLayout: comments, order, layout and line ends stay, and undoing gives back the very bytes.
func TestLayout(t *testing.T) {
	for _, text := range []string{
		settings, "{}", "{ }\n", "{\n}\n", "{\n  // nothing\n}\n", "{\"a\":1}", "{\"a\":1,\"hooks\":{}}\n", "{\"hooks\":{\"Stop\":[]}}", "{\n    \"hooks\": {\n        \"Stop\": []\n    }\n}", "",
		"{\n  \"a\": [1, 2,],\n  \"b\": {\"c\": \"}\"} // }\n  /* end */\n}\n",
	} {
		p := newMachine(t)
		p.write(".claude/settings.json", text)
		if got := p.run("claude", nil); got[0] != "changed .claude/settings.json" {
			t.Errorf("%q: %q", text, got)
		}
		got := p.read(".claude/settings.json")
		v, err := hujson.Parse([]byte(got))
		if err != nil || strings.Count(got, "pertain hook claude") != 4 {
			t.Errorf("%q becomes %q: %v", text, got, err)
		}
		if text == settings {
			for _, line := range strings.Split(settings, "\r\n") {
				line = strings.TrimSuffix(line, " // keep")
				if !strings.Contains(got, line) {
					t.Errorf("%q is lost in %q", line, got)
				}
			}
			if strings.Count(got, "\n") != strings.Count(got, "\r\n") || !strings.Contains(got, "// keep\r\n") {
				t.Errorf("line ends: %q", got)
			}
		}
		v.Standardize()
		if !json.Valid(v.Pack()) {
			t.Errorf("%q", got)
		}
		p.run("claude", undo)
		if back := p.read(".claude/settings.json"); back != text {
			t.Errorf("%q comes back as %q", text, back)
		}
	}
}

// TestForeignEdits: after somebody else's edits, our entries alone go.
func TestForeignEdits(t *testing.T) {
	p := newMachine(t)
	p.write(".claude/settings.json", "{\n  \"model\": \"opus\"\n}\n")
	p.run("claude", nil)
	edited := strings.Replace(p.read(".claude/settings.json"), `"opus"`, `"sonnet"`, 1)
	edited = strings.Replace(edited, `"Stop": [`, "\"Stop\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"theirs\"}]},", 1)
	p.write(".claude/settings.json", edited)
	if got := p.run("claude", undo); got[0] != "changed .claude/settings.json" {
		t.Errorf("%q", got)
	}
	got := p.read(".claude/settings.json")
	var have, want any
	if err := json.Unmarshal([]byte(got), &have); err != nil {
		t.Fatalf("%v: %s", err, got)
	}
	_ = json.Unmarshal([]byte(`{"model":"sonnet","hooks":{"Stop":[{"hooks":[{"type":"command","command":"theirs"}]}]}}`), &want)
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("%s", diff)
	}
	if got := p.run("claude", undo); got[0] != "unchanged .claude/settings.json" {
		t.Errorf("%q", got)
	}
	// The same without a record, as after a checkout on another machine.
	q := newMachine(t)
	q.run("claude", nil)
	q.setup.State = ""
	q.run("claude", undo)
	if text := q.read(".claude/settings.json"); strings.TrimSpace(text) != "{}" {
		t.Errorf("%q", text)
	}
}

// TestMoved: another path of the program takes the place of the old one.
func TestMoved(t *testing.T) {
	p := newMachine(t)
	p.write("~/.codex/config.toml", "model = \"gpt\" # mine\n\n[mcp_servers.other]\ncommand = \"x\"")
	at := func(s *connect.Setup) { s.Level = connect.User }
	p.run("codex", at)
	p.setup.Program = "/usr/local/bin/pertain"
	for _, line := range p.run("codex", at) {
		if !strings.HasPrefix(line, "changed") {
			t.Errorf("%s", line)
		}
	}
	for _, name := range []string{"~/.codex/config.toml", "~/.codex/hooks.json"} {
		text := p.read(name)
		if strings.Contains(text, "/opt/pertain") || !strings.Contains(text, "/usr/local/bin/pertain") {
			t.Errorf("%s is %s", name, text)
		}
	}
	p.run("codex", func(s *connect.Setup) { s.Level, s.Undo = connect.User, true })
	if text := p.read("~/.codex/config.toml"); !strings.HasPrefix(text, "model = \"gpt\" # mine\n\n[mcp_servers.other]\ncommand = \"x\"") || strings.Contains(text, "pertain") {
		t.Errorf("%q", text)
	}
}

func TestRefusals(t *testing.T) {
	p := newMachine(t)
	for _, c := range []struct{ agent, file, text, want string }{
		{"claude", ".claude/settings.json", "{\n  \"a\": ]\n}", "line 2, column 8"},
		{"claude", ".claude/settings.json", "[]", "it is not a JSON object"},
		{"claude", ".claude/settings.json", `{"hooks": {}, "hooks": {"Stop": []}}`, `the key "hooks" stands in it twice`},
		{"claude", ".claude/settings.json", `{"hooks": []}`, "`hooks` is not"},
		{"claude", ".claude/settings.json", `{"hooks": {"Stop": {}}}`, "`hooks.Stop` is not"},
		{"claude", ".claude/settings.json", strings.Repeat("[", 100_000), "nested too deeply"},
		{"codex", "~/.codex/config.toml", "a = \n", "it is not TOML: line 1"},
		{"codex", "~/.codex/config.toml", "mcp_servers = {}\n", "nothing can be added"},
		{"codex", "~/.codex/config.toml", "mcp_servers.pertain.command = \"mine\"\n", "already"},
		{"cline", ".clinerules/hooks/PreToolUse", "#!/bin/sh\nmine\n", "is not one that `pertain setup` wrote"},
		{"opencode", ".opencode/plugin/pertain.js", "export const x = 1\n", "is not one that `pertain setup` wrote"},
	} {
		p.write(c.file, c.text)
		got := strings.Join(p.run(c.agent, nil), "\n")
		if !strings.Contains(got, "refused "+c.file+": ") || !strings.Contains(got, c.want) {
			t.Errorf("%s %.40q: %s", c.file, c.text, got)
		}
		if text := p.read(c.file); text != c.text {
			t.Errorf("%s was changed: %.80q", c.file, text)
		}
		if strings.Contains(got, "mine") {
			t.Errorf("a text of the file is told: %s", got)
		}
	}
	p.setup.Program, p.setup.Without = "", "install it first"
	if got := p.run("pi", nil); got[0] != "refused ~/.pi/agent/extensions/pertain.ts: install it first" {
		t.Errorf("%q", got)
	}
	if got := p.run("pi", func(s *connect.Setup) { s.Level = connect.Project }); !strings.Contains(got[0], "use --user") {
		t.Errorf("%q", got)
	}
	outside := filepath.Join(p.setup.Home, "elsewhere")
	if err := os.Symlink(outside, p.path(".gemini")); err != nil {
		t.Skip(err)
	}
	if got := p.run("gemini", nil); !strings.HasPrefix(got[0], "refused .gemini/settings.json: ") {
		t.Errorf("a link that leads out of the project is followed: %q", got)
	}
}

// TestLinkedSecrets: a project's settings that are a link to what looks like a secret are neither read nor written, and a mistake in
// settings is told without what stands there.
func TestLinkedSecrets(t *testing.T) {
	p := newMachine(t)
	for name, text := range map[string]string{"credentials.json": `{"key":"CANARY"}`, ".aws/config.json": "{}", ".factory/settings.json": "CANARY"} {
		p.write(name, text)
	}
	for link, target := range map[string]string{".claude/settings.json": "../credentials.json", ".mcp.json": ".aws/config.json"} {
		if err := os.MkdirAll(filepath.Dir(p.path(link)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, p.path(link)); err != nil {
			t.Skip(err)
		}
	}
	got := strings.Join(append(p.run("claude", nil), p.run("droid", nil)...), "\n")
	for _, want := range []string{
		"refused .claude/settings.json: it is a link to what looks like a secret", "refused .mcp.json: it is a link to what looks like a secret",
		"refused .factory/settings.json: ", "it is not JSON: line 1, column 1",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in %s", want, got)
		}
	}
	if strings.Contains(got, "CANARY") || p.read("credentials.json") != `{"key":"CANARY"}` || p.read(".aws/config.json") != "{}" {
		t.Errorf("%s, %s", got, p.read("credentials.json"))
	}
}

func TestFailClosed(t *testing.T) {
	p := newMachine(t)
	p.run("copilot", nil)
	text := p.read(".github/hooks/pertain.json")
	for _, want := range []string{`"bash": "pertain hook copilot preToolUse || true"`, `"powershell": "pertain hook copilot preToolUse; exit 0"`, `"version": 1`} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in %s", want, text)
		}
	}
	closed := func(s *connect.Setup) { s.FailClosed = true }
	if got := p.run("copilot", closed); !strings.HasPrefix(got[0], "changed") {
		t.Errorf("%q", got)
	}
	text = p.read(".github/hooks/pertain.json")
	if strings.Contains(text, "|| true") || strings.Count(text, "--fail-closed") != 6 || strings.Count(text, "preToolUse\"") != 1 {
		t.Errorf("%s", text)
	}
}

func TestDryRun(t *testing.T) {
	p := newMachine(t)
	before := p.files()
	a, _ := connect.Named("gemini")
	setup := p.setup
	setup.DryRun = true
	reports := setup.Run(t.Context(), []connect.Agent{a})
	if diff := cmp.Diff(before, p.files()); diff != "" {
		t.Error(diff)
	}
	if len(reports[0].Files) != 1 || reports[0].Files[0].Change != connect.Created {
		t.Fatalf("%+v", reports)
	}
	for _, want := range []string{"--- /dev/null\n+++ b/.gemini/settings.json\n@@ ", "+  \"mcpServers\": {\n", "pertain hook gemini"} {
		if !strings.Contains(reports[0].Files[0].Diff, want) {
			t.Errorf("%q is not in %s", want, reports[0].Files[0].Diff)
		}
	}
}

// FuzzSettings: whatever JSON a settings file holds, our entries come and go, and the bytes come back.
func FuzzSettings(f *testing.F) {
	f.Add(settings)
	f.Add("{}")
	f.Add("{\"hooks\":{\"Stop\":[1,]}, // x\n}")
	f.Add("{/*a*/\"a\":[[[]]]/*b*/,/*c*/}")
	f.Fuzz(func(t *testing.T, text string) {
		p := newMachine(t)
		p.write(".claude/settings.json", text)
		hooks := func(s *connect.Setup) { s.Parts = []connect.Part{connect.Hooks} }
		got := p.run("claude", hooks)
		if strings.HasPrefix(got[0], "refused") {
			if p.read(".claude/settings.json") != text {
				t.Errorf("%q was changed", text)
			}
			return
		}
		with := p.read(".claude/settings.json")
		if again := p.run("claude", hooks); !strings.HasPrefix(again[0], "unchanged") {
			t.Errorf("%q: the second run: %s", text, again)
		}
		p.run("claude", func(s *connect.Setup) { s.Parts, s.Undo = []connect.Part{connect.Hooks}, true })
		if back := p.read(".claude/settings.json"); back != text {
			t.Errorf("%q comes back as %q by %q", text, back, with)
		}
	})
}
