package settings_test

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/settings"
)

// machine is one with a home, and a repository that somebody else made.
type machine struct {
	t                *testing.T
	base, home, repo string
	caller           settings.Caller
	variables        map[string]string
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the variables are those of Unix")
	}
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &machine{t: t, base: base, home: filepath.Join(base, "home"), repo: filepath.Join(base, "repo")}
	p.file("repo/.git/HEAD", "ref: refs/heads/main\n")
	p.caller = settings.Caller{Dir: p.repo, Started: p.repo, Account: p.home}
	p.variables = map[string]string{"HOME": p.home}
	return p
}

func (p *machine) file(name, text string) string {
	p.t.Helper()
	path := filepath.Join(p.base, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		p.t.Fatal(err)
	}
	return path
}

func (p *machine) load() (settings.Settings, string) {
	p.t.Helper()
	env := environment("linux", p.variables)
	env.Caller = p.caller
	paths, _ := settings.Locate(env)
	values, list, err := paths.Load(files.OS())
	if err != nil {
		p.t.Fatal(err)
	}
	var told []string
	for _, d := range list {
		told = append(told, d.Message+"; "+d.Hint)
	}
	return values, strings.Join(told, "\n")
}

const theirSettings = `disabled: [user.x]
options: {regexTimeout: 1s, matchBudget: 100000s, extraTimeout: 100ms}
private: {applications: [theirs], defaults: false}
ttsr: {enabled: false, budget: 0}
journal: {enabled: false}
gateway: {anthropic: "https://example.org", openai: "http://127.0.0.1:9"}
fleet: {url: "nats://example.org:4222", journal: entries}
ask: {upstream: openai, url: "https://example.org", keyVariable: AWS_SECRET_ACCESS_KEY}
`

// TestSettingsOfAStranger: a file of the repository that a variable names does no more than harmless things, and that is told.
func TestSettingsOfAStranger(t *testing.T) {
	for _, name := range []string{"PERTAIN_CONFIG", "XDG_CONFIG_HOME", "HOME", "a link"} {
		t.Run(name, func(t *testing.T) {
			p := newMachine(t)
			p.file("home/.config/pertain/config.yaml", "private: {titles: [mine]}\nfleet: {url: \"nats://mine:4222\"}\nttsr: {budget: 7}\n")
			file := p.file("repo/.config/pertain/config.yaml", theirSettings)
			switch name {
			case "PERTAIN_CONFIG":
				p.variables[name] = file
			case "XDG_CONFIG_HOME":
				p.variables[name] = filepath.Join(p.repo, ".config")
			case "HOME":
				p.variables[name] = p.repo
			default:
				link := filepath.Join(p.home, "link")
				if err := os.Symlink(p.repo, link); err != nil {
					t.Fatal(err)
				}
				p.variables["PERTAIN_CONFIG"] = filepath.Join(link, ".config", "pertain", "config.yaml")
			}
			got, told := p.load()
			if !got.Disables("user.x") || got.Options.RegexTimeout.Seconds() != 1 || got.Gateway.OpenAI != "http://127.0.0.1:9" {
				t.Errorf("what does no harm is lost: %+v", got)
			}
			if got.Options.MatchBudget != time.Second || got.Options.ExtraTimeout != 100*time.Millisecond || !strings.Contains(told, "`options.matchBudget`") || strings.Contains(told, "extraTimeout") {
				t.Errorf("a match takes as long as the stranger wants: %+v, %s", got.Options, told)
			}
			if !slices.Equal(got.Fleet.URL, []string{"nats://mine:4222"}) || got.Fleet.Journal != "off" || got.Ask.Upstream != "" || got.Ask.KeyVariable != "" || got.Gateway.Anthropic != "" {
				t.Errorf("something goes where the stranger wants it: %+v", got)
			}
			if !got.Private.Defaults || !slices.Equal(got.Private.Applications, []string{"theirs"}) || !slices.Equal(got.Private.Titles, []string{"mine"}) {
				t.Errorf("less is private: %+v", got.Private)
			}
			for _, want := range []string{"`fleet.url`", "`ask.keyVariable`", "`gateway.anthropic`", "`private.defaults`", "pertain trust", p.repo} {
				if !strings.Contains(told, want) {
					t.Errorf("%s is not told: %s", want, told)
				}
			}
			if got.TTSR.Enabled || strings.Contains(told, "ttsr") {
				t.Error("who asks what triggers would do is not answered by the file")
			}
			p.caller.Guarded = true
			if got, told := p.load(); !got.TTSR.Enabled || got.TTSR.Budget != 7 || !got.Journal.Enabled || !strings.Contains(told, "`ttsr.enabled`") {
				t.Errorf("triggers are switched off where they watch: %+v, %s", got.TTSR, told)
			}
		})
	}
}

