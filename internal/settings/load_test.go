package settings_test

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/settings"
)

func TestDefaults(t *testing.T) {
	want := settings.Settings{
		Options: settings.Options{
			MatchingTimeout: 300 * time.Millisecond, ConditionTimeout: 80 * time.Millisecond, RegexTimeout: 50 * time.Millisecond,
			VisualQueryTimeout: 120 * time.Millisecond, ExtraTimeout: 200 * time.Millisecond, MatchBudget: time.Second,
		},
		Private: settings.Private{Defaults: true},
		TTSR:    settings.TTSR{Enabled: true, ContextMode: "discard", RepeatMode: "once", RepeatGap: 10, InterruptMode: "always", Budget: 3},
		Fleet:   settings.Fleet{Namespace: "main", Member: "shared", Journal: "off"},
		Journal: settings.Journal{Enabled: true},
		Ask:     settings.Ask{MaxTokens: 8192, Timeout: 2 * time.Minute},
	}
	if diff := cmp.Diff(want, settings.Default()); diff != "" {
		t.Error(diff)
	}
	for _, text := range []string{"", "# nothing\n", "null\n", "options:\nttsr: ~\nassistant: {model: {}}\ndisabled: null\n", "---\n"} {
		got, list := settings.Parse(diag.NewSource("config.yaml", text))
		if diff := cmp.Diff(want, got); diff != "" || len(list) > 0 {
			t.Errorf("%q: %v\n%s", text, list, diff)
		}
	}
}

func TestEverySetting(t *testing.T) {
	got, list := settings.Parse(diag.NewSource("config.yaml", `
disabled: [builtin.x, User.Y-1_ü]
options:
  matchingTimeout: 1s
  conditionTimeout: 2ms
  regexTimeout: "3ms"
  visualQueryTimeout: 0.5s
  extraTimeout: 5ms
  matchBudget: 2s
assistant:
  id: a
  name: An assistant
  model: {id: m, modalities: [text, image], supportsToolCall: false}
private: {applications: [a], titles: ["*b*"], defaults: false}
ttsr:
  enabled: false
  contextMode: keep
  repeatMode: after-gap
  repeatGap: 0
  interruptMode: prose-only
  budget: 7
journal: {enabled: false}
fleet: {url: "nats://h", namespace: n, credentials: /c, ca: /a, keys: ["`+key+`"], signingKey: /s, member: me, journal: counts}
gateway: {anthropic: "http://a", openai: "http://b", gemini: "http://c", workspaces: {w: /w}}
ask: {upstream: ollama, url: "http://d", model: m, keyVariable: K, maxTokens: 1, timeout: 5s}
`))
	no := false
	want := settings.Settings{
		Disabled: []string{"builtin.x", "User.Y-1_ü"},
		Options: settings.Options{
			MatchingTimeout: time.Second, ConditionTimeout: 2 * time.Millisecond, RegexTimeout: 3 * time.Millisecond,
			VisualQueryTimeout: 500 * time.Millisecond, ExtraTimeout: 5 * time.Millisecond, MatchBudget: 2 * time.Second,
		},
		Assistant: settings.Assistant{ID: "a", Name: "An assistant", Model: settings.Model{ID: "m", Modalities: []string{"text", "image"}, SupportsToolCall: &no}},
		Private:   settings.Private{Applications: []string{"a"}, Titles: []string{"*b*"}},
		TTSR:      settings.TTSR{ContextMode: "keep", RepeatMode: "after-gap", InterruptMode: "prose-only", Budget: 7},
		Fleet:     settings.Fleet{URL: []string{"nats://h"}, Namespace: "n", Credentials: "/c", CA: "/a", Keys: []string{key}, SigningKey: "/s", Member: "me", Journal: "counts"},
		Gateway:   settings.Gateway{Anthropic: "http://a", OpenAI: "http://b", Gemini: "http://c", Workspaces: map[string]string{"w": "/w"}},
		Ask:       settings.Ask{Upstream: "ollama", URL: "http://d", Model: "m", KeyVariable: "K", MaxTokens: 1, Timeout: 5 * time.Second},
	}
	if diff := cmp.Diff(want, got); diff != "" || len(list) > 0 {
		t.Errorf("%v\n%s", list, diff)
	}
	if !got.Disables("BUILTIN.X") || !got.Disables("user.y-1_Ü") || got.Disables("builtin") {
		t.Error("Disables does not fold")
	}
}

