package connect

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/pertain-dev/pertain/internal/agent"
)

// verifiedResults is what the tests with real agents saw (`.ci/agents results`).
//
//go:embed verified.json
var verifiedResults []byte

// verified is what was seen of one agent.
type verified struct {
	Agent, Version                    string
	Deny, Told, Context, MCP, Gateway bool
}

// verifiedOf is what was seen of an agent; the zero value: nothing.
func verifiedOf(agent string) verified {
	var all []verified
	_ = json.Unmarshal(verifiedResults, &all) // TestVerified reads it
	for _, v := range all {
		if v.Agent == agent {
			return v
		}
	}
	return verified{}
}

// abilities are what hooks of an agent can do, by its documents or as it was seen. Deny is empty where the model is told instead.
var abilities = map[string]struct{ deny, context string }{
	"claude":   {"yes", "begin, before, after, end"},
	"cline":    {"", "before, after"},
	"codex":    {"yes", "begin, before, after, end"},
	"copilot":  {"yes", "begin, before, after"},
	"cursor":   {"yes", "begin, after"},
	"droid":    {"yes", "begin, after"},
	"gemini":   {"yes", "begin, after, end"},
	"opencode": {"yes", "begin, after"},
	"pi":       {"yes", "begin, after"},
	"qwen":     {"yes", "begin, after, end"},
	"windsurf": {"yes", ""},
}

// Table is agents by what connects them, as rows of Markdown. What a test has seen is marked, and told from what only the
// agent's documents say.
func Table() string {
	var b strings.Builder
	b.WriteString("| agent | denies a call | rules reach the model at | MCP | gateway | seen with |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, a := range Agents() {
		seen := verifiedOf(a.Name)
		able, hooked := abilities[a.Name]
		deny, context, mcp, gateway, version := "no hooks", "no hooks", "none", "", "by its documents"
		if hooked {
			deny, context = mark(seen.Deny, "yes"), mark(seen.Context, able.context)
		}
		if hooked && able.deny == "" {
			deny = mark(seen.Told, "the model is told instead")
		}
		if hooked && able.context == "" {
			context = "no"
		}
		if a.Has(MCP) {
			mcp = mark(seen.MCP, "yes")
		}
		if seen.Gateway {
			gateway = mark(true, "yes")
		}
		if seen.Version != "" {
			version = seen.Version
		}
		fmt.Fprintf(&b, "| %s (`%s`) | %s | %s | %s | %s | %s |\n", a.Title, a.Name, deny, context, mcp, gateway, version)
	}
	return b.String()
}

