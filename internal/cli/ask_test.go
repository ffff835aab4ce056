package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/internal/modeltest"
	"github.com/pertain-dev/pertain/internal/settings"
)

const askedKey = "sk-test-0123456789abcdef"

// asking is a user with a model.
type asking struct {
	t         *testing.T
	home, dir string
	env       map[string]string
	model     *modeltest.Server
	stdin     io.Reader
}

// newAsking starts a model that settings of the user name, with a strategy and a rule.
func newAsking(t *testing.T, kind string, script modeltest.Script) *asking {
	t.Helper()
	if script == nil {
		script = func(r *modeltest.Request) modeltest.Answer {
			if r.Has("Never unwrap.") {
				return modeltest.Answer{Text: "Use the question mark.", Piece: 3}
			}
			return modeltest.Answer{Text: "Call value.unwrap() here.", Piece: 3}
		}
	}
	a := &asking{t: t, home: t.TempDir(), dir: t.TempDir(), model: modeltest.Start(script)}
	t.Cleanup(a.model.Close)
	a.env = map[string]string{"MY_KEY": askedKey}
	a.settings("ask: {upstream: " + kind + ", url: \"" + a.model.URL + "\", model: scripted, keyVariable: MY_KEY}\n")
	a.strategy("A strategy.\nclipboard: {clipboard.text}", "")
	put(t, filepath.Join(a.dir, ".git", "HEAD"), "ref: refs/heads/main\n")
	put(t, filepath.Join(a.dir, ".omp", "rules", "no-unwrap.md"), "---\nttsr_trigger: 'value\\.unwrap\\('\n---\nNever unwrap.\n")
	return a
}

func (a *asking) settings(text string) {
	a.t.Helper()
	put(a.t, filepath.Join(a.home, ".config", "pertain", "config.yaml"), text)
}

func (a *asking) strategy(body, more string) {
	a.t.Helper()
	put(a.t, filepath.Join(a.home, ".config", "pertain", "strategies", "x.strategy.md"), "---\nname: X\n"+more+"systemPrompt: Be brief.\n---\n"+body+"\n")
}

// call calls the program. What it reads of the machine is in a context file.
func (a *asking) call(args ...string) (code int, stdout, stderr string) {
	a.t.Helper()
	return a.callIn(a.t.Context(), args...)
}

func (a *asking) callIn(ctx context.Context, args ...string) (code int, stdout, stderr string) {
	a.t.Helper()
	file := filepath.Join(a.home, "context.json")
	put(a.t, file, `{"clipboard": {"text": "my private clipboard"}, "attachments": {"selection": {"text": "my selection"}}}`)
	var out, complaints bytes.Buffer
	code = Main(ctx, Invocation{
		Args: append(args, "--context", file), Stdin: a.stdin, Stdout: &out, Stderr: &complaints, Dir: a.dir,
		Env: func(name string) string {
			switch name {
			case "HOME", "USERPROFILE":
				return a.home
			case "PATH":
				return filepath.Join(a.home, "bin")
			}
			return a.env[name]
		},
	})
	return code, out.String(), complaints.String()
}

// program puts a shell script into the user's folder of programs.
func (a *asking) program(name, script string) {
	a.t.Helper()
	if runtime.GOOS == "windows" {
		a.t.Skip("the program is a shell script")
	}
	put(a.t, filepath.Join(a.home, "bin", name), "#!/bin/sh\nPATH=/usr/bin:/bin\n"+script)
	if err := os.Chmod(filepath.Join(a.home, "bin", name), 0o700); err != nil {
		a.t.Fatal(err)
	}
}

var askedKinds = []string{"anthropic", "openai", "ollama"}

func TestAsk(t *testing.T) {
	for _, kind := range askedKinds {
		a := newAsking(t, kind, nil)
		code, stdout, stderr := a.call("ask", "user.x", "and more", "--agree")
		if code != exitDone || stdout != "Cal\n\nUse the question mark.\n" || !strings.Contains(stderr, "the rule no-unwrap interrupted the answer") {
			t.Errorf("%s: %d %q %s", kind, code, stdout, stderr)
		}
		first := a.model.Requests()[0]
		for _, want := range []string{"A strategy.", "my private clipboard", "Be brief.", "and more"} {
			if !first.Has(want) {
				t.Errorf("%s: %q is not in %s", kind, want, first.Body)
			}
		}
		// It was agreed to, for next time too.
		if code, stdout, stderr := a.call("ask", "user.x"); code != exitDone || !strings.HasSuffix(stdout, "mark.\n") {
			t.Errorf("%s: %d %q %s", kind, code, stdout, stderr)
		}
	}
}