// Each mistake is reported at its position, and the rest of the file applies.
func TestMistakes(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"optoins: {}", "1:1 warning strategy.unknown_field: there is no setting `optoins`; did you mean `options`?"},
		{"matchingTimeout: 1s", "1:1 warning strategy.unknown_field: there is no setting `matchingTimeout`; write it as `matchingTimeout` under `options`"},
		{"options.regexTimeout: 1s", "1:1 warning strategy.unknown_field: there is no setting `options.regexTimeout`; write it as `regexTimeout` under `options`"},
		{"xyz: 1", "1:1 warning strategy.unknown_field: there is no setting `xyz`; the settings here are `disabled`, `options`, `assistant`, `private`, `ttsr`, `journal`, `gateway`, `fleet`, `ask`"},
		{"ttsr:\n  repeatgap: 1", "2:3 warning strategy.unknown_field: there is no setting `ttsr.repeatgap`; did you mean `repeatGap`?"},
		{"assistant: {model: {ids: x}}", "1:21 warning strategy.unknown_field: there is no setting `assistant.model.ids`; did you mean `id`?"},
		{"options:\n  regexTimeout: 50", "2:17 error strategy.invalid_duration: `options.regexTimeout`: the duration has no unit; write a number followed by `ms` or `s`, such as `300ms` or `1.5s`"},
		{"options: {regexTimeout: -1s}", "1:25 error strategy.invalid_duration: `options.regexTimeout`: a duration is not negative; write a number followed by `ms` or `s`, such as `300ms` or `1.5s`"},
		{"options: {regexTimeout: [1s]}", "1:25 error strategy.invalid_duration: `options.regexTimeout` must be a duration, not a list; write such as `50ms`"},
		{"options: 5", "1:10 error strategy.invalid_field: `options` must be a map, not a number; write `matchingTimeout: …` with one setting a line"},
		{"- a", "1:1 error strategy.invalid_field: the settings file must be a map, not a list; write `disabled: …` with one setting a line"},
		{"disabled: builtin.x", "1:11 error strategy.invalid_field: `disabled` must be a list, not a string; write `[…]`, or one item a line with `- ` before it"},
		{"disabled: [1]", "1:12 error strategy.invalid_field: `disabled` must be a list of texts, not a number; put the item into quotes, or take it out"},
		{"disabled: ['a b']", "1:12 error strategy.invalid_field: this is not the id of a strategy; an id is made of letters, digits, `-` and `_`, with dots between, such as `builtin.x`"},
		{"ttsr: {enabled: 'true'}", "1:17 error strategy.invalid_field: `ttsr.enabled` must be true or false, not a string; write `true` or `false` without quotes"},
		{"ttsr: {contextMode: kept}", "1:21 error strategy.invalid_field: `ttsr.contextMode` must be one of `discard`, `keep`; did you mean `keep`?"},
		{"ttsr: {repeatGap: -1}", "1:19 error strategy.invalid_field: `ttsr.repeatGap` must be a whole number from 0 to 1000000; write such as `10`"},
		{"ttsr: {budget: 99999999999999999999}", "1:16 error strategy.invalid_field: `ttsr.budget` must be a whole number from 0 to 1000000; write such as `3`"},
		{"assistant: {id: 5}", "1:17 error strategy.invalid_field: `assistant.id` must be text, not a number; put it into quotes"},
		{"assistant: {model: {supportsToolCall: x}}", "1:39 error strategy.invalid_field: `assistant.model.supportsToolCall` must be true or false, not a string; write `true` or `false` without quotes"},
		{"# \xff", "1:3 error strategy.invalid_encoding: the settings file is not valid UTF-8; save it as UTF-8"},
	} {
		_, list := settings.Parse(diag.NewSource("config.yaml", c.text))
		if len(list) != 1 || line(list[0]) != c.want {
			t.Errorf("%q\nwant %s", c.text, c.want)
			for _, d := range list {
				t.Log("got ", line(d))
			}
		}
	}
	for _, text := range []string{"a: [", "options: {regexTimeout: 1s}\noptions: {regexTimeout: 2s}\n"} {
		_, list := settings.Parse(diag.NewSource("config.yaml", text))
		if len(list) != 1 || list[0].Code != diag.StrategyInvalidYAML || list[0].Severity != diag.Error {
			t.Errorf("%q: %+v", text, list)
		}
	}
	s, list := settings.Parse(diag.NewSource("config.yaml", "options: {regexTimeout: 1, extraTimeout: 1s}\ndisabled: [builtin.x, 2]\nttsr: {budget: x, repeatGap: 4}\nnew: 1\n"))
	if len(list) != 4 || s.Options.RegexTimeout != 50*time.Millisecond || s.Options.ExtraTimeout != time.Second ||
		!slices.Equal(s.Disabled, []string{"builtin.x"}) || s.TTSR.Budget != 3 || s.TTSR.RepeatGap != 4 {
		t.Errorf("%+v\n%v", s, list)
	}
}