// mark says of a text whether a test has seen it.
func mark(seen bool, text string) string {
	if seen {
		return strings.TrimSpace("✓ " + strings.TrimPrefix(text, "yes"))
	}
	return text
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
✓ is what was seen: the version that the last column names was run against a scripted model. Connected by ` + "`setup`" + `, in one turn the model reads a file, breaks
a rule and mends that: the file was never written, the reason and the file's rule reached the model, nothing twice, and ` + "`--undo`" + ` left no trace. MCP: the model
called a tool of ours and got the rules. Gateway: through ` + "`pertain with`" + ` a
violation in text, in a call, in the second of two calls, twice in a row and beyond the budget, an upstream that breaks off, an agent that is gone, and hooks below it.
The rest is by the agents' documents. ` + "`.ci/agents results`" + ` runs them and writes what this table is made from.

The program of Continue (` + "`cn`" + ` 1.5.47) reads the servers of its own ` + "`config.yaml`" + ` alone, not the folder that is written here, which is its extension's; it has hooks
in its source, and nothing that calls them. Crush was not run: npm's package of it fetches the program from elsewhere. Claude Code and Qwen Code show tools of MCP servers only to a
model that searches for them, and Claude Code asks you before it calls one, or with ` + "`-p`" + ` wants ` + "`--allowedTools mcp__pertain`" + `.

## What a hook does

| moment | what it does |
| --- | --- |
| a conversation begins, is resumed or was compacted | the rules that always hold and the list of those that can be read are given, as far as the agent does not load them itself; at most 24 KiB, whole rules only, the rest named by ` + "`rule://`" + ` |
| before a tool | what the call adds is watched by the rules with a trigger whose scope and globs fit; a hit denies the call, with the rule's name, text and file, and the path and line of the violation |
| after a tool that read or wrote a file | the rules for that file are given, each once in a conversation |
| the turn ends | the last message is watched where the agent hands it over; a hit makes the turn go on, once; where only rules that are not your own made it go on, your own may do so once more. Where nothing can be remembered, it goes on only in agents that tell whether it has |

One rule denies three calls in a row at most (the setting ` + "`ttsr.budget`" + `); then the call goes through with a reminder, until a call adds text to the same path
without breaking the rule. Such denials are counted for 500 rules of others at once; more of these remind. ` + "`interruptMode: never`" + ` makes a denial a reminder. Where what is said before a tool does not reach the model, a reminder
stands in the answer after it; Windsurf, whose model is told the reasons of denials alone, gets it with the next one, and the journal says ` + "`passed`" + ` until then. A call that comes twice with one id, because two settings files call the hook,
counts once. Where a call has several arguments that can be the path, or one twice, each of them counts, since which one the agent reads is not known: a rule is for the call if it is for one of these files. Links are followed: a file counts as it is written and as what it leads to, and where ` + "`..`" + ` comes after a link, as shells read it and as the system does. For globs of your own rules it also counts from the repository that it lies in (the nearest folder up with ` + "`.git`" + ` or ` + "`.pertain`" + `), wherever the agent works. That the model must comply is said of your own rules and of those of workspaces that you trust (` + "`pertain trust`" + `) alone, not of what lies above a
project.

At most 24 KiB are given at once; what does not fit is named. One call leaves in the journal at most 100 entries of rules that are not your own. Your own rules come first in both, then those of workspaces that you trust, then all others. Where the
rules of a project take longer to read than an agent waits, your own alone answer after four seconds, whatever the moment; what the project says at the beginning is given
when it can be read. They alone are asked, too, where the working directory that an agent names is no folder, or none any more, and that is told.

A hook exits with 0 whatever happens, since another code denies every call in some agents; Windsurf alone knows a denial as exit code 2. (A denial that
cannot be written to standard output is exit code 2, too, with the reason on standard error, where the agent takes that for one; what else cannot be written does not
count as told.) What goes wrong is an
answer that says nothing, one line on standard error and a line in ` + "`pertain doctor`" + `; with ` + "`--fail-closed`" + ` it is a denial. It starts no other process and opens no
connection. Where ` + "`pertain with`" + ` started the agent, ` + "`PERTAIN_GATEWAY`" + ` names the gateway that watches its model, and
` + "`PERTAIN_GATEWAY_PROOF`" + ` a file in the state folder that shows that it lives, and to what all variables were set that lead an agent to its model. A hook watches each call all the
same: rules of the folders on the way to its files count by then, relative paths count from where the agent works by then, and what the gateway let pass since a rule has fired before, or
since the budget is used up, is judged by the hook's own memory. It leaves to the gateway what that tells the model of: beside its file the gateway
writes down, as keyed hashes, which rules it reminds of in which call or text, and which have broken off an answer before the text that follows. For an hour a hook
does not tell of these: in a call by its tool and arguments or, since some agents change those before they run it, by its id; in the last message by its text. A denial is never
left out. Nothing is left out in OpenCode, pi and droid, which know models that are not led to the gateway, unless it is known at the start whose
model is used, and for OpenCode and droid all that their settings name are led.

Agents run hooks with variables that a repository's settings may set. What they cannot do:

| variable | what happens |
| --- | --- |
| any that leads into a workspace which is not trusted: that of the call, that of the process, or a repository around either | it is not used, and that is told; with ` + "`HOME`" + `, settings, trust and state are those of the account |
| ` + "`PERTAIN_CONFIG`" + ` that names no file that can be read | it is not used, and that is told; your usual settings count |
| ` + "`" + strings.Join(agent.FolderVariables(), "`, `") + "`" + ` | as a relative path they are not used outside of a workspace that is trusted, and that is told; where they lead elsewhere they count, and your own rules with triggers in the usual folders watch as well |
| ` + "`HOME`" + `, ` + "`XDG_CONFIG_HOME`" + `, ` + "`XDG_STATE_HOME`" + `, ` + "`PERTAIN_CONFIG`" + ` that lead elsewhere | they count, but what a file in another repository that is not trusted, of another user, or in a folder around the call that holds no home, says of triggers does not; and your own rules with triggers of the home that your account has (` + "`/etc/passwd`" + `), with those of its fleet, watch as well; another home says nothing about whether these watch |
| ` + "`TZ`" + ` that names anything but a regular file with a time zone | times are UTC |

Variables of the Go runtime (` + "`GOMAXPROCS`" + `, ` + "`GOMEMLIMIT`" + `, ` + "`GODEBUG`" + `, ` + "`GOTRACEBACK`" + `, ` + "`GOGC`" + `, ` + "`GOROOT`" + `) and of the system's loader (` + "`LD_PRELOAD`" + `) act before Pertain runs at all, as they do in every program: a repository whose settings for an agent the user has accepted can make a hook fail or slow by them, as it can switch hooks off in the same file. Agents ask before they take variables from a repository.

A folder that such a ` + "`HOME`" + ` or ` + "`XDG_STATE_HOME`" + ` names outside of every workspace is also where the hook keeps its own files: it makes ` + "`pertain`" + ` folders with state, cache and locks there, as the user who runs the agent, and writes nothing else. Where such a folder holds links, is one, or is another user's, the state of the user's account is used in its place.

Where the settings cannot be read at all, rules are watched by the defaults. Where the settings name a fleet with keys, and its copy on this machine is missing, damaged or signed by nobody who is listed, the other rules watch. Both are told, in one line and by ` + "`pertain doctor`" + `, and with ` + "`--fail-closed`" + ` a call is denied.

A trigger with back-references, or with look-around that comes to too many states, is given up in a text where a match takes too many steps to find. The rules that may have missed one so are named in the same way, your own first, and with ` + "`--fail-closed`" + ` a call that one of them might have denied is denied. What other rules come to stays as it is, and a denial does not count as heeded by such a text.

## What is kept

In the state folder (` + "`~/.local/state/pertain`" + `), for you alone: ` + "`gateways/`" + ` has one for each agent that ` + "`pertain with`" + ` runs; ` + "`hooks/`" + ` has a file a conversation, with names of rules, numbers and hashes, for 30 days; ` + "`hooks.jsonl`" + ` says
when hooks came, and what went wrong; ` + "`cache/`" + ` keeps rules with triggers between calls (Linux), with all that was looked at to find them; ` + "`journal.jsonl`" + ` says what rules did
(` + "`pertain journal`" + `; ` + "`journal.enabled: false`" + ` turns it off); ` + "`setup/`" + ` has what was inserted into settings. No text of a call, a model or a message is in any of them.

## Where settings are written

| agent | hooks | MCP |
| --- | --- | --- |
`)
	for _, a := range Agents() {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", a.Name, filesOf(a, Hooks), filesOf(a, MCP))
	}
	b.WriteString(`
The first is of the project, the one with ` + "`~`" + ` the user's (` + "`--user`" + `). Files of a project call ` + "`pertain`" + ` by its name, those of the user by its absolute path. Comments, order and
layout stay, and ` + "`--undo`" + ` gives back the very bytes where nobody else has changed the file since; an entry that called Pertain
before the first setup stays. Codex, Copilot and Gemini run hooks only once you have trusted
them or the folder there, and say nothing until then. A file of a project that is larger than 256 KiB, or one of yours that is larger than 16 MiB, is refused and left as
it is.
`)
	return b.String()
}

// filesOf are the files of a part.
func filesOf(a Agent, part Part) string {
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
