package cli_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/cli"
)

const (
	escapes = "\x1b]0;title\a\x1b]52;c;aGk=\x1b\\\x1b[2J\x1b[8mgone\x1b[0m\u009b31m\u202edesrever\u202c\u200b\U000e0041\U000e0042over\rwritten\x7f"
	oddName = "x\x1b[31m\u202ey\u200b\a\u009b"
)

// hostileRepository has escape sequences and hidden characters wherever a stranger
// can put some.
func hostileRepository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		".git/HEAD":                                       "ref: refs/heads/main\n",
		".omp/rules/" + oddName + ".md":                   "---\ndescription: d" + escapes + "\nglobs: ['**/*" + escapes + "']\nk" + escapes + ": 1\n---\nbody" + escapes + "\n",
		".omp/rules/mend.md":                              "---\nglobs: *.ts\n---\nmend" + escapes + "\n",
		".omp/rules/always.md":                            "---\nalwaysApply: true\n---\nalways" + escapes + "\n",
		".omp/rules/guard.md":                             "---\nttsr_trigger: 'fo(o'\ncondition: fire\nscope: [" + escapes + "]\n---\nguarded" + escapes + "\n",
		".omp/rules/sub/" + oddName + ".md":               "---\n\x1b[31m: [\n---\nx\n",
		".pertain/strategies/" + oddName + ".strategy.md": "---\nid: 'a" + escapes + "'\nname: n" + escapes + "\n---\nprompt\n",
		"strategies/a.strategy.md":                        "---\nname: \"n\\e[31m\\a\\u202e\"\ndescription: \"d\\e]0;x\\a\"\nwhen: {attachments.text: {contains: \"\\e[31m\"}}\n---\nprompt" + strings.ReplaceAll(escapes, "\r", "") + "{attachments.text}\n",
		".claude/skills/s/SKILL.md":                       "---\nname: s" + strings.ReplaceAll(escapes, "\r", "") + "\ndescription: \"d\\e[31m\"\n---\nskill" + escapes + "\n",
		"strategies/a.strategy.test.yaml":                 "strategy: \"user.a\"\ncases: [{name: \"n\\e[31m\\u202e\", prompt: {contains: \"\\e[31m\"}}, {name: b, \"k\\e[31m\": 1}, {name: c, context: \"\\e[31m\"}]\n",
		"strategies/b.strategy.test.yaml":                 "strategy: \"user.a\\e[31m\"\ncases: [{name: a}]\n",
		"input.txt":                                       "start" + escapes + "fire" + escapes,
		"clean.txt":                                       "start" + escapes + "end",
		oddName + ".txt":                                  "fire" + escapes,
	} {
		writeFile(t, filepath.Join(dir, name), text)
	}
	return dir
}

// own are the escape sequences that this program writes.
var own = regexp.MustCompile("\x1b\\[(?:0|1|2|3[0-9]|1;3[0-9])m|\r\x1b\\[K(?:[0-9,]+ files?, [0-9]+ MB)?") // the last is how far a scan is

// steers finds what a terminal obeys, or what a reader cannot see.
var steers = regexp.MustCompile("[\x00-\x08\x0b-\x1f\x7f\u0080-\u009f\u200b\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")

var hostileCalls = [][]string{
	{"rules"},
	{"rules", "--all"},
	{"rules", "--all", "--nested"},
	{"rules", "for", "--all", "a.ts", oddName},
	{"rules", "--agent", "omp", "--tokens"},
	{"rules", "files", "always"},
	{"rules", "show", oddName},
	{"rules", "show", "always"},
	{"rules", "show", "nothing" + escapes},
	{"read", "rule://always"},
	{"read", "skill://claude.s"},
	{"read", escapes},
	{"read", "skill://" + escapes},
	{"prompt"},
	{"prompt", "--skills"},
	{"prompt", "--for", "a" + escapes},
	{"guard"},
	{"guard", "--keep-going"},
	{"guard", "--documented"},
	{"rules", "test", "fire" + escapes},
	{"rules", "test", "input.txt"},
	{"rules", "test", "--tool", "Bash" + escapes, "--args", `{"command":"cat > a.ts <<E\nfire` + "\u009b31m" + `\nE"}`},
	{"rules", "test"},
	{"rules", "scan", "."},
	{"rules", "scan", "nothing" + oddName},
	{"test", "."},
	{"test", ".", "--json"},
	{"test", "nothing" + escapes},
	{"help", "operators", escapes},
	{"lint"},
	{"lint", "--format", "short"},
	{"lint", "--format", "github"},
	{"lint", "--format", escapes},
	{"lint", "nothing" + escapes},
	{"lint", "--fix", "--dry-run", ".omp/rules/" + oddName + ".md"},
	{"lint", "--fix", "--dry-run", ".omp/rules/mend.md"},
	{"match", "--all"},
	{"match", "--strategies", "strategies", "--text", "\x1b[31m"},
	{"explain", "user.a", "--strategies", "strategies"},
	{"explain", escapes},
	{"explain", "user.a", "--strategies", "strategies", "--show-values", "--text", escapes},
	{"run", "user.a", "--strategies", "strategies", "--text", escapes},
	{"run", escapes},
	{"run", "--plan", escapes},
	{"skills"},
	{"skills", "enable", escapes},
	{"query", "//" + escapes},
	{"context", "--only", escapes},
	{"--" + escapes},
	{escapes},
	{"help", escapes},
	{"trust", "nothing" + escapes},
	{"trust", "--list"},
	{"new", "strategy", escapes},
	{"--cwd", escapes, "rules"},
	{"guard", "--memory", escapes + "/x"},
	{"guard", "--inject", "no/" + escapes},
	{"match", "--context", escapes},
	{"match", "--strategies", escapes},
	{"rules", "--json"},
	{"lint", "--json"},
}