// line is a diagnostic as one line: position, severity, code, sentence.
func line(d diag.Diagnostic) string {
	p, _ := d.Position()
	return fmt.Sprintf("%d:%d %s %s: %s", p.Line, p.Column, d.Severity, d.Code, d.Sentence())
}

func TestLoad(t *testing.T) {
	for _, flavor := range []files.Flavor{files.Unix, files.Windows} {
		m := files.NewMemory(flavor)
		path, _ := m.Abs("pertain/config.yaml")
		if s, list, err := settings.Load(m, path); err != nil || list != nil || s.TTSR.Budget != 3 {
			t.Errorf("missing: %v, %v", list, err)
		}
		m.WriteFile(path, "\ufeffttsr: {budget: 5}\nnew: 1\n")
		s, list, err := settings.Load(m, "pertain/config.yaml")
		if err != nil || s.TTSR.Budget != 5 || len(list) != 1 || list[0].File() != path || line(list[0])[:4] != "2:1 " {
			t.Errorf("%+v, %v, %v", s, list, err)
		}
		m.WriteFile(path, strings.Repeat("# long\n", 1<<18))
		if _, list, err := settings.Load(m, path); err != nil || len(list) != 1 || list[0].Code != diag.StrategyInvalidEncoding {
			t.Errorf("too large: %v, %v", list, err)
		}
		m.Close(path)
		if s, _, err := settings.Load(m, path); !errors.Is(err, fs.ErrPermission) || s.TTSR.Budget != 3 {
			t.Errorf("closed: %v", err)
		}
	}
	if _, list, err := settings.Load(files.NewMemory(files.Unix), ""); err != nil || list != nil {
		t.Errorf("no path: %v, %v", list, err)
	}
}

