package connect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

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
	wanted, err := hujson.Parse([]byte(entry.value))
	if err != nil {
		return err
	}
	_, err = j.removeOwn(entry.path, func(_ string, v hujson.Value) bool {
		return ownCall(v, c) && !contains(wanted, v)
	})
	return err
}

// contains tells whether a value is another, or is in it.
func contains(outer, v hujson.Value) bool {
	if same(outer, v) {
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
		if there && len(findOwn(&v, nil, entry.own(c), 1)) > 0 {
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
			if text, ok := command.Value.(hujson.Literal); ok && isOwn(textOf(text), c) {
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
		list, _ := args.Value.(*hujson.Array)
		return list != nil && len(list.Elements) == 1 && isMCP(list.Elements[0]) && isOwn(c.requoted(textOf(text))+" mcp", c)
	case *hujson.Array:
		if len(text.Elements) != 2 {
			return false
		}
		first, _ := text.Elements[0].Value.(hujson.Literal)
		return isMCP(text.Elements[1]) && isOwn(c.requoted(textOf(first))+" mcp", c)
	}
	return false
}

// isMCP tells the word that starts our server.
func isMCP(v hujson.Value) bool {
	word, ok := v.Value.(hujson.Literal)
	return ok && word.Kind() == '"' && textOf(word) == "mcp"
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
