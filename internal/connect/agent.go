package connect

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
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

// quoted is the program as a word of a shell.
func (c Caller) quoted() string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+:,@%", r)
	}
	if strings.IndexFunc(c.Program, func(r rune) bool { return !plain(r) }) < 0 {
		return c.Program
	}
	if c.Windows {
		return `"` + c.Program + `"`
	}
	return "'" + strings.ReplaceAll(c.Program, "'", `'\''`) + "'"
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

// settingsJSON is a settings file in JSON, comments allowed.
type settingsJSON struct {
	// start is what a new file begins with, as members; empty: nothing.
	start map[string]string
	// entries are what is ours: at a path, an element of an array or, with a name, a member of an object.
	entries func(c Caller) []jsonEntry
}

type jsonEntry struct {
	path     []string
	name     string // of a member; empty: an element
	value    string // JSON
	optional string // a member of the value that may as well be left out; empty: none
}

func (settingsJSON) whole() bool { return false }

func (e settingsJSON) with(text string, c Caller) (string, []splice, error) {
	j := &jsonText{text: text}
	if strings.TrimSpace(text) == "" {
		j.splice(0, text, "{}\n")
	}
	for name, value := range e.start {
		if err := j.put(nil, name, value); err != nil {
			return "", nil, err
		}
	}
	for _, entry := range e.entries(c) {
		if err := e.replaceStale(j, entry, c); err != nil {
			return "", nil, err
		}
		var err error
		if entry.name != "" {
			err = j.put(entry.path, entry.name, entry.value)
		} else {
			err = j.add(entry.path, entry.value)
		}
		if err != nil {
			return "", nil, err
		}
	}
	if _, err := j.parse(); err != nil {
		return "", nil, err
	}
	return j.text, j.splices, nil
}

// replaceStale mends what an earlier setup, or the user, wrote otherwise, such as with another path of the program. A member is
// changed where it stands; a call is taken out.
func (settingsJSON) replaceStale(j *jsonText, entry jsonEntry, c Caller) error {
	if entry.name != "" {
		return j.amend(entry, c)
	}
	_, err := j.removeOwn(entry.path, func(_ string, v hujson.Value) bool {
		if !ownCall(v, c) {
			return false
		}
		inner, err := hujson.Parse([]byte(entry.value))
		return err == nil && !contains(inner, v)
	})
	return err
}

// contains tells whether a value is another, or is in it.
func contains(outer, v hujson.Value) bool {
	packed := string(v.Pack())
	if equal(outer, packed) {
		return true
	}
	for _, it := range itemsOf(outer) {
		if contains(it.value, v) {
			return true
		}
	}
	return false
}

func (e settingsJSON) without(text string, c Caller, kept []string) (string, bool, error) {
	j := &jsonText{text: text}
	found := false
	for _, entry := range e.entries(c) {
		if slices.Contains(kept, entry.id()) {
			continue
		}
		one, err := j.removeOwn(entry.path, entry.own(c))
		if err != nil {
			return "", false, err
		}
		found = found || one
	}
	return j.text, found, nil
}

func (e settingsJSON) has(text string, c Caller) []string {
	root, err := (&jsonText{text: text}).parse()
	if err != nil {
		return nil
	}
	var out []string
	for _, entry := range e.entries(c) {
		v, there := root, true
		for _, step := range entry.path {
			if v, there = member(v, step); !there {
				break
			}
		}
		if _, _, own := findOwn([]hujson.Value{v}, entry.own(c)); there && own {
			out = append(out, entry.id())
		}
	}
	return out
}

// id names an entry among those of its file.
func (e jsonEntry) id() string { return strings.Join(append(slices.Clone(e.path), e.name), "/") }

// own tells what stands for the entry, however it is written.
func (e jsonEntry) own(c Caller) func(name string, v hujson.Value) bool {
	return func(name string, v hujson.Value) bool {
		if e.name != "" {
			return name == e.name && holdsOwn(v, c)
		}
		return ownCall(v, c)
	}
}

// ownCall tells an object that calls a hook of ours.
func ownCall(v hujson.Value, c Caller) bool {
	for _, name := range []string{"command", "bash"} {
		if command, ok := member(v, name); ok {
			if text, ok := command.Value.(hujson.Literal); ok && isOwn(text.String(), c) {
				return true
			}
		}
	}
	return false
}

// holdsOwn tells an object that starts our MCP server.
func holdsOwn(v hujson.Value, c Caller) bool {
	command, _ := member(v, "command")
	switch text := command.Value.(type) {
	case hujson.Literal:
		args, _ := member(v, "args")
		return isOwn(c.requoted(text.String())+" mcp", c) && equal(args, `["mcp"]`)
	case *hujson.Array:
		items := itemsOf(command)
		if len(items) != 2 {
			return false
		}
		first, _ := items[0].value.Value.(hujson.Literal)
		return isOwn(c.requoted(first.String())+" mcp", c) && equal(items[1].value, `"mcp"`)
	}
	return false
}

func (c Caller) requoted(program string) string {
	c.Program = program
	return c.quoted()
}

// mcpServer is our MCP server as most agents write it.
func mcpServer(c Caller, more string) string {
	return fmt.Sprintf(`{%s"command":%s,"args":["mcp"]}`, more, quote(c.Program))
}

// mcpMember is our server as a member of an object of servers. What kind it is may be left out.
func mcpMember(key, more string) settingsJSON {
	return settingsJSON{entries: func(c Caller) []jsonEntry {
		return []jsonEntry{{path: []string{key}, name: "pertain", value: mcpServer(c, more), optional: "type"}}
	}}
}

// ownFile is a file that is ours alone.
type ownFile struct {
	text func(c Caller) string
	mark string // that tells it from one of somebody else
}

func (ownFile) whole() bool { return true }

func (e ownFile) with(text string, c Caller) (string, []splice, error) {
	want := e.text(c)
	if text == want {
		return text, nil, nil
	}
	if text != "" && !strings.Contains(text, e.mark) {
		return "", nil, fmt.Errorf("it is not one that `pertain setup` wrote; move it away, or call %s from it", c.hook(""))
	}
	return want, []splice{{0, text, want}}, nil
}

func (e ownFile) without(text string, c Caller, kept []string) (string, bool, error) {
	switch {
	case len(kept) > 0:
	case text == e.text(c), text != "" && strings.Contains(text, e.mark):
		return "", true, nil
	}
	return text, false, nil
}

func (e ownFile) has(text string, c Caller) []string {
	if text == e.text(c) || strings.Contains(text, e.mark) {
		return []string{e.mark}
	}
	return nil
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
