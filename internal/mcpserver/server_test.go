package mcpserver_test

import (
	"encoding/json"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func everything(t *testing.T) string {
	return world(t, map[string]string{
		".cursor/rules/types.mdc":        ruleText,
		".cursor/rules/my rule.mdc":      "---\nalwaysApply: true\n---\nBe kind.\n",
		".cursor/rules/no-any.mdc":       "---\nttsr_trigger: ': any\\b'\nglobs: '**/*.ts'\n---\nNever use any.\n",
		"packages/api/AGENTS.md":         "Nested.\n",
		"strategies/rewrite.strategy.md": strategyText,
		"strategies/broken.strategy.md":  "---\nname: 1\nwhen: x\n---\n",
		"skills/pdf/SKILL.md":            "---\nname: pdf\ndescription: Reads PDF files\n---\nUse it.\n",
		"skills/pdf/more.md":             "More.\n",
		"others/word/SKILL.md":           "---\nname: word\ndescription: Word files\n---\nSecret.\n",
		"secret.txt":                     "top secret",
	})
}

func TestTools(t *testing.T) {
	dir := everything(t)
	b := connect(t, legacy, dir)
	list, err := b.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		if tool.InputSchema == nil || len(tool.Description) < 80 || !tool.Annotations.ReadOnlyHint {
			t.Errorf("%s: not described well enough", tool.Name)
		}
		if text, _ := json.Marshal(tool); strings.Contains(string(text), `"null"`) {
			t.Errorf("%s: a model is told of null: %s", tool.Name, text)
		}
	}
	// Less than 1,000 tokens: 4,246 bytes were 969 of o200k_base.
	if whole, _ := json.Marshal(list.Tools); len(whole) > 4300 {
		t.Errorf("the tools are described in %d bytes", len(whole))
	}
	want := []string{"check_text", "explain_strategy", "match_strategies", "read", "render_strategy", "rules_for_files"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}

	for _, c := range []struct {
		name, tool, input, want string
	}{
		{"a rule's text is there", "rules_for_files", `{"files":["src/a.ts"]}`, `{"rules":[
			{"name":"types","uri":"rule://types","path":".cursor/rules/types.mdc","why":"glob","agents":["crush","cursor","omp"],"files":[],"glob":"**/*.ts","description":"Types","text":"Use types."},
			{"name":"my rule","uri":"rule://my%20rule","path":".cursor/rules/my rule.mdc","why":"always","agents":["crush","cursor","omp"],"files":[],"text":"Be kind."},
			{"name":"no-any","uri":"rule://no-any","path":".cursor/rules/no-any.mdc","why":"trigger","agents":["crush","cursor","omp"],"files":[],"glob":"**/*.ts"}]}`},
		{"by file, without text", "rules_for_files", `{"files":["a.ts","b.go"],"text":false}`, `{"rules":[
			{"name":"types","uri":"rule://types","path":".cursor/rules/types.mdc","why":"glob","agents":["crush","cursor","omp"],"files":["a.ts"],"glob":"**/*.ts","description":"Types"},
			{"name":"my rule","uri":"rule://my%20rule","path":".cursor/rules/my rule.mdc","why":"always","agents":["crush","cursor","omp"],"files":[]},
			{"name":"no-any","uri":"rule://no-any","path":".cursor/rules/no-any.mdc","why":"trigger","agents":["crush","cursor","omp"],"files":["a.ts"],"glob":"**/*.ts"}]}`},
		{
			"absolute", "rules_for_files", `{"files":["` + filepath.ToSlash(dir) + `/x.md"]}`,
			`{"rules":[{"name":"my rule","uri":"rule://my%20rule","path":".cursor/rules/my rule.mdc","why":"always","agents":["crush","cursor","omp"],"files":[],"text":"Be kind."}]}`,
		},
		{
			"a trigger", "check_text", `{"text":"let a = 1\nlet x: any = 2"}`,
			`{"broken":[{"name":"no-any","uri":"rule://no-any","path":".cursor/rules/no-any.mdc","line":2,"text":"Never use any."}]}`,
		},
		{
			"a trigger at the end", "check_text", `{"text":"x: any","file":"a.ts"}`,
			`{"broken":[{"name":"no-any","uri":"rule://no-any","path":".cursor/rules/no-any.mdc","line":1,"text":"Never use any."}]}`,
		},
		{"not for this file", "check_text", `{"text":"x: any","file":"a.go"}`, `{"broken":[]}`},
		{"nothing broken", "check_text", `{"text":"x: anything"}`, `{"broken":[]}`},
		{"one text for a list", "rules_for_files", `{"files":"x.md"}`, `{"rules":[{"name":"my rule","uri":"rule://my%20rule","path":".cursor/rules/my rule.mdc","why":"always","agents":["crush","cursor","omp"],"files":[],"text":"Be kind."}]}`},
		{"a list in a text", "rules_for_files", `{"files":"[\"x.md\"]"}`, `{"rules":[{"name":"my rule","uri":"rule://my%20rule","path":".cursor/rules/my rule.mdc","why":"always","agents":["crush","cursor","omp"],"files":[],"text":"Be kind."}]}`},
		{"what the model has", "rules_for_files", `{"files":["src/a.ts"],"known":["rule://my%20rule","types"]}`, `{"rules":[
			{"name":"no-any","uri":"rule://no-any","path":".cursor/rules/no-any.mdc","why":"trigger","agents":["crush","cursor","omp"],"files":[],"glob":"**/*.ts"}],"note":"2 more apply that you have"}`},
		{"of one agent", "rules_for_files", `{"files":["src/a.ts"],"agent":"cursor","known":["no-any"],"text":false}`, `{"rules":[
			{"name":"types","uri":"rule://types","path":".cursor/rules/types.mdc","why":"glob","when":"touch","files":[],"glob":"**/*.ts","description":"Types"},
			{"name":"my rule","uri":"rule://my%20rule","path":".cursor/rules/my rule.mdc","why":"always","when":"start","files":[]}],"note":"1 more apply that you have"}`},
		{"of an agent that loads none", "rules_for_files", `{"files":["src/a.ts"],"agent":"codex"}`, `{"rules":[]}`},
		{"a rule is read", "read", `{"uri":"rule://my%20rule"}`, `{"uri":"rule://my%20rule","path":".cursor/rules/my rule.mdc","text":"Be kind."}`},
		{
			"a call", "check_text", `{"tool":"Write","arguments":{"content":"\nlet x: any","file_path":"src/a.ts"}}`,
			`{"broken":[{"name":"no-any","uri":"rule://no-any","path":".cursor/rules/no-any.mdc","file":"src/a.ts","line":2,"text":"Never use any."}]}`,
		},
		{
			"a call in a text", "check_text", `{"tool":"apply_patch","arguments":"*** Begin Patch\n*** Add File: a.md\n+x: any\n*** Update File: b.ts\n@@\n-x: T\n+x: any\n*** End Patch"}`,
			`{"broken":[{"name":"no-any","uri":"rule://no-any","path":".cursor/rules/no-any.mdc","file":"b.ts","line":1,"text":"Never use any."}]}`,
		},
		{
			"a call with several paths", "check_text", `{"tool":"Write","arguments":{"content":"x: any","absolute_path":"a.md","file_path":"src/a.ts"}}`,
			`{"broken":[{"name":"no-any","uri":"rule://no-any","path":".cursor/rules/no-any.mdc","file":"src/a.ts","line":1,"text":"Never use any."}]}`,
		},
		{"a call that takes it away", "check_text", `{"tool":"edit","arguments":{"path":"a.ts","old_string":"x: any ","new_string":"x: T"}}`, `{"broken":[]}`},
		{"a call elsewhere", "check_text", `{"tool":"write","arguments":{"path":"/elsewhere/a.go","content":"x: any"}}`, `{"broken":[]}`},
		{"a call without a file", "check_text", `{"tool":"bash","arguments":{"command":"ls"}}`, `{"broken":[]}`},
		{"nothing fits", "match_strategies", `{}`, `{"strategies":[],"problems":1}`},
		{
			"one fits", "match_strategies", `{"selection":"hello"}`,
			`{"strategies":[{"id":"user.rewrite","name":"Rewrite","description":"Rewrites what is selected","because":["attachments.selection.text"]}],"problems":1}`,
		},
		{
			"rendered", "render_strategy", `{"id":"user.rewrite","input":"shorter","selection":"hello"}`,
			`{"id":"user.rewrite","prompt":"Rewrite this shorter: hello","permissions":[]}`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := call(t, b, c.tool, c.input)
			if got.IsError {
				t.Fatalf("error: %s", text(got))
			}
			if diff := cmp.Diff(decode(t, c.want), got.StructuredContent); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestCheckTextScope holds that the globs in a scope count for the file that a text is
// meant for, whatever tool will write it.
func TestCheckTextScope(t *testing.T) {
	b := connect(t, legacy, world(t, map[string]string{
		".omp/rules/tests.md": "---\ncondition: sleep\nscope: 'tool:write(**/*_test.go), tool:edit(docs/**)'\n---\nNo sleeping.\n",
		".omp/rules/prose.md": "---\ncondition: sleep\nscope: text\n---\nNo talk of it.\n",
	}))
	for _, c := range []struct{ input, want string }{
		{`{"text":"sleep","file":"a/b_test.go"}`, "tests"},
		{`{"text":"sleep","file":"docs/a.md"}`, "tests"},
		{`{"text":"sleep","file":"a/b.go"}`, ""},
		{`{"text":"sleep"}`, "prose"},
	} {
		got := text(call(t, b, "check_text", c.input))
		for _, name := range []string{"tests", "prose"} {
			if strings.Contains(got, `"name":"`+name+`"`) != (name == c.want) {
				t.Errorf("%s: %s", c.input, got)
			}
		}
	}
}

// TestCheckTextSettings holds that the user's settings for triggers count, as
// they are when the tool is called.
func TestCheckTextSettings(t *testing.T) {
	b := connect(t, legacy, everything(t))
	for _, c := range []struct{ settings, input, want string }{
		{"", `{"text":"x: any"}`, `{"broken":[{"name":"no-any","uri":"rule://no-any","path":".cursor/rules/no-any.mdc","line":1,"text":"Never use any."}]}`},
		{"ttsr: {enabled: false}\n", `{"text":"x: any"}`, `{"broken":[],"note":"the user's settings switch triggers off; nothing was checked"}`},
		{"ttsr: {interruptMode: never}\n", `{"text":"x: any"}`, `{"broken":[{"name":"no-any","uri":"rule://no-any","path":".cursor/rules/no-any.mdc","line":1,"text":"Never use any.","reminder":true}]}`},
		{"ttsr: {interruptMode: tool-only}\n", `{"text":"x: any"}`, `{"broken":[{"name":"no-any","uri":"rule://no-any","path":".cursor/rules/no-any.mdc","line":1,"text":"Never use any.","reminder":true}]}`},
		{"ttsr: {interruptMode: tool-only}\n", `{"text":"x: any","file":"a.ts"}`, `{"broken":[{"name":"no-any","uri":"rule://no-any","path":".cursor/rules/no-any.mdc","line":1,"text":"Never use any."}]}`},
		{"ttsr: {interruptMode: prose-only}\n", `{"text":"x: any","file":"a.ts"}`, `{"broken":[{"name":"no-any","uri":"rule://no-any","path":".cursor/rules/no-any.mdc","line":1,"text":"Never use any.","reminder":true}]}`},
		{"ttsr: {budget: 0}\n", `{"text":"x: any"}`, `{"broken":[{"name":"no-any","uri":"rule://no-any","path":".cursor/rules/no-any.mdc","line":1,"text":"Never use any.","reminder":true}]}`},
	} {
		write(t, filepath.Join(b.home, ".config", "pertain", "config.yaml"), c.settings)
		for range 2 { // an earlier call is another turn
			got := call(t, b, "check_text", c.input)
			if diff := cmp.Diff(decode(t, c.want), got.StructuredContent); got.IsError || diff != "" {
				t.Errorf("%q, %s (-want +got):\n%s", c.settings, c.input, diff)
			}
		}
	}
}

func TestExplain(t *testing.T) {
	b := connect(t, legacy, everything(t))
	got := call(t, b, "explain_strategy", `{"id":"USER.rewrite","selection":"a secret selection"}`)
	out := text(got)
	if got.IsError || !strings.Contains(out, `"result":"true"`) || !strings.Contains(out, "attachments.selection.text") {
		t.Errorf("%s", out)
	}
	if strings.Contains(out, "a secret selection") {
		t.Errorf("the answer holds a value of the context: %s", out)
	}
	got = call(t, b, "explain_strategy", `{"id":"user.broken"}`)
	if out := text(got); !strings.Contains(out, "strategy.invalid_when") || !strings.Contains(out, `"result":"unknown"`) {
		t.Errorf("%s", out)
	}
}

// TestHostileCalls holds that wrong input gets one clear sentence and nothing
// else.
func TestHostileCalls(t *testing.T) {
	dir := everything(t)
	outside := world(t, map[string]string{"x.ts": ""})
	if err := os.Symlink(outside, filepath.Join(dir, "link")); err != nil {
		t.Skip("no links here")
	}
	b := connect(t, legacy, dir)
	for _, c := range []struct{ tool, input, want string }{
		{"rules_for_files", `{"files":["../../etc/passwd"]}`, "outside of the workspace"},
		{"rules_for_files", `{"files":["/etc/passwd"]}`, "outside of the workspace"},
		{"rules_for_files", `{"files":["file:///etc/passwd"]}`, "outside of the workspace"},
		{"rules_for_files", `{"files":["link/x.ts"]}`, "outside of the workspace"},
		{"rules_for_files", `{"files":["link/new/deep/x.ts"]}`, "outside of the workspace"},
		{"rules_for_files", `{"files":["a\u0000b"]}`, "no path"},
		{"rules_for_files", `{"files":[""]}`, "no path"},
		{"rules_for_files", `{"files":[]}`, "at least one file"},
		{"rules_for_files", `{"files":[` + strings.Repeat(`"a",`, 200) + `"a"]}`, "too many"},
		{"rules_for_files", `{"files":3}`, "`files` must be a list of texts, not a number"},
		{"rules_for_files", `{"files":["a",{}]}`, "`files` must hold nothing but texts; number 2 is an object"},
		{"rules_for_files", `{"file":["a"]}`, "there is no argument `file`; did you mean `files`?"},
		{"rules_for_files", `{"quux":["a"]}`, "there is no argument `quux`; there are `agent`, `files`, `known`, `text`"},
		{"rules_for_files", `{}`, "`files` is missing: paths"},
		{"rules_for_files", `{"files":null}`, "`files` is missing: paths"},
		{"rules_for_files", `{"files":["a"],"text":"no"}`, "`text` must be true or false, not a text"},
		{"rules_for_files", `["a"]`, "must be a JSON object with `agent`"},
		{"check_text", `{}`, "give a `text`, or a `tool`"},
		{"rules_for_files", `{"files":["a.ts"],"agent":"Cursr"}`, "did you mean `cursor`?"},
		{"check_text", `{"text":"x","tool":"write"}`, "not both"},
		{"check_text", `{"tool":"write","arguments":3}`, "`arguments` must be an object, not a number"},
		{"check_text", `{"text":"x","arguments":{}}`, "name it"},
		{"check_text", `{"tool":"write","arguments":{},"file":"a"}`, "leave `file` out"},
		{"check_text", `{"tool":"write","arguments":"` + strings.Repeat("x", 1<<20+1) + `"}`, "1 MiB"},
		{"read", `{"uri":"rule://nobody"}`, "there is no rule `nobody`"},
		{"read", `{"uri":"skill://claude.word"}`, "the skill is disabled"},
		{"read", `{"uri":"skill://agents.pdf/../../secret.txt"}`, ""},
		{"read", `{"uri":"/etc/passwd"}`, "write rule://NAME or skill://ID"},
		{"read", `{}`, "`uri` is missing"},
		{"check_text", `{"text":"x","file":"../x"}`, "outside of the workspace"},
		{"check_text", `{"text":"` + strings.Repeat("x", 1<<20+1) + `"}`, "1 MiB"},
		{"explain_strategy", `{"id":"user.rewrit"}`, "did you mean `user.rewrite`"},
		{"render_strategy", `{"id":"nobody"}`, "there is no strategy"},
		{"render_strategy", `{"id":"user.broken"}`, "there is no prompt"},
		{"render_strategy", `{"id":"user.rewrite","files":["/etc/passwd"]}`, "outside of the workspace"},
	} {
		got := call(t, b, c.tool, c.input)
		if out := text(got); !got.IsError || !strings.Contains(out, c.want) || len(out) > 2100 {
			t.Errorf("%s %.80s: got error %v: %.300s", c.tool, c.input, got.IsError, out)
		}
	}
	for _, uri := range []string{
		"rule://../../secret.txt", "rule://..%2f..%2fsecret.txt", "rule:///etc/passwd", "rule://", "rule://%zz", "rule://types/../types",
		"skill://agents.pdf/../../secret.txt", "skill://agents.pdf/..%2f..%2fsecret.txt", "skill://agents.pdf/%2e%2e/%2e%2e/secret.txt",
		"skill:///etc/passwd", "skill://agents.pdf//etc/passwd", "skill://", "skill://claude.word", "skill://word",
		"file:///etc/passwd", "secret.txt", "\x00", strings.Repeat("rule://x", 1000),
	} {
		result, err := b.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		if err == nil {
			t.Errorf("%.60q was read: %q", uri, result.Contents[0].Text)
		} else if len(err.Error()) > 3000 || strings.Contains(err.Error(), "secret\"") {
			t.Errorf("%.60q: %v", uri, err)
		}
	}
}

func TestResources(t *testing.T) {
	b := connect(t, legacy, everything(t))
	var uris []string
	for r, err := range b.Resources(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		uris = append(uris, r.URI)
	}
	slices.Sort(uris)
	want := []string{"rule://my%20rule", "rule://no-any", "rule://types", "skill://agents.pdf"}
	if diff := cmp.Diff(want, uris); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for uri, want := range map[string]string{
		"rule://types": "Use types.", "rule://my%20rule": "Be kind.",
		"rule://packages/api/AGENTS": "Nested.", "skill://pdf/more.md": "More.\n", "skill://agents.pdf/more.md": "More.\n",
	} {
		result, err := b.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		if err != nil {
			t.Errorf("%s: %v", uri, err)
		} else if got := result.Contents[0]; got.Text != want || !strings.HasPrefix(got.MIMEType, "text/markdown") {
			t.Errorf("%s: got %q of type %s", uri, got.Text, got.MIMEType)
		}
	}
	_, err := b.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "rule://typs"})
	if err == nil || !strings.Contains(err.Error(), "no-any") || !strings.Contains(err.Error(), "types") {
		t.Errorf("the error does not list what there is: %v", err)
	}
	templates, err := b.ListResourceTemplates(t.Context(), nil)
	if err != nil || len(templates.ResourceTemplates) != 2 {
		t.Errorf("templates: %v, %v", templates, err)
	}
}

func TestCompletion(t *testing.T) {
	b := connect(t, legacy, everything(t))
	for _, c := range []struct {
		uri, name, value string
		want             []string
	}{
		{"rule://{+name}", "name", "", []string{"my rule", "no-any", "types"}},
		{"rule://{+name}", "name", "TY", []string{"types"}},
		{"rule://{+name}", "name", "an", []string{"no-any"}},
		{"skill://{+address}", "address", "a", []string{"agents.pdf"}},
		{"skill://{+address}", "address", "claude", []string{}},
		{"other://{x}", "x", "", []string{}},
	} {
		result, err := b.Complete(t.Context(), &mcp.CompleteParams{
			Ref:      &mcp.CompleteReference{Type: "ref/resource", URI: c.uri},
			Argument: mcp.CompleteParamsArgument{Name: c.name, Value: c.value},
		})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, result.Completion.Values); diff != "" {
			t.Errorf("%s %q (-want +got):\n%s", c.uri, c.value, diff)
		}
	}
}

