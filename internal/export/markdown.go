package export

import (
	"fmt"
	"strings"

	"github.com/pertain-dev/pertain/internal/agent"
	"github.com/pertain-dev/pertain/internal/mark"
)

// lossKinds are the words that losses begin with, and what they mean.
var lossKinds = []struct{ kind, meaning string }{
	{"always", "the agent does not load the rule at the start"},
	{"description", "the agent does not list the rule by its description as a rule, or reads no description"},
	{"field", "a field that only oh-my-pi has is left out"},
	{"folder", "the rule always applies in one folder of the project; elsewhere that is a glob"},
	{"globs", "which files it is for is said otherwise, or in words, or for more files: exclusions, capitals where the agent does not tell case, a slash at the end of a glob, files of the root alone"},
	{"instead", "the agent reads the new file in place of one that is there"},
	{"manual", "nobody can ask the agent for the rule by its name"},
	{"name", "the rule has another name there, or none"},
	{"size", "the agent reads no more than a part of the file"},
	{"text", "the text comes otherwise: without characters that no reader can see, without HTML comments, with a first line that is no frontmatter, with files that it names brought in, with a code fence that is never closed above other text, or a description that is cut"},
	{"trigger", "the agent does not watch what the model writes; Pertain's hooks and gateway do"},
	{"unread", "the agent reads another file in place of the new one"},
}

func lossRows() string {
	var b strings.Builder
	for _, k := range lossKinds {
		fmt.Fprintf(&b, "| `%s` | %s |\n", k.kind, k.meaning)
	}
	return b.String()
}

// Markdown is the part of docs/agents.md about export.
func Markdown() string {
	var b strings.Builder
	b.WriteString(`
## What export can say

What ` + "`pertain export --to AGENT`" + ` writes for each agent, and in which words the agent says what brings a rule to a model. Made from ` + "`internal/export`" + `; change it there.
A dash means that the agent cannot say it; the table below says what becomes of the rule then, and the answer of ` + "`export`" + ` tells it as a loss.

| agent | file | names with a folder | always | globs | exclusions | description | manual | trigger | nested folders | between marks |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
`)
	dash := func(words string) string {
		if words == "" {
			return "-"
		}
		return words
	}
	all := Forms()
	for i := range all {
		f := &all[i]
		file, names, nested := "`"+f.Path+"/NAME"+f.End+"`", "become one name", "as globs"
		if f.Deep {
			names = "stay"
		}
		if f.Globs == "" {
			nested = "in words"
		}
		if f.IsMemory() {
			file, names, nested = "`"+f.Path+"`", "-", "in words"
			if f.reads(agent.Between | agent.Below) {
				nested = "a file in the folder"
			}
		}
		if f.Older != "" {
			file += ", or `" + f.Older + "` where only that is there"
		}
		description := dash(f.Description)
		if folder, ok := f.agent.SkillFolder(false); ok && f.Description == "" {
			description = "a skill, `" + folder.Path + "/NAME/SKILL.md`"
		}
		between := "-"
		if f.IsMemory() {
			between = "`" + f.Path + "`"
		} else if len(f.Memory) > 0 {
			between = "`" + strings.Join(f.Memory, "`, `") + "`"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n",
			f.Agent, file, names, f.Always, dash(f.Globs), dash(f.Except), description, dash(f.Manual), dash(f.Trigger), nested, between)
	}
	b.WriteString(`
| what the agent cannot say | what becomes of it |
| --- | --- |
| globs | an agent with descriptions: the description names the files; an agent with one file a folder: the file of that folder, where the globs are all in one; else the text says first which files it is for, and it is in every prompt |
| exclusions | the text says first which files it is not for |
| a description that is asked by | an agent with skills: a skill, listed by that description; agents that read one folder of skills share it. Else, and where an agent without skills shares the file: the text says first what it is for, and it is in every prompt |
| manual | nothing is written: a person brings in the source by its path |
| trigger | listed by its description, else manual, else nothing is written; Pertain's hooks and gateway go on watching |
| a name with a folder, or one that not all disks can hold | a name that they can |
| several rules in one file | their names are lost |
| text that begins with ` + "`---`" + ` | the line becomes ` + "`***`" + ` |

A loss begins with its kind:

| loss | means |
| --- | --- |
` + lossRows() + `
*Between marks* are the files that people write by hand and that may have two lines, ` + "`" + mark.Begin + "`" + ` and ` + "`" + mark.End + "`" + `. What is between them is
written by export, and nothing else of the file: all rules of an agent that has one file, and those that always apply of an agent that has a folder (the others stay in the folder, which can say what they are for).
In user folders: ` + "`~/.claude/CLAUDE.md`, `~/.qwen/QWEN.md` and `~/.copilot/copilot-instructions.md`" + `, beside the files of agents that have one.

Some agents read the files of others. Where several agents are named with --to, a note (` + "`notes`" + ` in JSON; no loss, and --strict takes it) tells with ` + "`twice`" + ` of a file that another one of them reads as well as its own (Copilot CLI reads
` + "`.claude/rules`" + `, Cursor reads AGENTS.md), with *and always* where it takes for text what its own file has conditions for, and ` + "`also`" + ` where it has no file of its own for the rule. To have each rule once, export for
those agents from one place; for Claude Code and Copilot, ` + "`--to claude`" + ` alone.

Imports (` + "`@path`" + `) in a text are brought in by their own agent's reader before a rule is exported; what another agent makes of such words stands above under its name. An agent's limit of size is told
where a file passes it. Claude Code compares paths without case, and takes what lies below a folder for what the folder is: that a file could be called like a folder is not told as a loss.
`)
	remarks := false
	for i := range all {
		if all[i].CommandLine != "" {
			if !remarks {
				b.WriteByte('\n')
			}
			remarks = true
			fmt.Fprintf(&b, "- %s: %s.\n", all[i].Agent, all[i].CommandLine)
		}
	}
	return b.String()
}