// TestFoldersOfAgents: a folder that depends on where the call is made is the user's own only in a workspace that the user trusts.
func TestFoldersOfAgents(t *testing.T) {
	p := newMachine(t)
	env := environment("linux", p.variables)
	env.Caller = p.caller
	for value, believed := range map[string]bool{"h": false, "../h": false, ".": false, p.repo + "/h": false, p.base + "/h": true, "": false, p.base + "/h, " + p.base + "/i": true, p.base + "/h,i": false} {
		for _, name := range []string{"CODEX_HOME", "CLAUDE_CONFIG_DIR", "COPILOT_HOME", "COPILOT_CUSTOM_INSTRUCTIONS_DIRS"} {
			p.variables[name] = value
			if got, ok := settings.Around(files.OS(), env).Lookup(name); ok != believed || believed && got != value {
				t.Errorf("%s=%s: %q, %v", name, value, got, ok)
			}
		}
	}
	if _, _, err := (settings.Trust{Path: filepath.Join(p.home, ".config", "pertain", "trust.json")}).Add(t.Context(), p.repo); err != nil {
		t.Fatal(err)
	}
	for value, believed := range map[string]bool{"h": true, "../h": false, p.repo + "/h": true} {
		p.variables["CODEX_HOME"] = value
		if _, ok := settings.Around(files.OS(), env).Lookup("CODEX_HOME"); ok != believed {
			t.Errorf("trusted, %s: %v", value, ok)
		}
	}
}

// TestSettingsOfTheUser: what lies elsewhere, in a trusted folder, or where it always is, counts as it is.
func TestSettingsOfTheUser(t *testing.T) {
	for name, change := range map[string]func(*testing.T, *machine){
		"elsewhere": func(_ *testing.T, p *machine) { p.variables["PERTAIN_CONFIG"] = p.file("etc/c.yaml", theirSettings) },
		"trusted": func(t *testing.T, p *machine) {
			p.variables["PERTAIN_CONFIG"] = p.file("repo/c.yaml", theirSettings)
			if _, _, err := (settings.Trust{Path: filepath.Join(p.home, ".config", "pertain", "trust.json")}).Add(t.Context(), p.repo); err != nil {
				t.Fatal(err)
			}
		},
		"the home is a repository": func(_ *testing.T, p *machine) {
			p.file("home/.git/HEAD", "")
			p.caller.Dir = filepath.Join(p.home, "work")
			p.variables["PERTAIN_CONFIG"] = p.file("home/work/c.yaml", theirSettings)
		},
		"the folder of settings is a repository": func(_ *testing.T, p *machine) {
			p.file("home/.config/.git/HEAD", "")
			p.caller.Dir = filepath.Join(p.home, ".config")
			p.variables["PERTAIN_CONFIG"] = p.file("home/.config/pertain/config.yaml", theirSettings)
			p.variables["XDG_CONFIG_HOME"] = p.caller.Dir
		},
		"no repository": func(t *testing.T, p *machine) {
			if err := os.RemoveAll(filepath.Join(p.repo, ".git")); err != nil {
				t.Fatal(err)
			}
			p.variables["PERTAIN_CONFIG"] = p.file("repo/c.yaml", theirSettings)
		},
		"a home of its own, no repository": func(_ *testing.T, p *machine) {
			p.caller = settings.Caller{Dir: p.base, Account: "/nonexistent", Guarded: true}
			p.file("home/.config/pertain/config.yaml", theirSettings)
		},
		"nothing known of the account": func(_ *testing.T, p *machine) {
			p.caller.Account = ""
			p.variables["HOME"] = filepath.Join(p.repo, "home")
			p.file("repo/home/.config/pertain/config.yaml", theirSettings)
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newMachine(t)
			change(t, p)
			if got, told := p.load(); told != "" || !got.Fleet.Enabled() || got.TTSR.Enabled || got.Private.Defaults {
				t.Errorf("%+v, %s", got, told)
			}
		})
	}
}

