//go:build linux && amd64

package pertain_test

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// hostileRow is a command that is run in a stranger's repository.
type hostileRow struct {
	args    []string
	input   string
	until   []string // it runs until its output has these texts
	code    int      // -1: any
	sees    string   // what its output has, so that it is known to have looked
	listens bool     // the user asks it to listen
	starts  string   // the program that the user asks it to start, by its name; "": none
	git     bool     // it looks at the repository: it is run on every kind of it
}

// hostileRows has every command at least once, by its name in the help.
var hostileRows = map[string][]hostileRow{
	"pertain": {{}},
	"pertain match": {
		{git: true, sees: "user.changes"},
		{args: []string{"--all", "--json"}},
		{args: []string{"--watch", "--json"}, until: []string{"user.changes"}, code: -1, git: true},
	},
	"pertain context": {
		{args: []string{"--json", "--show-values"}, sees: `"branch"`},
		{git: true, sees: "extra.workspace"},
	},
	"pertain explain": {{args: []string{"user.changes"}, sees: "branch"}},
	"pertain pick":    {{code: -1}},
	"pertain run": {
		{args: []string{"user.changes"}, sees: "On branch main"},
		{args: []string{"user.changes", "--copy"}, code: -1},
	},
	"pertain ask": { // nobody has agreed, and what the repository says of a model does not count
		{args: []string{"user.changes"}, code: 2, sees: "you have not agreed to send what user.changes needs to ollama at 127.0.0.1:9"},
		{args: []string{"user.changes", "--show"}, sees: "On branch main"},
		{args: []string{"user.changes", "--to", "clipboard"}, code: 2},
		{args: []string{"workspace.s", "--agree"}, code: 1, sees: "not trusted"},
	},
	"pertain query":          {{args: []string{"//Button"}, code: -1}},
	"pertain lint":           {{code: -1}, {args: []string{"."}, code: -1}},
	"pertain rules":          {{sees: "AGENTS"}, {args: []string{"--nested", "--json"}, sees: "AGENTS", git: true}},
	"pertain rules files":    {{args: []string{"AGENTS"}, sees: "a.txt", git: true}},
	"pertain rules for":      {{args: []string{"a.txt"}, sees: "AGENTS"}},
	"pertain rules scan":     {{args: []string{"."}, code: -1, git: true}},
	"pertain rules show":     {{args: []string{"AGENTS"}, sees: "be kind"}},
	"pertain rules test":     {{args: []string{"a.txt"}, code: -1}},
	"pertain prompt":         {{sees: "be kind"}, {args: []string{"--for", "a.txt"}, sees: "be kind"}},
	"pertain read":           {{args: []string{"rule://AGENTS"}, sees: "be kind"}},
	"pertain export":         {{args: []string{"--to", "claude,codex", "--from", "agents-md"}, code: -1, sees: "created"}, {args: []string{"--to", "cursor", "--from", "agents-md"}, sees: "created"}, {code: 2}},
	"pertain import":         {{args: []string{"--from", "all", "--json"}, code: -1, sees: "files"}},
	"pertain guard":          {{input: "some text\n", sees: "some text"}},
	"pertain skills":         {{args: []string{"--json"}}},
	"pertain skills enable":  {{args: []string{"claude.none"}, code: -1}},
	"pertain skills disable": {{args: []string{"claude.none"}, code: -1}},
	"pertain mcp":            {{input: mcpCalls, until: []string{`"id":2`, `"id":3`, `"id":4`, `"id":5`, `"id":6`, `"id":7`, `"id":8`, `"id":9`}, code: -1, sees: "user.changes", git: true}},
	"pertain lsp":            {{until: []string{`"id":20`, "publishDiagnostics"}, code: -1, sees: "template.unknown_placeholder", git: true}},
	"pertain serve": {
		{args: []string{"--json", "--listen", "127.0.0.1:0"}, until: []string{`"token"`}, code: -1, listens: true},
	},
	"pertain hook":  {{args: []string{"gemini"}, input: `{"hook_event_name":"SessionStart","session_id":"s","source":"startup"}`, sees: "be kind"}},
	"pertain setup": {{args: []string{"claude", "--project", "--dry-run"}, sees: "pertain hook claude"}, {args: []string{"--json"}, code: -1, sees: "agents"}},
	"pertain gateway": {
		{args: []string{"--json", "--listen", "127.0.0.1:0"}, until: []string{`"url"`}, code: -1, listens: true},
	},
	"pertain with": {
		{args: []string{"--", "git", "--version"}, sees: "git version", listens: true, starts: "git"},
		{args: []string{"--", "evil"}, code: 2, sees: "in no folder of PATH"},
	},
	"pertain doctor":                {{args: []string{"--json"}, code: -1, sees: "checks"}},
	"pertain hotkey":                {{}},
	"pertain hotkey install":        {{args: []string{"--desktop", "sway", "--dry-run"}, code: -1, sees: "bindsym"}},
	"pertain hotkey remove":         {{args: []string{"--desktop", "i3"}, sees: "no key is bound"}},
	"pertain fleet":                 {{}},
	"pertain fleet push":            {{args: []string{"."}, code: 2, sees: "there is no fleet"}},
	"pertain fleet list":            {{code: 2, sees: "there is no fleet"}},
	"pertain fleet pull":            {{args: []string{"--out", "out"}, code: 2, sees: "there is no fleet"}},
	"pertain fleet rollback":        {{args: []string{"1"}, code: 2, sees: "there is no fleet"}},
	"pertain fleet status":          {{code: 2, sees: "there is no fleet"}},
	"pertain fleet keygen":          {{args: []string{"--no-password", "out"}, code: -1}},
	"pertain service":               {{}},
	"pertain service install":       {{args: []string{"--dry-run"}, code: -1, sees: "[Service]"}},
	"pertain service remove":        {{sees: "not installed"}},
	"pertain service status":        {{code: 1, sees: "not running"}},
	"pertain service run":           {{code: 1, sees: "XDG_RUNTIME_DIR"}},
	"pertain journal":               {{args: []string{"--json"}, sees: "entries"}},
	"pertain fleet stats":           {{args: []string{"--json"}, code: 2, sees: "there is no fleet"}},
	"pertain fleet sync":            {{code: 2, sees: "there is no fleet"}},
	"pertain new":                   {{}},
	"pertain new rule":              {{args: []string{"--stdout", "x"}}, {args: []string{"x"}, code: -1}},
	"pertain new strategy":          {{args: []string{"--stdout", "x"}}, {args: []string{"--workspace", "--test", "x"}, code: -1}},
	"pertain trust":                 {{args: []string{"--list"}}},
	"pertain version":               {{}},
	"pertain test":                  {{code: -1}, {args: []string{".", "--json"}, code: -1, sees: "cases"}},
	"pertain fmt":                   {{args: []string{"--check", ".pertain/strategies/a.strategy.md"}, code: -1}},
	"pertain schema":                {{args: []string{"strategy"}}},
	"pertain man":                   {{args: []string{"--dir", "out"}, code: -1}},
	"pertain help":                  {{args: []string{"match"}}, {args: []string{"operators"}}},
	"pertain completion":            {{}},
	"pertain completion bash":       {{}},
	"pertain completion zsh":        {{}},
	"pertain completion fish":       {{}},
	"pertain completion powershell": {{}},
}