func TestMarkdownListsEverySetting(t *testing.T) {
	page := settings.Markdown()
	for _, want := range []string{
		"| `disabled` | list of ids | none | ",
		"| `options.visualQueryTimeout` | duration | `120ms` | ",
		"| `assistant.model.supportsToolCall` | true or false | none | ",
		"| `ttsr.interruptMode` | `always`, `prose-only`, `tool-only`, `never` | `always` | ",
		"| `ttsr.budget` | whole number | `3` | ",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if strings.Contains(page, "\t") || !strings.HasSuffix(page, ".\n") {
		t.Error("the page is not tidy")
	}
}

func FuzzParse(f *testing.F) {
	f.Add("options: {regexTimeout: 1s}\ndisabled: [builtin.x]\n")
	f.Add("ttsr:\n  budget: 3\n  enabled: 'x'\n")
	f.Add("a: &a [*a]\n? [x]\n: y\n")
	f.Add("0:0@")
	f.Fuzz(func(t *testing.T, text string) {
		source := diag.NewSource("config.yaml", text)
		s, list := settings.Parse(source)
		if s.Options.RegexTimeout <= 0 || s.TTSR.ContextMode == "" || s.TTSR.RepeatGap < 0 {
			t.Errorf("%q gives %+v", text, s)
		}
		for _, d := range list {
			// The text that is shown may be one without its passwords.
			if d.Source.Name() != source.Name() || d.Message == "" || d.Span.IsValid() && d.Span.End > len(d.Source.Text()) {
				t.Errorf("%q gives %+v", text, d)
			}
		}
	})
}

// TestBrokenParts: a mistake about where models are, or how rules watch, is noted there; one elsewhere is not.
func TestBrokenParts(t *testing.T) {
	for _, tt := range []struct {
		text          string
		gateway, ttsr bool
	}{
		{"", false, false},
		{"gateway: {anthropic: 'http://x', workspaces: {a: /a}}\nttsr: {budget: 1, contextMode: keep}\n", false, false},
		{"gateway: {anthropic: ~}\noptions: {regexTimeout: x}\nfoo: 1\n", false, false},
		{"gateway: {anthropic: 5}\n", true, false},
		{"gateway: {antropic: x}\n", true, false},
		{"gateway: {workspaces: [a]}\n", true, false},
		{"gateway: {workspaces: {a: 1}}\n", true, false},
		{"gateway: {workspaces: {'a b': /a}}\n", true, false},
		{"gateway: [x]\n", true, false},
		{"gatewey: {openai: x}\n", true, false},
		{"gateway: {openai: x}\nfoo: [\n", true, false},
		{"ttsr: {contextMode: kept}\n", false, true},
		{"ttsr: {budget: -1}\n", false, true},
		{"ttsr: 1\n", false, true},
		{"disabled: [\n", false, false},
		{"- x\n", true, true},
		{"# \xff\n", true, true},
	} {
		got, list := settings.Parse(diag.NewSource("config.yaml", tt.text))
		if got.Gateway.Broken != tt.gateway || got.TTSR.Broken != tt.ttsr || (tt.gateway || tt.ttsr) && len(list) == 0 {
			t.Errorf("%q: broken %v %v, %v", tt.text, got.Gateway.Broken, got.TTSR.Broken, list)
		}
	}
}

// TestBrokenPrivate: a mistake about what is private closes everything; one
// elsewhere does not.
func TestBrokenPrivate(t *testing.T) {
	for _, tt := range []struct {
		text   string
		broken bool
	}{
		{"", false},
		{"private: {titles: ['*x*'], applications: [keepassxc]}\n", false},
		{"private:\n", false},
		{"private: {titles: ~}\n", false},
		{"foo: 1\nprivate: {titles: [x]}\n", false},
		{"disabled: [\n", false},
		{"options: {regexTimeout: x}\nprivate: {titles: [x]}\n", false},
		{"private: {titles: \"*note.txt*\"}\n", true},
		{"private: {titles: ['*note.txt*']}\nfoo: [\n", true},
		{"private: {title: ['*note.txt*']}\n", true},
		{"private: {applications: ['[mousepad']}\n", true},
		{"private: {titles: [1]}\n", true},
		{"private: {titles: ['']}\n", true},
		{"private: {titles: [x, ' ']}\n", true},
		{"private: {applications: ['']}\n", true},
		{"private: {applications: [/usr/bin/mousepad]}\n", true},
		{"private: {applications: ['C:\\Programs\\x.exe']}\n", true},
		{"private: {titles: ['*a/b*']}\n", false},
		{"private: [x]\n", true},
		{"private.titles: [x]\n", true},
		{"Private: {titles: [x]}\n", true},
		{"privat: {titles: [x]}\n", true},
		{"private: {titles: [x]}\nprivate: {titles: [y]}\n", true},
		{"private: {titles: [x]}\n# \xff\n", true},
		{"- private\n", true},
	} {
		got, list := settings.Parse(diag.NewSource("config.yaml", tt.text))
		if got.Private.Broken != tt.broken || tt.broken && len(list) == 0 {
			t.Errorf("%q: broken %v, %v", tt.text, got.Private.Broken, list)
		}
	}
}