// TestSettingsAround: the repositories around the call's folder and that of the process count, and trust in one does not reach another in it.
func TestSettingsAround(t *testing.T) {
	for name, change := range map[string]func(*testing.T, *machine){
		"a repository in it": func(_ *testing.T, p *machine) {
			p.file("repo/sub/.git/HEAD", "")
			p.caller.Dir = filepath.Join(p.repo, "sub")
		},
		"the process was started there": func(_ *testing.T, p *machine) { p.caller.Dir = p.base },
		"a folder that an agent works in": func(t *testing.T, p *machine) {
			if err := os.RemoveAll(filepath.Join(p.repo, ".git")); err != nil {
				t.Fatal(err)
			}
			p.caller.Agent = true
		},
		"trust that it brings along": func(_ *testing.T, p *machine) {
			p.variables["XDG_CONFIG_HOME"] = filepath.Join(p.repo, ".x")
			p.file("repo/.x/pertain/trust.json", `{"version":1,"trusted":[{"path":"`+p.repo+`"}]}`)
		},
		"a home in a folder that an agent works in": func(_ *testing.T, p *machine) {
			delete(p.variables, "PERTAIN_CONFIG")
			p.caller = settings.Caller{Dir: p.base, Account: "/nonexistent", Agent: true, Guarded: true}
			p.file("home/.config/pertain/config.yaml", theirSettings)
		},
		"started in a folder that an agent works in": func(t *testing.T, p *machine) {
			if err := os.RemoveAll(filepath.Join(p.repo, ".git")); err != nil {
				t.Fatal(err)
			}
			p.caller.Agent, p.caller.Dir = true, p.home
		},
		"a link in it that leads elsewhere": func(t *testing.T, p *machine) {
			if err := os.Symlink(filepath.Dir(p.file("etc/c.yaml", theirSettings)), filepath.Join(p.repo, "link")); err != nil {
				t.Fatal(err)
			}
			p.variables["PERTAIN_CONFIG"] = filepath.Join(p.repo, "link", "c.yaml")
		},
		"a name with a comma": func(_ *testing.T, p *machine) {
			p.file("a,b/.git/HEAD", "")
			p.caller.Dir = filepath.Join(p.base, "a,b")
			p.variables["PERTAIN_CONFIG"] = p.file("a,b/c.yaml", theirSettings)
		},
		"trust in the one around it": func(t *testing.T, p *machine) {
			if _, _, err := (settings.Trust{Path: filepath.Join(p.home, ".config", "pertain", "trust.json")}).Add(t.Context(), p.repo); err != nil {
				t.Fatal(err)
			}
			p.file("repo/sub/.git/HEAD", "")
			p.variables["PERTAIN_CONFIG"] = p.file("repo/sub/c.yaml", theirSettings)
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newMachine(t)
			p.variables["PERTAIN_CONFIG"] = p.file("repo/c.yaml", theirSettings)
			change(t, p)
			if got, told := p.load(); got.Fleet.Enabled() || !strings.Contains(told, "`fleet.url`") {
				t.Errorf("%+v, %s", got.Fleet, told)
			}
		})
	}
}

// TestSettingsUnpacked: what was unpacked where the process was started says nothing of triggers, wherever the call is.
func TestSettingsUnpacked(t *testing.T) {
	p := newMachine(t)
	p.variables["PERTAIN_CONFIG"] = p.file("zip/conf/c.yaml", theirSettings)
	p.caller = settings.Caller{Dir: filepath.Dir(p.file("zip/packages/x/a.ts", "")), Started: filepath.Join(p.base, "zip"), Account: p.home, Agent: true, Guarded: true}
	if got, told := p.load(); !got.TTSR.Enabled || !strings.Contains(told, "`ttsr.enabled`") {
		t.Errorf("%+v, %s", got.TTSR, told)
	}
	p.variables["HOME"] = filepath.Dir(p.file("zip/home/x", "")) // a test, which has its home there
	if got, told := p.load(); got.TTSR.Enabled || strings.Contains(told, "`ttsr.enabled`") {
		t.Errorf("%+v, %s", got.TTSR, told)
	}
}

