package connect

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// serverTOML is our MCP server as a table at the end of a TOML file: nothing else of the file is touched.
type serverTOML struct{ table string }

func (serverTOML) whole() bool { return false }

// read parses the file and finds our table; an error says where the file is wrong.
func (e serverTOML) read(text string) (map[string]any, error) {
	var all map[string]any
	if err := toml.Unmarshal([]byte(text), &all); err != nil {
		var wrong *toml.DecodeError
		if errors.As(err, &wrong) {
			line, column := wrong.Position()
			return nil, fmt.Errorf("it is not TOML: line %d, column %d", line, column)
		}
		return nil, errors.New("it is not TOML")
	}
	tables, _ := all[e.table].(map[string]any)
	own, _ := tables["pertain"].(map[string]any)
	return own, nil
}

// isOwn tells a table that starts our server.
func (serverTOML) isOwn(table map[string]any, c Caller) bool {
	program, _ := table["command"].(string)
	return isOwn(c.requoted(program)+" mcp", c) && fmt.Sprint(table["args"]) == "[mcp]"
}

func (e serverTOML) block(c Caller) string {
	return fmt.Sprintf("[%s.pertain]\ncommand = %s\nargs = [\"mcp\"]\n", e.table, basic(c.Program))
}

// basic is a text as a basic string.
func basic(s string) string {
	if !strings.ContainsAny(s, `"\`) {
		return `"` + s + `"`
	}
	return strconv.Quote(s)
}

func (e serverTOML) with(text string, c Caller) (string, []splice, error) {
	own, err := e.read(text)
	if err != nil {
		return "", nil, err
	}
	if own != nil {
		if own["command"] == c.Program && fmt.Sprint(own["args"]) == "[mcp]" {
			return text, nil, nil
		}
		start, end, ok := e.find(text)
		if !ok || !e.isOwn(own, c) {
			return "", nil, fmt.Errorf("it has a server `pertain` already, in `%s`, that is not this one; rename it or take it out", e.table)
		}
		return e.amend(text, start, end, c)
	}
	newline := "\n"
	if strings.Contains(text, "\r\n") {
		newline = "\r\n"
	}
	block := strings.ReplaceAll(e.block(c), "\n", newline)
	if text != "" {
		if !strings.HasSuffix(text, "\n") {
			block = newline + block
		}
		block = newline + block
	}
	add := splice{len(text), "", block}
	text = apply(text, []splice{add})
	if own, err := e.read(text); err != nil || own == nil { // such as a table that is written in one line
		return "", nil, fmt.Errorf("`%s` is written so that nothing can be added at the end; write it as [%s.NAME]", e.table, e.table)
	}
	return text, []splice{add}, nil
}

// amend gives our table another program, where it stands.
func (e serverTOML) amend(text string, start, end int, c Caller) (string, []splice, error) {
	at := start
	for line := range strings.Lines(text[start:end]) {
		key, value, _ := strings.Cut(line, "=")
		if strings.TrimSpace(key) != "command" {
			at += len(line)
			continue
		}
		value = strings.TrimSpace(value)
		if i := strings.LastIndexAny(value, `"'`); i >= 0 { // what follows may be a comment
			value = value[:i+1]
		}
		list := []splice{{at + strings.Index(line, value), value, basic(c.Program)}}
		changed := apply(text, list)
		if own, err := e.read(changed); err == nil && own["command"] == c.Program {
			return changed, list, nil
		}
		break
	}
	return "", nil, errors.New("its server `pertain` was edited by hand; take it out by hand")
}

// find is where our table stands: from the blank line before it to the next table or the end.
func (e serverTOML) find(text string) (start, end int, ok bool) {
	at := 0
	header := "[" + e.table + ".pertain]"
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		switch {
		case !ok && trimmed == header:
			start, ok = at, true
		case ok && trimmed != "" && !strings.HasPrefix(trimmed, "command") && !strings.HasPrefix(trimmed, "args"):
			if !strings.HasPrefix(trimmed, "[") && !strings.HasPrefix(trimmed, "#") {
				return 0, 0, false // somebody has added to it
			}
			return start, at, true
		}
		at += len(line)
	}
	if ok {
		for strings.HasSuffix(text[:start], "\n\n") {
			start--
		}
		if strings.HasSuffix(text[:start], "\r\n\r\n") {
			start -= 2
		}
	}
	return start, at, ok
}

func (e serverTOML) has(text string, _ Caller) []string {
	if own, err := e.read(text); err == nil && own != nil {
		return []string{e.table}
	}
	return nil
}

func (e serverTOML) without(text string, c Caller, kept []string) (string, bool, error) {
	own, err := e.read(text)
	if err != nil || own == nil || len(kept) > 0 {
		return text, false, err
	}
	if !e.isOwn(own, c) {
		return text, false, nil
	}
	start, end, ok := e.find(text)
	if !ok {
		return "", false, errors.New("its server `pertain` was edited by hand; take it out by hand")
	}
	return text[:start] + text[end:], true, nil
}