// TestNothingSteersATerminal: on a real terminal nothing of a stranger's gets through
// but what can be seen.
func TestNothingSteersATerminal(t *testing.T) {
	dir := hostileRepository(t)
	painted := false
	for _, args := range hostileCalls {
		master, slave := openPTY(t, 200, 50)
		var raw bytes.Buffer
		done := make(chan struct{})
		go func() {
			_, _ = io.Copy(&raw, master)
			close(done)
		}()
		in, err := os.Open(filepath.Join(dir, "input.txt"))
		if err != nil {
			t.Fatal(err)
		}
		cli.Main(t.Context(), cli.Invocation{
			Args: args, Stdin: in, Stdout: slave, Stderr: slave, Dir: dir,
			Env: func(name string) string {
				return map[string]string{"HOME": filepath.Join(dir, "home"), "TERM": "xterm-256color", "LANG": "en_US.UTF-8"}[name]
			},
		})
		_ = in.Close()
		_ = slave.Close()
		<-done // the other side is closed
		_ = master.Close()
		text := strings.ReplaceAll(raw.String(), "\r\n", "\n")
		painted = painted || own.MatchString(text)
		if left := own.ReplaceAllString(text, ""); steers.MatchString(left) {
			at := steers.FindStringIndex(left)
			t.Errorf("%q: %q", args, left[max(at[0]-80, 0):min(at[1]+40, len(left))])
		}
	}
	if !painted {
		t.Error("nothing was painted: colours of our own are lost")
	}
}

// TestHostileNamesInAPipe: lines of our own are clean in a pipe too; texts are bytes.
func TestHostileNamesInAPipe(t *testing.T) {
	dir := hostileRepository(t)
	for _, args := range hostileCalls {
		_, out, notes := callIn(t, dir, "start"+escapes+"fire", args...)
		if steers.MatchString(notes) {
			t.Errorf("%q on stderr: %q", args, notes)
		}
		switch args[0] {
		case "read", "run", "guard", "prompt": // texts
			continue
		case "rules":
			if len(args) > 1 && args[1] == "show" {
				continue
			}
		case "lint":
			if len(args) > 1 && args[1] == "--fix" { // a diff
				continue
			}
		}
		if steers.MatchString(out) {
			at := steers.FindStringIndex(out)
			t.Errorf("%q: %q", args, out[max(at[0]-80, 0):min(at[1]+40, len(out))])
		}
	}
	passed := regexp.MustCompile("[\u200b\u202a-\u202e\U000e0000-\U000e007f]").ReplaceAllString("always"+escapes, "") // escape sequences are bytes, hidden text is left out
	for _, args := range [][]string{{"rules", "show", "always"}, {"read", "rule://always"}} {
		if _, out, notes := callIn(t, dir, "", args...); out != strings.TrimSpace(passed) || !strings.Contains(notes, "no reader can see") {
			t.Errorf("%q: a pipe gets %q, stderr %q", args, out, notes)
		}
	}
	if _, out, _ := callIn(t, dir, "", "read", "skill://workspace-claude.s"); !strings.HasSuffix(out, strings.Replace(passed, "always", "\nskill", 1)+"\n") {
		t.Errorf("a pipe gets the skill %q", out)
	}
	if _, out, _ := callIn(t, dir, "start"+escapes+"end", "guard"); out != "start"+escapes+"end" {
		t.Errorf("guard copies %q", out)
	}
}

// TestGuardTellsThatNothingIsWatched: to somebody who looks on, not to a script.
func TestGuardTellsThatNothingIsWatched(t *testing.T) {
	dir := t.TempDir()
	master, slave := openPTY(t, 200, 50)
	var raw bytes.Buffer
	done := make(chan struct{})
	go func() {
		_, _ = io.Copy(&raw, master)
		close(done)
	}()
	var out strings.Builder
	code := cli.Main(t.Context(), cli.Invocation{
		Args: []string{"guard"}, Stdin: strings.NewReader("text"), Stdout: &out, Stderr: slave, Dir: dir,
		Env: func(name string) string { return map[string]string{"HOME": dir}[name] },
	})
	_ = slave.Close()
	<-done
	_ = master.Close()
	if code != 0 || out.String() != "text" || !strings.Contains(raw.String(), "no rule here has a trigger for text, so nothing is watched") {
		t.Errorf("exit %d, copied %q, told %q", code, out.String(), raw.String())
	}
	if code, out, notes := callIn(t, dir, "text", "guard"); code != 0 || out != "text" || notes != "" {
		t.Errorf("without a terminal: exit %d, copied %q, told %q", code, out, notes)
	}
}