// TestSettingsElsewhere: where an agent's hooks watch, a file that lies in no folder of the call says nothing of triggers either, if it is in somebody else's
// repository or others may write it.
func TestSettingsElsewhere(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*testing.T, *machine)
		counts bool
	}{
		"another repository": {func(_ *testing.T, p *machine) {
			p.file("home/src/other/.git/HEAD", "")
			p.variables["PERTAIN_CONFIG"] = p.file("home/src/other/c.yaml", theirSettings)
		}, false},
		"a folder of settings in another repository": {func(_ *testing.T, p *machine) {
			p.file("home/src/other/.git/HEAD", "")
			p.file("home/src/other/x/pertain/config.yaml", theirSettings)
			p.variables["XDG_CONFIG_HOME"] = filepath.Join(p.home, "src", "other", "x")
			p.file("home/src/other/x/pertain/trust.json", `{"version":1,"trusted":[{"path":"`+filepath.Join(p.home, "src", "other")+`"}]}`)
		}, false},
		"others may write it": {func(t *testing.T, p *machine) {
			p.variables["PERTAIN_CONFIG"] = p.file("etc/c.yaml", theirSettings)
			if err := os.Chmod(p.variables["PERTAIN_CONFIG"], 0o666); err != nil {
				t.Fatal(err)
			}
		}, false},
		"the folder around the call": {func(t *testing.T, p *machine) {
			if err := os.RemoveAll(filepath.Join(p.repo, ".git")); err != nil {
				t.Fatal(err)
			}
			p.variables["PERTAIN_CONFIG"] = p.file("repo/c.yaml", theirSettings)
			p.caller.Dir = filepath.Dir(p.file("repo/packages/x/a.ts", ""))
			p.caller.Started = p.caller.Dir
		}, false},
		"the folder around a repository": {func(_ *testing.T, p *machine) {
			p.file("home/zip/inner/.git/HEAD", "")
			p.variables["PERTAIN_CONFIG"] = p.file("home/zip/c.yaml", theirSettings)
			p.caller.Dir, p.caller.Started = filepath.Join(p.home, "zip", "inner"), filepath.Join(p.home, "zip", "inner")
		}, false},
		"a folder around the call that is trusted": {func(t *testing.T, p *machine) {
			p.variables["PERTAIN_CONFIG"] = p.file("home/zip/c.yaml", theirSettings)
			p.caller.Dir = filepath.Dir(p.file("home/zip/x/a.ts", ""))
			p.caller.Started = p.caller.Dir
			if _, _, err := (settings.Trust{Path: filepath.Join(p.home, ".config", "pertain", "trust.json")}).Add(t.Context(), filepath.Join(p.home, "zip")); err != nil {
				t.Fatal(err)
			}
		}, true},
		"a repository that is trusted": {func(t *testing.T, p *machine) {
			p.file("home/src/other/.git/HEAD", "")
			p.variables["PERTAIN_CONFIG"] = p.file("home/src/other/c.yaml", theirSettings)
			if _, _, err := (settings.Trust{Path: filepath.Join(p.home, ".config", "pertain", "trust.json")}).Add(t.Context(), filepath.Join(p.home, "src", "other")); err != nil {
				t.Fatal(err)
			}
		}, true},
		"no repository": {func(_ *testing.T, p *machine) {
			p.variables["PERTAIN_CONFIG"] = p.file("home/mine/c.yaml", theirSettings)
		}, true},
		"the home is a repository": {func(_ *testing.T, p *machine) {
			p.file("home/.git/HEAD", "")
			p.variables["PERTAIN_CONFIG"] = p.file("home/mine/c.yaml", theirSettings)
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			p := newMachine(t)
			p.file("home/.config/pertain/config.yaml", "ttsr: {budget: 7}\n")
			p.caller.Agent, p.caller.Guarded = true, true
			tt.change(t, p)
			got, told := p.load()
			if got.TTSR.Enabled == tt.counts || got.Journal.Enabled == tt.counts || !tt.counts && got.TTSR.Budget != 7 {
				t.Errorf("%+v", got.TTSR)
			}
			if strings.Contains(told, "`ttsr.enabled`") == tt.counts {
				t.Errorf("told %q", told)
			}
			if !got.Fleet.Enabled() || !got.Disables("user.x") {
				t.Error("what says nothing of triggers is lost")
			}
		})
	}
}