// TestAskAgreement: nothing is sent before the user has agreed, and again when a strategy
// reads more than before.
func TestAskAgreement(t *testing.T) {
	a := newAsking(t, "openai", nil)
	refused := func(want string, args ...string) {
		t.Helper()
		before := len(a.model.Requests())
		code, stdout, stderr := a.call(args...)
		if code != exitUsage || stdout != "" || !strings.Contains(stderr, want) || !strings.Contains(stderr, "--agree") || !strings.Contains(stderr, "pertain: you have not agreed") {
			t.Errorf("%v: %d %q %s", args, code, stdout, stderr)
		}
		if len(a.model.Requests()) != before {
			t.Errorf("%v: something was sent", args)
		}
	}
	agreed := func(args ...string) {
		t.Helper()
		if code, _, stderr := a.call(args...); code != exitDone {
			t.Errorf("%v: %d %s", args, code, stderr)
		}
	}
	refused("Reads clipboard text", "ask", "user.x")
	agreed("ask", "user.x", "--agree")
	agreed("ask", "user.x")
	a.strategy("{clipboard.text} {extra.browser.active_tab.url}", "")
	refused("browser", "ask", "user.x")
	agreed("ask", "user.x", "--agree")
	agreed("ask", "user.x")
	a.strategy("{clipboard.text} {extra.browser.active_tab.html}", "") // the page is more than its address
	refused("Reads the page in the browser's active tab", "ask", "user.x")
	agreed("ask", "user.x", "--agree")
	a.strategy("{clipboard.text}", "") // less is no question
	agreed("ask", "user.x")
	a.settings("ask: {upstream: openai, url: \"" + a.model.URL + "/other/v1\", model: scripted, keyVariable: MY_KEY}\n")
	refused("you have not agreed", "ask", "user.x")
	kept := filepath.Join(a.home, ".local", "state", "pertain", "ask.json")
	if info, err := os.Stat(kept); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	text, _ := os.ReadFile(kept)
	if strings.Contains(string(text), "private clipboard") || strings.Contains(string(text), askedKey) {
		t.Errorf("%s", text)
	}
	put(t, kept, "{")
	refusedWhole, _, stderr := a.call("ask", "user.x", "--agree")
	if refusedWhole != exitUsage || !strings.Contains(stderr, "repair it, or delete it") {
		t.Errorf("%d %s", refusedWhole, stderr)
	}
}

func TestAskShow(t *testing.T) {
	for _, kind := range askedKinds {
		a := newAsking(t, kind, nil)
		code, stdout, stderr := a.call("ask", "user.x", "--show")
		if code != exitDone || len(a.model.Requests()) > 0 || !strings.Contains(stderr, "and the key of MY_KEY") || strings.Contains(stdout+stderr, askedKey) {
			t.Fatalf("%s: %d %s %s", kind, code, stdout, stderr)
		}
		_, document, _ := a.call("ask", "user.x", "--show", "--json")
		var shown outgoingJSON
		if err := json.Unmarshal([]byte(document), &shown); err != nil || *shown.KeyVariable != "MY_KEY" || !strings.HasPrefix(shown.URL, a.model.URL) || strings.Contains(document, askedKey) {
			t.Errorf("%s: %v %s", kind, err, document)
		}
		if code, _, stderr := a.call("ask", "user.x", "--agree"); code != exitDone {
			t.Fatal(stderr)
		}
		if sent := string(a.model.Requests()[0].Body); strings.TrimSpace(sent) != strings.TrimSpace(stdout) {
			t.Errorf("%s: shown %s\nsent %s", kind, stdout, sent)
		}
	}
}

