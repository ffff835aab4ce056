package connect

import (
	"path/filepath"
	"runtime"
	"strings"
)

// Part is what connects an agent.
type Part string

const (
	Hooks Part = "hooks"
	MCP   Part = "mcp"
)

// Level is whose settings are changed.
type Level string

const (
	Project Level = "project"
	User    Level = "user"
)

// Agent is a coding agent that can be connected.
type Agent struct {
	Name    string
	Title   string
	Program string   // its command; empty: it has none
	Here    []string // folders of a project that show that it is used, with slashes
	Home    []string // the same, in the user's home
	// Trust says what the user has to do in the agent before it runs hooks; empty: nothing.
	Trust string

	connections []connection
	environment []string // further files of a project that set variables for what the agent starts, with slashes
}

// connection is a settings file that holds one part.
type connection struct {
	part    Part
	project string // below the root of the project, with slashes; empty: there is none
	user    string // below the home
	others  []string
	edit    editor
}

// editor knows one kind of file.
type editor interface {
	// with gives the text with our entries, and how it came about. An empty text is a file that is not there.
	with(text string, c Caller) (string, []splice, error)
	// without gives the text without entries of ours, and whether it had any. Those that has gave before the first setup stay.
	without(text string, c Caller, kept []string) (string, bool, error)
	// has names the entries that the text has, whoever wrote them.
	has(text string, c Caller) []string
	// whole tells that the file is ours alone.
	whole() bool
}

// Caller is how Pertain is called.
type Caller struct {
	Agent      string
	Program    string // the name, or an absolute path
	FailClosed bool
	Windows    bool
}

// command is a command line of Pertain's, for a shell.
func (c Caller) command(words ...string) string {
	return strings.Join(append([]string{c.quoted()}, words...), " ")
}

// hook is the command line of a hook.
func (c Caller) hook(event string) string {
	words := []string{"hook", c.Agent}
	if event != "" {
		words = append(words, event)
	}
	if c.FailClosed {
		words = append(words, "--fail-closed")
	}
	return c.command(words...)
}

// Word is a text as one word of a shell, for a command that people are told.
func Word(text string) string { return Caller{Program: text, Windows: isWindows()}.quoted() }

// quoted is the program as a word of a shell.
func (c Caller) quoted() string {
	if !strings.ContainsFunc(c.Program, func(r rune) bool { return !isPlain(r) }) {
		return c.Program
	}
	if c.Windows {
		return `"` + c.Program + `"`
	}
	return "'" + strings.ReplaceAll(c.Program, "'", `'\''`) + "'"
}

// isPlain tells characters that mean nothing to any shell.
func isPlain(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+:,@%", r)
}

// isOwn tells whether a text is a command of ours: the program is called `pertain`, wherever it lies, and the rest is what is
// written for this agent.
func isOwn(text string, c Caller) bool {
	var word, rest string
	switch {
	case strings.HasPrefix(text, `"`), strings.HasPrefix(text, "'"):
		end := strings.LastIndex(text[1:], text[:1])
		if end < 0 {
			return false
		}
		word, rest = text[1:end+1], text[end+2:]
	default:
		word, rest, _ = strings.Cut(text, " ")
	}
	name := word[strings.LastIndexAny(word, `/\`)+1:]
	if !strings.HasPrefix(name, "pertain") {
		return false
	}
	words := strings.Fields(rest)
	return len(words) >= 2 && words[0] == "hook" && words[1] == c.Agent || len(words) == 1 && words[0] == "mcp"
}

// path is the file of a connection at a level; empty: there is none.
func (c connection) path(level Level, root, home string) string {
	base, name := root, c.project
	if level == User {
		base, name = home, c.user
	}
	if base == "" || name == "" {
		return ""
	}
	return filepath.Join(base, filepath.FromSlash(name))
}

func isWindows() bool { return runtime.GOOS == "windows" }