func TestPrompts(t *testing.T) {
	dir := everything(t)
	b := connect(t, legacy, dir)
	prompts := func() (names []string) {
		t.Helper()
		list, err := b.ListPrompts(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range list.Prompts {
			names = append(names, p.Name)
			if len(p.Arguments) != 1 || p.Arguments[0].Name != "Argument" || p.Title == "" {
				t.Errorf("%+v", p)
			}
		}
		return names
	}
	if _, err := b.ListResources(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	s := b.spaces[dir]
	s.mu.Lock()
	if s.seen != nil {
		t.Error("the context is watched though nobody asked for prompts")
	}
	s.mu.Unlock()
	if got := prompts(); got != nil {
		t.Errorf("got %v", got)
	}
	s.mu.Lock()
	s.context = `{"attachments":{"selection":{"text":"hello"}}}`
	s.mu.Unlock()
	s.tell(t, "context")
	b.wait(t, "prompts")
	if diff := cmp.Diff([]string{"user.rewrite"}, prompts()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	got, err := b.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "user.rewrite", Arguments: map[string]string{"Argument": "in verse"}})
	if err != nil {
		t.Fatal(err)
	}
	if text := got.Messages[0].Content.(*mcp.TextContent).Text; text != "Rewrite this in verse: hello" {
		t.Errorf("got %q", text)
	}
	// Who picks a prompt from a menu has gone to another window by that.
	s.mu.Lock()
	s.context = `{"attachments":{"text":"y"}}`
	s.mu.Unlock()
	if got, err := b.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "user.rewrite", Arguments: map[string]string{"Argument": "in verse"}}); err != nil {
		t.Error(err)
	} else if text := got.Messages[0].Content.(*mcp.TextContent).Text; !strings.HasPrefix(text, "Rewrite this in verse") {
		t.Errorf("got %q", text)
	}
	for name, c := range map[string]struct {
		params mcp.GetPromptParams
		want   string
	}{
		"unknown":             {mcp.GetPromptParams{Name: "user.rewrit"}, "did you mean `user.rewrite`"},
		"unknown argument":    {mcp.GetPromptParams{Name: "user.rewrite", Arguments: map[string]string{"argument": "secret"}}, "a prompt takes `Argument`"},
		"one argument of two": {mcp.GetPromptParams{Name: "user.rewrite", Arguments: map[string]string{"Argument": "x", "tone": "secret"}}, "there is no argument `tone`"},
	} {
		_, err := b.GetPrompt(t.Context(), &c.params)
		var wire *jsonrpc.Error
		if !errors.As(err, &wire) || wire.Code != jsonrpc.CodeInvalidParams || !strings.Contains(wire.Message, c.want) || strings.Contains(wire.Message, "secret") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestNotifications(t *testing.T) {
	for _, version := range []string{legacy, ""} { // "": the newest, in which clients listen for what they want
		t.Run(version, func(t *testing.T) {
			dir := everything(t)
			b := connect(t, version, dir)
			if _, err := b.ListResources(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
			if err := b.Subscribe(t.Context(), &mcp.SubscribeParams{URI: "rule://nothing"}); err == nil && version == legacy {
				t.Error("a client can subscribe to what does not exist")
			}
			if err := b.Subscribe(t.Context(), &mcp.SubscribeParams{URI: "rule://types"}); err != nil {
				t.Fatal(err)
			}
			// In the newest version the subscription takes effect some time after the call.
			for i := 0; !b.told("updated rule://types", time.Second); i++ {
				if i == 20 {
					t.Fatal("the client was not told of the rule's new text")
				}
				write(t, filepath.Join(dir, ".cursor/rules/types.mdc"), ruleText+strings.Repeat("More.\n", i))
				b.spaces[dir].tell(t, "rules")
			}
			if version != legacy {
				return // the SDK forgets what was listened for when another subscription fails
			}
			write(t, filepath.Join(dir, ".cursor/rules/new.mdc"), ruleText)
			b.spaces[dir].tell(t, "rules")
			b.wait(t, "resources")
			result, err := b.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "rule://new"})
			if err != nil || result.Contents[0].Text != "Use types." {
				t.Errorf("%v, %v", result, err)
			}
			odd := filepath.Join(dir, ".cursor/rules/a (new) rule's.mdc") // an address that the SDK does not know
			for _, step := range []struct {
				what string
				do   func()
			}{
				{"made", func() { write(t, odd, ruleText) }},
				{"changed", func() { write(t, odd, ruleText+"More.\n") }},
				{"removed", func() { _ = os.Remove(odd) }},
			} {
				for len(b.news) > 0 {
					<-b.news
				}
				step.do()
				b.spaces[dir].tell(t, "rules")
				if !b.told("resources", 20*time.Second) {
					t.Errorf("the client was not told of a rule that was %s", step.what)
				}
			}
		})
	}
}