func TestAskJSON(t *testing.T) {
	a := newAsking(t, "anthropic", nil)
	a.strategy("Hello.", "tools:\n  builtin.web.*: true\n")
	code, stdout, stderr := a.call("ask", "user.x", "--agree", "--json", "--attach", filepath.Join(a.dir, ".git", "HEAD"))
	var got answerJSON
	if err := json.Unmarshal([]byte(stdout), &got); err != nil || code != exitDone || stderr != "" {
		t.Fatalf("%d %v %s %s", code, err, stdout, stderr)
	}
	if got.Answer != "Use the question mark." || !got.Complete || got.Stop != "end_turn" || got.Usage == nil || len(got.Rules) != 1 || got.Rules[0].Rule != "no-unwrap" {
		t.Errorf("%s", stdout)
	}
	if len(got.LeftOut) != 2 || !strings.Contains(got.LeftOut[0], "builtin.web.*") || !strings.Contains(got.LeftOut[1], "attached files") {
		t.Errorf("%v", got.LeftOut)
	}
	a.strategy("Hello.", "")
	put(t, filepath.Join(a.dir, ".omp", "rules", "no-unwrap.md"), "Nothing.\n")
	for flag, lists := range map[string][]string{"--show": {"leftOut", "permissions"}, "--agree": {"leftOut", "permissions", "rules", "diagnostics"}} {
		_, stdout, stderr := a.call("ask", "user.x", "--json", flag)
		for _, list := range lists { // one with nothing in it is a list
			if !strings.Contains(stdout, `"`+list+`": []`) {
				t.Errorf("%s: %s is none in %s%s", flag, list, stdout, stderr)
			}
		}
	}
	a.strategy("Hello.", "tools:\n  builtin.web.*: true\n")
	if _, _, stderr := a.call("ask", "user.x"); !strings.Contains(stderr, "pertain: not sent: the rules for tools (`builtin.web.*`)") {
		t.Errorf("%s", stderr)
	}
}

func TestAskFails(t *testing.T) {
	a := newAsking(t, "openai", func(*modeltest.Request) modeltest.Answer {
		return modeltest.Answer{Status: 401, Body: `{"error":{"message":"Incorrect API key provided: ` + askedKey + ` for my private clipboard","code":"invalid_api_key"}}`}
	})
	code, stdout, stderr := a.call("ask", "user.x", "--agree")
	if code != exitNegative || stdout != "" || !strings.HasSuffix(stderr, "does not accept the key of MY_KEY (status 401): invalid_api_key\n") || strings.Contains(stderr, "private") {
		t.Errorf("%d %q %s", code, stdout, stderr)
	}
	code, stdout, _ = a.call("ask", "user.x", "--json")
	var got answerJSON
	if err := json.Unmarshal([]byte(stdout), &got); err != nil || code != exitNegative || got.Complete || !strings.Contains(got.Error, "does not accept the key") {
		t.Errorf("%d %v %s", code, err, stdout)
	}
}

// TestAskRefuses are calls that cannot be meant, or settings that lead nowhere. Nothing is sent.
func TestAskRefuses(t *testing.T) {
	a := newAsking(t, "openai", nil)
	check := func(code int, want string, args ...string) {
		t.Helper()
		got, stdout, stderr := a.call(args...)
		if got != code || stdout != "" || !strings.Contains(stderr, want) || strings.Contains(stderr, askedKey) {
			t.Errorf("%v: %d %q %s", args, got, stdout, stderr)
		}
	}
	check(exitUsage, "name a strategy", "ask", "--agree")
	check(exitUsage, "not both", "ask", "user.x", "a", "--input", "b")
	check(exitUsage, "--to `floor` is not known", "ask", "user.x", "--to", "floor")
	check(exitUsage, "--copy and --to menu", "ask", "user.x", "--to", "menu", "--copy")
	check(exitUsage, "--json and --to menu", "ask", "user.x", "--to", "menu", "--json")
	check(exitUsage, "--menu goes with --to menu", "ask", "user.x", "--menu", "rofi")
	check(exitNegative, "there is no strategy `user.y`; did you mean `user.x`?", "ask", "user.y", "--agree")
	a.env["MY_KEY"] = ""
	check(exitUsage, "MY_KEY, which holds the key for 127.0.0.1", "ask", "user.x", "--agree")
	a.env["MY_KEY"] = "two words"
	check(exitUsage, "holds no key", "ask", "user.x", "--agree")
	a.env["MY_KEY"] = askedKey
	a.settings("ask: {upstream: openai, url: \"http://example.org/v1\", model: m}\n")
	check(exitUsage, "must begin with https", "ask", "user.x", "--agree")
	a.settings("ask: {upstream: chatgpt, model: m}\n")
	check(exitUsage, "the settings file has a mistake", "ask", "user.x", "--agree")
	a.settings("ask: {upstream: openai}\n")
	check(exitUsage, "no model is named", "ask", "user.x", "--agree")
	a.settings("")
	check(exitUsage, "no model is set up", "ask", "user.x", "--agree")
	// What a workspace says does not count, trusted or not.
	for _, name := range []string{".pertain/config.yaml", "config.yaml", ".config/pertain/config.yaml", "pertain/config.yaml"} {
		put(t, filepath.Join(a.dir, filepath.FromSlash(name)), "ask: {upstream: openai, url: \""+a.model.URL+"\", model: m, keyVariable: MY_KEY}\n")
	}
	list := settings.Trust{Path: filepath.Join(a.home, ".config", "pertain", "trust.json")}
	if _, _, err := list.Add(t.Context(), a.dir); err != nil {
		t.Fatal(err)
	}
	check(exitUsage, "no model is set up", "ask", "user.x", "--agree")
	if n := len(a.model.Requests()); n > 0 {
		t.Errorf("%d requests", n)
	}
}

