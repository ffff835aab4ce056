package connect

import (
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/pertain-dev/pertain/internal/files"
)

// Found is a settings file of an agent, and what it holds of ours.
type Found struct {
	Part  Part
	Level Level
	Path  string
	// Problem says why the file cannot be read; empty: it can.
	Problem string
	// Calls are the commands of hooks that the file holds, whoever wrote them, and the program of our MCP server.
	Calls []Called
}

// Called is a command in a settings file.
type Called struct {
	Command string
	// Program and Arguments are those of a command that is word for word what is written here; empty: it is another.
	Program   string
	Arguments []string
	MCP       bool
}

// Own tells whether it is one of ours.
func (c Called) Own() bool { return c.Program != "" }

// Connected tells whether there is a command of ours.
func (f Found) Connected() bool { return slices.ContainsFunc(f.Calls, Called.Own) }

// Inspect gives the settings files of an agent that are there, at both levels.
func (s Setup) Inspect(a Agent) []Found {
	var out []Found
	for _, c := range a.connections {
		for _, level := range []Level{Project, User} {
			path := s.choose(c, level)
			if path == "" {
				continue
			}
			f := Found{Part: c.part, Level: level, Path: path}
			text, exists, err := s.readAt(level, path)
			switch {
			case err != nil:
				f.Problem = err.Error()
			case !exists:
				continue
			default:
				_, text = cutMark(text)
				f.Calls, err = s.calls(a, c, text)
				if err != nil {
					f.Problem = err.Error()
				}
				for i := range f.Calls {
					f.Calls[i] = s.asWritten(level, f.Calls[i])
				}
			}
			out = append(out, f)
		}
	}
	return out
}

// asWritten leaves a call of ours only where it is word for word what setup writes at that level: `pertain` by its name or, in
// the user's own files, the path of this very program. A repository may name any other.
func (s Setup) asWritten(level Level, c Called) Called {
	if c.Program == "pertain" || level == User && s.Program != "" && c.Program == s.Program {
		return c
	}
	return Called{Command: c.Command, MCP: c.MCP}
}

// readAt reads a settings file. A project's does not lead out of it: what stands there would be shown.
func (s Setup) readAt(level Level, path string) (text string, exists bool, err error) {
	if level != Project {
		return read(path, level)
	}
	data, _, err := files.ReadWithin(files.OS(), path, files.Below(files.OS(), s.Root), maxSettings(level))
	return asRead(data, level, err)
}

// calls are the commands in a file.
func (s Setup) calls(a Agent, c connection, text string) ([]Called, error) {
	caller := Caller{Agent: a.Name, Windows: isWindows()}
	switch edit := c.edit.(type) {
	case ownFile:
		for _, program := range []string{"pertain", s.Program} {
			for _, closed := range []bool{false, true} {
				caller.Program, caller.FailClosed = program, closed
				if program != "" && text == edit.text(caller) {
					return []Called{{Command: caller.hook(""), Program: program, Arguments: []string{"hook", a.Name}, MCP: c.part == MCP}}, nil
				}
			}
		}
		if strings.Contains(text, edit.mark) {
			return []Called{{Command: "a file that `pertain setup` wrote otherwise"}}, nil
		}
		return nil, nil
	case serverTOML:
		own, err := edit.read(text)
		program, _ := own["command"].(string)
		if err != nil || program == "" {
			return nil, err
		}
		return []Called{s.server(caller, program)}, nil
	case settingsJSON:
		return s.jsonCalls(edit, caller, c.part, text)
	}
	return nil, nil
}

// server is our MCP server, started by a program.
func (s Setup) server(c Caller, program string) Called {
	out := Called{Command: program + " mcp", MCP: true}
	if isOwn(c.requoted(program)+" mcp", c) {
		out.Program, out.Arguments = program, []string{"mcp"}
	}
	return out
}

func (s Setup) jsonCalls(e settingsJSON, c Caller, part Part, text string) ([]Called, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	j := jsonText{text: text}
	root, err := j.parse()
	if err != nil {
		return nil, err
	}
	var out []Called
	c.Program = "pertain"
	var written map[string]Called // made where it is needed
	for _, entry := range e.entries(c) {
		v, ok := root, true
		for _, step := range entry.path {
			if v, ok = member(v, step); !ok {
				break
			}
		}
		if !ok {
			continue
		}
		if part == MCP {
			if server, ok := member(v, entry.name); ok {
				command, _ := member(server, "command")
				program, _ := command.Value.(hujson.Literal)
				if lengthOf(command) > 0 {
					program, _ = itemAt(command, 0).value.Value.(hujson.Literal)
				}
				found := s.server(c, textOf(program))
				if !holdsOwn(server, c) {
					found.Program, found.Arguments = "", nil
				}
				out = append(out, found)
			}
			continue
		}
		if written == nil {
			written = s.written(e, c)
		}
		out = append(out, commandsIn(written, v)...)
	}
	return out, nil
}

// commandsIn are the commands below a value, in order; known are those of ours.
func commandsIn(known map[string]Called, v hujson.Value) []Called {
	var out []Called
	for _, it := range itemsOf(v) {
		if text, isText := it.value.Value.(hujson.Literal); isText {
			if it.name == "command" || it.name == "bash" {
				command := textOf(text)
				call, ok := known[command]
				if !ok {
					call = Called{Command: command}
				}
				out = append(out, call)
			}
			continue
		}
		out = append(out, commandsIn(known, it.value)...)
	}
	return out
}

// written are the commands that setup writes into a file, word for word, with each program that counts there.
func (s Setup) written(e settingsJSON, c Caller) map[string]Called {
	out := map[string]Called{}
	for _, program := range []string{"pertain", s.Program} {
		for _, closed := range []bool{false, true} {
			if program == "" {
				continue
			}
			c.Program, c.FailClosed = program, closed
			for _, entry := range e.entries(c) {
				v, err := hujson.Parse([]byte(entry.value))
				if err != nil {
					continue
				}
				for _, call := range commandsIn(nil, v) {
					if isOwn(call.Command, c) {
						call.Program = program
						call.Arguments = strings.Fields(strings.TrimSuffix(call.Command[strings.LastIndex(call.Command, " hook "):], " || true"))
						out[call.Command] = call
					}
				}
			}
		}
	}
	return out
}
