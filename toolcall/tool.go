package toolcall

import "strings"

// Kind is what a call does.
type Kind uint8

const (
	Other Kind = iota // a tool that is not known
	Write             // a file gets this content
	Edit              // a part of a file is replaced
	Patch             // files are changed as a patch says
	Shell             // a command is run
	Look              // something is read or looked for, and nothing is added
)

// String is the kind's name; what adds nothing is "other".
func (k Kind) String() string {
	return [...]string{"other", "write", "edit", "patch", "shell", "other"}[k]
}

// tools are the tools that are known, by their plain names, with what they do.
// Sources: the programs themselves for Claude Code, Codex, Gemini CLI, Qwen Code,
// OpenCode, Copilot CLI, pi, omp, Cline, Continue and droid; for the others, which
// are marked, what they publish.
var tools = map[string]Kind{
	"write":         Write, // Claude Code, OpenCode, pi, omp, Continue
	"writefile":     Write, // Gemini CLI, Qwen Code
	"create":        Write, // Copilot CLI, droid
	"createfile":    Write, // VS Code (published)
	"createnewfile": Write, // Continue in an editor (published)
	"writetofile":   Write, // Cline, Roo and Kilo in an editor (published)
	"savefile":      Write, // Augment (published)
	"newfile":       Write,

	"edit":                     Edit, // Claude Code, OpenCode, Copilot CLI, pi, omp, Qwen Code, droid, Continue
	"multiedit":                Edit, // Claude Code, Continue
	"notebookedit":             Edit, // Claude Code
	"editnotebook":             Edit, // Cursor (published)
	"astedit":                  Edit, // omp
	"replace":                  Edit, // Gemini CLI
	"editor":                   Edit, // Cline
	"editfile":                 Edit, // Cursor, Zed (published)
	"searchreplace":            Edit, // Cursor, Trae (published)
	"strreplace":               Edit,
	"strreplaceeditor":         Edit, // Augment and others (published)
	"strreplacebasededittool":  Edit, // Anthropic's own text editor (published)
	"texteditor":               Edit,
	"fswrite":                  Edit, // Kiro, Amazon Q (published)
	"fsappend":                 Edit, // Kiro (published)
	"insertcontent":            Edit, // Roo (published)
	"inserteditintofile":       Edit, // VS Code (published)
	"replacestringinfile":      Edit, // VS Code (published)
	"multireplacestringinfile": Edit, // VS Code (published)
	"searchandreplace":         Edit, // Roo (published)
	"replacefilecontent":       Edit, // Windsurf (published)
	"writetofilecontent":       Edit,

	"applypatch":    Patch, // Codex, droid, OpenCode
	"patch":         Patch, // OpenCode
	"applydiff":     Patch, // Roo (published)
	"replaceinfile": Patch, // Cline in an editor (published)

	"bash":               Shell, // Claude Code, OpenCode, Copilot CLI, pi, omp, Continue
	"shell":              Shell, // Codex
	"localshell":         Shell, // Codex
	"execcommand":        Shell, // Codex
	"runshellcommand":    Shell, // Gemini CLI, Qwen Code
	"execute":            Shell, // droid
	"executecommand":     Shell, // Cline, Roo and Kilo in an editor (published)
	"executebash":        Shell, // Amazon Q, Kiro (published)
	"executecommands":    Shell, // Cline
	"runcommands":        Shell, // Cline
	"runcommand":         Shell, // Windsurf, Trae (published)
	"runterminalcmd":     Shell, // Cursor (published)
	"runterminalcommand": Shell, // Continue in an editor (published)
	"runinterminal":      Shell, // VS Code (published)
	"launchprocess":      Shell, // Augment (published)
	"terminal":           Shell, // Zed (published)
	"powershell":         Shell, // Copilot CLI on Windows
	"monitor":            Shell, // Claude Code
	"shellcommand":       Shell, // Codex
	"exec":               Shell, // Codex, as a script in JavaScript; others
	"writestdin":         Shell, // Codex: what is typed into a shell that runs
	"writebash":          Shell, // Copilot CLI, the same
	"writepowershell":    Shell, // Copilot CLI, the same

	"executeterminalcommand": Shell, // a server of JetBrains' (published)
	"startprocess":           Shell, // Desktop Commander, a server (published)
	"interactwithprocess":    Shell, // the same
}

