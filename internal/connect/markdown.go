package connect

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
)

// verifiedResults is what the test with real agents saw (`.ci/agents`, with PERTAIN_VERIFIED).
//
//go:embed verified.json
var verifiedResults []byte

// abilities are what hooks of an agent can do, by its documents or as it was seen.
var abilities = map[string]struct{ deny, context string }{
	"claude":   {"yes", "begin, before, after, end"},
	"cline":    {"no: the model is told instead", "before, after"},
	"codex":    {"yes", "begin, before, after, end"},
	"copilot":  {"yes", "begin, before, after"},
	"cursor":   {"yes", "begin, after"},
	"droid":    {"yes", "begin, after"},
	"gemini":   {"yes", "begin, after, end"},
	"opencode": {"yes", "begin, after"},
	"pi":       {"yes", "begin, after"},
	"qwen":     {"yes", "begin, after, end"},
	"windsurf": {"yes", "no"},
}

// Table is agents by what connects them, as rows of Markdown.
func Table() string {
	var results []struct {
		Agent, Version     string
		Deny, Context, MCP bool
	}
	_ = json.Unmarshal(verifiedResults, &results) // a test reads it
	var b strings.Builder
	b.WriteString("| agent | denies a call | rules reach the model at | MCP | verified with |\n| --- | --- | --- | --- | --- |\n")
	for _, a := range Agents() {
		able, hooked := abilities[a.Name]
		if !hooked {
			able.deny, able.context = "no hooks", "no hooks"
		}
		mcp, seen := "no", "not run: by its documents"
		if a.Has(MCP) {
			mcp = "yes"
		}
		for _, r := range results {
			if r.Agent != a.Name {
				continue
			}
			what := []string{"denial", "context"}
			if r.MCP {
				what = append(what, "MCP")
			}
			seen = r.Version + ": " + strings.Join(what, ", ")
		}
		fmt.Fprintf(&b, "| %s (`%s`) | %s | %s | %s | %s |\n", a.Title, a.Name, able.deny, able.context, mcp, seen)
	}
	return b.String()
}

// Markdown is the page docs/hooks.md.
func Markdown() string {
	var b strings.Builder
	b.WriteString("# Inside coding agents: hooks, setup, doctor\n\n" + `    pertain setup              # connects the agents that are found here, after a question
    pertain setup claude --dry-run
    pertain doctor             # what works, proved
    pertain setup claude --undo

` + "`setup`" + ` writes the settings of an agent so that it calls ` + "`pertain hook AGENT`" + ` and starts ` + "`pertain mcp`" + `. From then on rules that the agent does not
load itself reach the model at the right moment, and a call that would break a rule with a trigger is denied, with the rule as the reason.

Made from the tables in ` + "`internal/connect`" + `; change it there.

## Agents

` + Table() + `
"Verified" rows were run for real against a scripted model: connected by ` + "`setup`" + `, one turn in which the model reads a file, breaks a rule and mends
that, and ` + "`--undo`" + `. ` + "`.ci/agents`" + ` runs them; with ` + "`PERTAIN_VERIFIED`" + ` it writes the last column.

## What a hook does

| moment | what it does |
| --- | --- |
| a conversation begins, is resumed or was compacted | the rules that always hold and the list of those that can be read are given, as far as the agent does not load them itself; at most 24 KiB, whole rules only, the rest named by ` + "`rule://`" + ` |
| before a tool | what the call adds is watched by the rules with a trigger whose scope and globs fit; a hit denies the call, with the rule's name, text and file, and the path and line of the violation |
| after a tool that read or wrote a file | the rules for that file are given, each once in a conversation |
| the turn ends | the last message is watched where the agent hands it over; a hit makes the turn go on, once |

One rule denies three calls in a row at most (the setting ` + "`ttsr.budget`" + `); then the call goes through with a reminder, until a call adds text to the same path
without breaking the rule. ` + "`interruptMode: never`" + ` makes a denial a reminder. A call that comes twice with one id, because two settings files call the hook,
counts once. That the model must comply is said of your own rules and of those of workspaces that you trust (` + "`pertain trust`" + `) alone, not of what lies above a
project.

A hook exits with 0 whatever happens, since another code denies every call in some agents; Windsurf alone knows a denial as exit code 2. What goes wrong is an
answer that says nothing, one line on standard error and a line in ` + "`pertain doctor`" + `; with ` + "`--fail-closed`" + ` it is a denial. It starts no other process and opens no
connection. Where ` + "`pertain with`" + ` started the agent, it leaves what the gateway watches to that: ` + "`PERTAIN_GATEWAY`" + ` names it, and
` + "`PERTAIN_GATEWAY_PROOF`" + ` a file in the state folder that shows that it lives, and which variables lead the agent to it. Without that, or where
one of these is another by then, as a repository's settings may have it, the hook watches itself.

## What is kept

In the state folder (` + "`~/.local/state/pertain`" + `), for you alone: ` + "`gateways/`" + ` has one for each agent that ` + "`pertain with`" + ` runs; ` + "`hooks/`" + ` has a file a conversation, with names of rules, numbers and hashes, for 30 days; ` + "`hooks.jsonl`" + ` says
when hooks came; ` + "`cache/`" + ` keeps rules with triggers between calls (Linux), with all that was looked at to find them; ` + "`journal.jsonl`" + ` says what rules did
(` + "`pertain journal`" + `; ` + "`journal.enabled: false`" + ` turns it off); ` + "`setup/`" + ` has what was inserted into settings. No text of a call, a model or a message is in any of them.

## Where settings are written

| agent | hooks | MCP |
| --- | --- | --- |
`)
	for _, a := range Agents() {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", a.Name, places(a, Hooks), places(a, MCP))
	}
	b.WriteString(`
The first is of the project, the one with ` + "`~`" + ` the user's (` + "`--user`" + `). Files of a project call ` + "`pertain`" + ` by its name, those of the user by its absolute path. Comments, order and
layout stay, and ` + "`--undo`" + ` gives back the very bytes where nobody else has changed the file since. Codex, Copilot and Gemini run hooks only once you have trusted
them or the folder there, and say nothing until then.
`)
	return b.String()
}

// places are the files of a part.
func places(a Agent, part Part) string {
	var out []string
	for _, c := range a.connections {
		if c.part != part {
			continue
		}
		if c.project != "" {
			out = append(out, "`"+c.project+"`")
		}
		if c.user != "" {
			out = append(out, "`~/"+c.user+"`")
		}
	}
	return strings.Join(out, ", ")
}