const mcpCalls = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"match_strategies","arguments":{}}}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"explain_strategy","arguments":{"id":"user.changes"}}}
{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"render_strategy","arguments":{"id":"user.changes"}}}
{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"rules_for_files","arguments":{"files":["a.txt"]}}}
{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"check_text","arguments":{"text":"x","file":"a.txt"}}}
{"jsonrpc":"2.0","id":7,"method":"resources/list"}
{"jsonrpc":"2.0","id":8,"method":"prompts/list"}
{"jsonrpc":"2.0","id":9,"method":"resources/read","params":{"uri":"rule://AGENTS"}}
`

// lspCalls open a strategy of the repository in an editor, and ask for everything about it.
func lspCalls(root string) string {
	document := `"textDocument":{"uri":"` + root + `/.pertain/strategies/s.strategy.md"}`
	calls := []string{
		`"id":1,"method":"initialize","params":{"rootUri":"` + root + `","capabilities":{},"initializationOptions":{"context":"../../home/.config/x.context.json"}}`,
		`"method":"initialized","params":{}`,
		`"method":"textDocument/didOpen","params":{"textDocument":{"uri":"` + root + `/.pertain/strategies/s.strategy.md","languageId":"markdown","version":1,` +
			`"text":"---\nname: S\nfrom: ../../../home/x.md\nwhen:\n  clipboard.text: {contains: x}\n---\n{clipboard.txt}\n"}}`,
	}
	for i, method := range []string{"completion", "hover", "definition", "codeAction", "documentSymbol", "rename", "formatting", "inlayHint"} {
		position := `{"line":2,"character":8}`
		calls = append(calls, fmt.Sprintf(`"id":%d,"method":"textDocument/%s","params":{%s,"position":%s,"range":{"start":%s,"end":%s},"newName":"y","context":{"diagnostics":[]},"options":{}}`,
			i+2, method, document, position, position, position))
	}
	calls = append(calls, `"id":20,"method":"shutdown"`)
	var b strings.Builder
	for _, call := range calls {
		call = `{"jsonrpc":"2.0",` + call + `}`
		fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(call), call)
	}
	return b.String()
}

// TestHostileRepository runs every command in a repository that tries to have programs started, under a tracer: none is,
// and no connection is made.
func TestHostileRepository(t *testing.T) {
	if testing.Short() {
		t.Skip("it traces every command")
	}
	trace, err := traced(t, tracedRun{argv: []string{"/bin/sh", "-c", "/bin/true; :"}})
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EACCES) || errors.Is(err, syscall.ENOSYS) {
		t.Skipf("this system does not permit ptrace: %v", err)
	}
	if err != nil || !slices.Contains(trace.programs, "/bin/true") {
		t.Fatalf("the tracer missed a program that starts another: %+v, %v", trace, err)
	}
	ownTree(t) // the test cache sees the sources by this
	program := filepath.Join(t.TempDir(), "pertain")
	buildProgram(t, program, "./cmd/pertain")

	commands := commandsOf(t, program, "pertain")
	for _, name := range commands {
		if hostileRows[name] == nil {
			t.Errorf("`%s` has no row: what does it do in a stranger's repository?", name)
		}
	}
	for _, name := range sortedKeys(hostileRows) {
		if !slices.Contains(commands, name) {
			t.Errorf("`%s` has a row, but is no command", name)
		}
		for _, row := range hostileRows[name] {
			for _, kind := range hostileKinds {
				if !kind.all && !row.git {
					continue
				}
				t.Run(strings.Join(append([]string{name}, row.args...), " ")+"/"+kind.name, func(t *testing.T) {
					w := newHostileWorkspace(t)
					kind.change(w)
					w.run(program, name, row)
				})
			}
		}
	}
}

// commandsOf are all commands that the help shows, one below the other.
func commandsOf(t *testing.T, program, name string) []string {
	t.Helper()
	words := strings.Fields(name)
	trace, err := traced(t, tracedRun{argv: append(append([]string{program}, words[1:]...), "--help")})
	if err != nil {
		t.Fatal(err)
	}
	all := []string{name}
	_, list, _ := strings.Cut(trace.output, "Available Commands:\n")
	for line := range strings.Lines(list) {
		fields := strings.Fields(line)
		if len(fields) == 0 || !strings.HasPrefix(line, "  ") {
			break
		}
		if words[len(words)-1] != "help" {
			all = append(all, commandsOf(t, program, name+" "+fields[0])...)
		}
	}
	return all
}

// run runs one command and looks at what it did.
func (w *hostileWorkspace) run(program, name string, row hostileRow) {
	t := w.t
	t.Helper()
	run := tracedRun{
		argv: slices.Concat([]string{program}, strings.Fields(name)[1:], row.args),
		dir:  w.top, env: w.env, input: row.input, until: row.until,
	}
	switch name {
	case "pertain serve":
		run.done = w.askServer
	case "pertain lsp":
		run.input = lspCalls("file://" + w.top)
	}
	trace, err := traced(t, run)
	if err != nil {
		t.Fatal(err)
	}
	if row.starts != "" {
		trace.programs = slices.DeleteFunc(trace.programs, func(path string) bool {
			return filepath.Base(path) == row.starts && !strings.HasPrefix(path, w.base)
		})
	}
	if diff := cmp.Diff([]string(nil), trace.programs, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("started programs (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string(nil), trace.connects); diff != "" {
		t.Errorf("connected (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string(nil), trace.sockets); diff != "" && !row.listens {
		t.Errorf("opened sockets (-want +got):\n%s", diff)
	}
	if _, err := os.Stat(w.mark); err == nil {
		t.Error("the stranger's program ran")
	}
	if trace.calls < 10 || row.code >= 0 && trace.code != row.code || !strings.Contains(trace.output, row.sees) {
		t.Errorf("exit code %d after %d system calls; output:\n%s", trace.code, trace.calls, trace.output)
	}
}

var (
	serverAddress = regexp.MustCompile(`"url":"([^"]+)"`)
	serverToken   = regexp.MustCompile(`"token":"([^"]+)"`)
)

// askServer has a server look at the repository.
func (w *hostileWorkspace) askServer(output string) {
	address, token := serverAddress.FindStringSubmatch(output), serverToken.FindStringSubmatch(output)
	if address == nil || token == nil {
		w.t.Errorf("the server does not say where it is: %s", output)
		return
	}
	for _, path := range []string{"api/v1/match", "api/v1/context", "api/v1/rules"} {
		request, err := http.NewRequestWithContext(w.t.Context(), http.MethodGet, address[1]+path, nil)
		if err != nil {
			w.t.Error(err)
			return
		}
		request.Header.Set("Authorization", "Bearer "+token[1])
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			w.t.Error(err)
			return
		}
		response.Body.Close()
		if path == "api/v1/match" && response.StatusCode != http.StatusOK {
			w.t.Errorf("%s: %s", path, response.Status)
		}
	}
}
