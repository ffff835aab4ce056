package connect

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/pertain-dev/pertain/internal/agent"
)

// Assigned are variables that a file of a project sets for what an agent starts.
type Assigned struct {
	Path  string
	Names []string // sorted
}

// Leading gives the variables by which files of a project name other folders for what is the user's own, for the hooks or the MCP
// server of an agent. What cannot be read is told by Inspect.
func (s Setup) Leading(a Agent, part Part) []Assigned {
	var out []Assigned
	add := func(path string, names []string) {
		names = slices.DeleteFunc(names, func(name string) bool { return !leads(name) })
		slices.Sort(names)
		if names = slices.Compact(names); len(names) > 0 {
			out = append(out, Assigned{path, names})
		}
	}
	for _, c := range a.connections {
		if path := s.choose(c, Project); c.part == part && path != "" {
			if text, exists, err := s.readAt(Project, path); err == nil && exists {
				_, text = cutMark(text)
				add(path, assigned(c, text))
			}
		}
	}
	for _, name := range a.environment {
		path := filepath.Join(s.Root, filepath.FromSlash(name))
		if slices.ContainsFunc(out, func(known Assigned) bool { return known.Path == path }) {
			continue
		}
		text, exists, err := s.readAt(Project, path)
		switch {
		case err != nil || !exists:
		case strings.HasSuffix(name, ".json"):
			j := jsonText{text: text}
			if root, err := j.parse(); err == nil {
				add(path, variablesOf(root))
			}
		default:
			add(path, envFileNames(text))
		}
	}
	return out
}

// leads tells whether a variable says where the user's own files are.
func leads(name string) bool {
	name = strings.ToUpper(name)
	return strings.HasPrefix(name, "PERTAIN_") || strings.HasPrefix(name, "XDG_") || slices.Contains([]string{"HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA"}, name) ||
		slices.Contains(agent.FolderVariables(), name)
}

// assigned are the variables that a settings file sets: for hooks those of all that the agent starts and those beside a command, for a
// server its own.
func assigned(c connection, text string) []string {
	switch edit := c.edit.(type) {
	case serverTOML:
		own, err := edit.read(text)
		if err != nil {
			return nil
		}
		var names []string
		if variables, ok := own["env"].(map[string]any); ok {
			for name := range variables {
				names = append(names, name)
			}
		}
		return names
	case settingsJSON:
		if strings.TrimSpace(text) == "" {
			return nil
		}
		j := jsonText{text: text}
		root, err := j.parse()
		if err != nil {
			return nil
		}
		names := variablesOf(root)
		for _, entry := range edit.entries(Caller{Program: "pertain"}) {
			v, ok := root, true
			for _, step := range entry.path {
				if v, ok = member(v, step); !ok {
					break
				}
			}
			if ok && c.part == MCP {
				v, ok = member(v, entry.name)
			}
			if ok {
				names = append(names, variablesBelow(v)...)
			}
		}
		return names
	}
	return nil
}

// variablesOf are those that an object sets.
func variablesOf(v hujson.Value) []string {
	var names []string
	for _, word := range []string{"env", "environment"} {
		if variables, ok := member(v, word); ok {
			for _, it := range itemsOf(variables) {
				names = append(names, it.name)
			}
		}
	}
	return names
}

// variablesBelow are those of all objects in a value.
func variablesBelow(v hujson.Value) []string {
	names := variablesOf(v)
	for _, it := range itemsOf(v) {
		names = append(names, variablesBelow(it.value)...)
	}
	return names
}

// envFileNames are the names in lines as NAME=VALUE.
func envFileNames(text string) []string {
	var names []string
	for line := range strings.Lines(text) {
		name, _, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "export "), "=")
		if ok && !strings.HasPrefix(name, "#") {
			names = append(names, strings.TrimSpace(name))
		}
	}
	return names
}