// blockTools are tools whose patches are blocks of SEARCH and REPLACE.
var blockTools = names("applydiff replaceinfile")

// scriptTools are tools whose bare input is a script that calls others.
var scriptTools = names("exec")

// keyTools are tools by which keys are pressed, of which some are written by name: `{enter}`.
var keyTools = names("writebash writepowershell")

// runsIn are the arguments by which tools of agents are told where to run a command, where all agents that have a tool of this name
// have the argument.
var runsIn = map[string]map[string]bool{
	"shell":           names("workdir"),
	"localshell":      names("workdir workingdirectory"),
	"execcommand":     names("workdir"),
	"runshellcommand": names("dirpath directory"),
	"runcommand":      names("cwd"),
	"launchprocess":   names("cwd"),
}

// ownFolders are those of a tool.
func ownFolders(name string) map[string]bool {
	if isServed(name) {
		return nil
	}
	return runsIn[Plain(name)]
}

// looking are tools that add nothing to any file: that a text is looked for breaks no
// rule. Rules may name them all the same.
var looking = names("read readfile readmanyfiles view viewimage cat open openfile grep grepsearch searchfilecontent searchfiles search codebasesearch semanticsearch " +
	"glob find findfiles filesearch ls list listdir listdirectory listfiles websearch googlewebsearch webfetch fetch todoread todowrite notebookread lsp readrule astgrep")

// others are further tools of agents.
var others = names("task todo python eval notebook browser ast")

// Known tells whether an agent has a tool of this name, or whether it is what a
// tool does.
func Known(name string) bool {
	plain := Plain(name)
	_, adds := tools[plain]
	return adds || looking[plain] || others[plain]
}

// KindOf is what a tool of this name does. One that a server brings may be called
// like one that looks, and do anything.
func KindOf(name string) Kind {
	plain := Plain(name)
	switch {
	case looking[plain] && isServed(name):
		return Other
	case looking[plain]:
		return Look
	}
	return tools[plain]
}

// served begins the names of the tools that a server brings.
const served = "mcp__"

func isServed(name string) bool {
	_, ok := cutPrefixFold(name, served)
	return ok
}

// Plain is a tool's name as names are compared: without case, underscores, dashes,
// and whatever stands before it for the server that it comes from
// (`mcp__fs__write_file`, `functions.write_file`).
func Plain(name string) string {
	if rest, ok := cutPrefixFold(name, served); ok {
		if _, tool, ok := strings.Cut(strings.TrimLeft(rest, "_"), "__"); ok && strings.Trim(tool, "_") != "" {
			rest = tool
		}
		name = rest
	}
	if at := strings.LastIndexAny(name, ".:/"); at >= 0 && at+1 < len(name) {
		name = name[at+1:]
	}
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == ' ' {
			return -1
		}
		return r
	}, strings.ToLower(name))
}

func cutPrefixFold(text, prefix string) (string, bool) {
	if len(text) < len(prefix) || !strings.EqualFold(text[:len(prefix)], prefix) {
		return text, false
	}
	return text[len(prefix):], true
}

// Named tells whether a name in a rule's scope means a call: it is the tool's
// name, or that of what the tool does, `write`, `edit` (patches too) and `shell`.
func Named(scope, tool string, kind Kind) bool {
	plain := Plain(scope)
	switch {
	case plain == Plain(tool):
		return true
	case plain == Edit.String():
		return kind == Edit || kind == Patch
	case plain == Write.String(), plain == Shell.String(), plain == Patch.String():
		return plain == kind.String()
	}
	return false
}