// TestAskClipboard: the whole answer, and nothing of what was interrupted.
func TestAskClipboard(t *testing.T) {
	a := newAsking(t, "ollama", nil)
	a.env["DISPLAY"] = ":9"
	a.program("xclip", "cat > \"$HOME/copied\"\n")
	code, stdout, stderr := a.call("ask", "user.x", "--agree", "--to", "clipboard")
	copied, err := os.ReadFile(filepath.Join(a.home, "copied"))
	if code != exitDone || stdout != "" || err != nil || string(copied) != "Use the question mark." || !strings.Contains(stderr, "with xclip") {
		t.Errorf("%d %q %s %q %v", code, stdout, stderr, copied, err)
	}
	a.program("xclip", "exit 1\n")
	code, stdout, _ = a.call("ask", "user.x", "--copy")
	if code != exitNegative || stdout != "Use the question mark.\n" {
		t.Errorf("an answer that cannot be copied is printed: %d %q", code, stdout)
	}
}

func TestAskWindow(t *testing.T) {
	for name, want := range map[string]string{"zenity": "Cal\n\nUse the question mark.\n", "rofi": "Use the question mark.\n"} {
		a := newAsking(t, "anthropic", nil)
		a.env["DISPLAY"] = ":9"
		a.program(name, "echo \"$@\" > \"$HOME/arguments\"\ncat > \"$HOME/shown\"\nexit 1\n")
		code, stdout, stderr := a.call("ask", "user.x", "--agree", "--to", "menu", "--menu", name)
		shown, err := os.ReadFile(filepath.Join(a.home, "shown"))
		if code != exitDone || stdout != "" || err != nil || string(shown) != want {
			t.Errorf("%s: %d %q %s %q %v", name, code, stdout, stderr, shown, err)
		}
		if arguments, err := os.ReadFile(filepath.Join(a.home, "arguments")); err != nil || strings.Contains(string(arguments), "question") {
			t.Errorf("%s: %s %v", name, arguments, err)
		}
	}
}

// TestAskWindowClosed: who closes the window ends the question.
func TestAskWindowClosed(t *testing.T) {
	over := make(chan bool, 1)
	a := newAsking(t, "openai", func(*modeltest.Request) modeltest.Answer {
		return modeltest.Answer{Text: strings.Repeat("word ", 10_000), Pause: time.Millisecond, Over: func(whole bool) { over <- whole }}
	})
	a.env["DISPLAY"] = ":9"
	a.program("zenity", "head -c 20 > /dev/null\nexit 1\n")
	code, _, stderr := a.call("ask", "user.x", "--agree", "--to", "menu", "--menu", "zenity")
	if code != exitInterrupted || stderr != "" {
		t.Errorf("%d %s", code, stderr)
	}
	if <-over {
		t.Error("the upstream was heard to its end")
	}
}

func TestAskInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	a := newAsking(t, "openai", func(*modeltest.Request) modeltest.Answer {
		stop()
		return modeltest.Answer{Text: strings.Repeat("word ", 10_000), Pause: time.Millisecond}
	})
	if code, _, stderr := a.callIn(ctx, "ask", "user.x", "--agree"); code != exitInterrupted || stderr != "" {
		t.Errorf("%d %s", code, stderr)
	}
}

// TestAskPlan sends a stored plan.
func TestAskPlan(t *testing.T) {
	a := newAsking(t, "openai", nil)
	_, stored, _ := a.call("run", "user.x", "--json")
	file := filepath.Join(a.home, "plan.json")
	put(t, file, stored)
	var out, complaints bytes.Buffer
	call := func(args ...string) int {
		out.Reset()
		complaints.Reset()
		return Main(t.Context(), Invocation{Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &complaints, Dir: a.dir, Env: func(name string) string {
			if name == "HOME" || name == "USERPROFILE" {
				return a.home
			}
			return a.env[name]
		}})
	}
	if code := call("ask", "--plan", file); code != exitUsage || !strings.Contains(complaints.String(), "Reads clipboard text") {
		t.Errorf("%d %s", code, &complaints)
	}
	if code := call("ask", "user.x", "--plan", file, "--agree"); code != exitDone || !strings.HasSuffix(out.String(), "mark.\n") {
		t.Errorf("%d %s %s", code, &out, &complaints)
	}
	if !a.model.Saw("my private clipboard") {
		t.Error("the plan was not sent as it is stored")
	}
}

// TestPickThenAsk chooses by number, and by a menu that is asked to agree.
func TestPickThenAsk(t *testing.T) {
	a := newAsking(t, "openai", nil)
	a.strategy("{clipboard.text}", "when: {clipboard.text: {contains: private}}\n")
	a.stdin = strings.NewReader("1\n")
	if code, stdout, stderr := a.call("pick", "--no-builtin", "--no-stdin", "--then", "ask"); code != exitUsage || stdout != "" || !strings.Contains(stderr, "--agree") {
		t.Errorf("%d %q %s", code, stdout, stderr)
	}
	a.env["DISPLAY"] = ":9"
	a.program("xclip", "cat > \"$HOME/copied\"\n")
	a.program("rofi", "cat >> \"$HOME/menus\"\necho 0\n")
	if code, _, stderr := a.call("pick", "--no-builtin", "--menu", "rofi", "--then", "ask"); code != exitUsage || !strings.Contains(stderr, "you have not agreed to send anything to openai at 127.0.0.1") {
		t.Errorf("%d %s", code, stderr)
	}
	if n := len(a.model.Requests()); n > 0 {
		t.Errorf("%d requests", n)
	}
	if code, _, stderr := a.call("ask", "user.x", "--agree"); code != exitDone {
		t.Fatal(stderr)
	}
	a.stdin = strings.NewReader("1\n")
	if code, stdout, stderr := a.call("pick", "--no-builtin", "--no-stdin", "--then", "ask"); code != exitDone || stdout != "Cal\n\nUse the question mark.\n" {
		t.Errorf("%d %q %s", code, stdout, stderr)
	}
	a.stdin = nil
	a.strategy("{clipboard.text} {extra.browser.active_tab.url}", "when: {clipboard.text: {contains: private}}\n")
	if code, stdout, stderr := a.call("pick", "--no-builtin", "--menu", "rofi", "--then", "ask"); code != exitDone || stdout != "" {
		t.Errorf("%d %q %s", code, stdout, stderr)
	}
	if menus, err := os.ReadFile(filepath.Join(a.home, "menus")); err != nil || !strings.Contains(string(menus), "Send it to 127.0.0.1") || !strings.Contains(string(menus), "browser") {
		t.Errorf("%s %v", menus, err)
	}
	if copied, err := os.ReadFile(filepath.Join(a.home, "copied")); err != nil || string(copied) != "Use the question mark." {
		t.Errorf("%q %v", copied, err)
	}
	if code, _, stderr := a.call("pick", "--to", "menu"); code != exitUsage || !strings.Contains(stderr, "--to goes with --then ask") {
		t.Errorf("%d %s", code, stderr)
	}
}