func TestRootsDecideTheWorkspace(t *testing.T) {
	own, first, second := world(t, nil), everything(t), world(t, map[string]string{".cursor/rules/other.mdc": ruleText})
	uri := func(dir string) string { return (&url.URL{Scheme: "file", Path: filepath.ToSlash(dir)}).String() }
	b := connect(t, legacy, own, uri(first), uri(second), "https://example.org/x", "file://host/share")
	got := call(t, b, "rules_for_files", `{"text":false,"files":["a.ts","`+filepath.ToSlash(second)+`/b.ts"]}`)
	if out := text(got); got.IsError || !strings.Contains(out, `"types"`) || !strings.Contains(out, `"other"`) {
		t.Errorf("%s", out)
	}
	if diff := cmp.Diff([]string{first, second}, b.opening); diff != "" {
		t.Errorf("opened (-want +got):\n%s", diff)
	}
	got = call(t, b, "rules_for_files", `{"files":["`+filepath.ToSlash(own)+`/a.ts"]}`)
	if !got.IsError {
		t.Errorf("the server's own folder was answered for: %s", text(got))
	}
}

func call(t *testing.T, b *bench, tool, input string) *mcp.CallToolResult {
	t.Helper()
	result, err := b.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(input)})
	if err != nil {
		return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: err.Error()}}}
	}
	return result
}

func text(result *mcp.CallToolResult) string {
	var b strings.Builder
	for _, c := range result.Content {
		if text, ok := c.(*mcp.TextContent); ok {
			b.WriteString(text.Text)
		}
	}
	return b.String()
}

func decode(t *testing.T, text string) (value any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	return value
}
