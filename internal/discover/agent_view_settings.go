package discover

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/internal/agent"
	"github.com/pertain-dev/pertain/rule"
)

// switchOff takes the rules out of use whose names the agent's settings list. Memory
// files are no rules and have no names there.
func (v *view) switchOff(rules []*rule.Rule, byPath map[string]*viewFile) diag.List {
	names, mine := v.switchedOff()
	if len(names) == 0 {
		return nil
	}
	var list diag.List
	for _, r := range rules {
		isRule := byPath[r.Path].location.IsFolder()
		if !isRule || r.Disabled || !slices.Contains(names, r.Name) {
			continue
		}
		if r.Level == rule.User && len(r.Triggers) > 0 && !v.Trusted && !slices.Contains(mine, r.Name) {
			list.Add(diag.At(r.Source, diag.NoSpan, diag.RuleDisabled, "settings of this workspace switch your rule off in %s; here it watches on, since the workspace is not trusted", v.agent.Title).
				WithHint("run `pertain trust` in the workspace if you agree"))
			continue
		}
		r.Disabled, r.Activation, r.When = true, rule.Never, rule.NotAtAll
		r.Settle()
		list.Add(diag.At(r.Source, diag.NoSpan, diag.RuleDisabled, "the settings of %s switch the rule off, and it is never used", v.agent.Title))
	}
	return list
}

// switchedOff are the names that the last of the settings files with such a list has, and that the last of the user's own has.
func (v *view) switchedOff() (names, mine []string) {
	for i := range v.agent.Off.Files {
		p := &v.agent.Off.Files[i]
		at, path, ok := v.settingsPath(p)
		if !ok {
			continue
		}
		if list, ok := v.settingsList(at, path, v.agent.Off.Keys, false); ok {
			if names = list; at.level == rule.User {
				mine = list
			}
		}
	}
	return names, mine
}

// settingsPath is where a settings file of an agent lies; ok is false if it does not count.
func (v *view) settingsPath(p *agent.Location) (at spot, file string, ok bool) {
	if p.Where&agent.User == 0 {
		return spot{dir: v.Dir, level: rule.Project}, p.Path, !v.Own
	}
	dir, below, ok := v.userLocation(&location{path: p.Path, env: p.Env, config: p.Where&agent.Config != 0})
	return spot{dir: dir, level: rule.User}, below.path, ok
}

// settingsList is a list of texts in a settings file in YAML, in JSON with comments or in TOML; ok is false if there is none. alone: one text
// will do.
func (v *view) settingsList(at spot, path string, keys []string, alone bool) (list []string, ok bool) {
	full := v.flavor.Join(at.dir, path)
	o, err := v.open(full, v.bounds(at.dir, at.level))
	if err != nil {
		return nil, false // it is no rule, and says what is wrong with it to the agent's users
	}
	defer o.Close()
	data, err := o.Read(document.MaxYAML)
	if err != nil {
		return nil, false
	}
	switch {
	case strings.HasSuffix(path, ".json"):
		data = withoutComments(data)
	case strings.HasSuffix(path, ".toml"):
		data, keys = tomlValue(data, keys[0]), nil
	}
	source, _ := document.Decode(full, data)
	node, _ := document.ParseYAML(source)
	for _, key := range keys {
		node = node.Get(key)
	}
	if alone && node != nil && node.Kind == document.String {
		return []string{node.Text}, true
	}
	if node == nil || node.Kind != document.Sequence {
		return nil, false
	}
	for _, item := range node.Items {
		if item.IsScalar() {
			list = append(list, item.Text)
		}
	}
	return list, true
}

// tomlValue is a list of texts in TOML, as YAML has it too: that of a key of the file, before its first table. nil: there is none.
func tomlValue(data []byte, key string) []byte {
	quote := "" // of a text over several lines that has not ended
	for rest := data; len(rest) > 0; {
		line, after, _ := bytes.Cut(rest, []byte("\n"))
		text := strings.TrimSpace(string(line))
		name, value, found := strings.Cut(text, "=")
		switch {
		case quote != "":
		case strings.HasPrefix(text, "["):
			return nil
		case found && strings.Trim(name, " \t\"'") == key && strings.HasPrefix(strings.TrimSpace(value), "["):
			from := rest[bytes.IndexByte(rest, '['):]
			return from[:listEnd(from)]
		}
		for _, mark := range []string{`"""`, "'''"} {
			if strings.Count(text, mark)%2 == 0 {
				continue
			}
			if quote == "" {
				quote = mark
				break
			}
			if quote == mark {
				quote = ""
				break
			}
		}
		rest = after
	}
	return nil
}

// listEnd is where the list at the beginning of a text ends.
func listEnd(text []byte) int {
	for i := 1; i < len(text); i++ {
		switch c := text[i]; c {
		case ']':
			return i + 1
		case '#':
			for i < len(text) && text[i] != '\n' {
				i++
			}
		case '"', '\'':
			for i++; i < len(text) && text[i] != c; i++ {
				if c == '"' && text[i] == '\\' {
					i++
				}
			}
		}
	}
	return len(text)
}

// maxNames is how many file names of settings count.
const maxNames = 20

// groups are those of the agent, with its memory files called as its users say.
func (v *view) groups() []agent.Group {
	names, mine, given := v.memoryNames()
	if v.ownNames = mine; !given {
		return v.agent.Groups
	}
	out := slices.Clone(v.agent.Groups)
	for i := range out {
		kinds := slices.Clone(out[i].Kinds)
		for k := range kinds {
			kinds[k] = v.renamed(kinds[k], names, mine)
		}
		if of := v.agent.Names.Of; v.agent.Names.Else && slices.ContainsFunc(kinds, func(kind []agent.Location) bool { return slices.Contains(of, kind[0].Path) }) {
			for _, name := range names {
				last := kinds[len(kinds)-1][0]
				last.As, last.Path = of[0], name
				kinds = append(kinds, []agent.Location{last})
			}
		}
		out[i].Kinds = slices.DeleteFunc(kinds, func(kind []agent.Location) bool { return len(kind) == 0 })
	}
	return out
}

// renamed are the locations of a kind by their present names. Files of the user's own count by the names that the user has given: which
// they are is not for a project to say, but that they are not loaded in it.
func (v *view) renamed(kind []agent.Location, names, mine []string) []agent.Location {
	if v.agent.Names.Else {
		return kind
	}
	var out []agent.Location
	for _, p := range kind {
		if !slices.Contains(v.agent.Names.Of, p.Path) {
			out = append(out, p)
			continue
		}
		usual := path.Base(p.Path)
		for _, name := range names {
			if p.Where&agent.User != 0 && !(slices.Contains(mine, name) || mine == nil && name == usual) {
				continue
			}
			one := p
			if name != usual {
				one.Path, one.As = path.Join(path.Dir(p.Path), name), p.Path
			}
			out = append(out, one)
		}
	}
	return out
}

// memoryNames are the names that the agent's settings give to its memory files, and those that the user's own give; given is false if
// none do. Only what is the name of a file counts, and not a path.
func (v *view) memoryNames() (names, mine []string, given bool) {
	for i := range v.agent.Names.Files {
		at, file, ok := v.settingsPath(&v.agent.Names.Files[i])
		if !ok || at.level == rule.Project && v.flavor.Key(v.Dir) == v.flavor.Key(v.Home) {
			continue
		}
		list, ok := v.settingsList(at, file, v.agent.Names.Keys, true)
		if !ok {
			continue
		}
		if len(list) == 0 { // the usual names count
			continue
		}
		list = slices.DeleteFunc(list, func(name string) bool { return !isName(name) })
		names, given = list[:min(len(list), maxNames)], true
		if at.level == rule.User {
			mine = names
		}
	}
	return names, mine, given
}

// isName tells whether a text can be the name of a file in any folder.
func isName(text string) bool {
	return text != "" && text != "." && text != ".." && !strings.ContainsAny(text, "/\\:\x00")
}

// unsure tells whether a location counts only by the word of a workspace that is not trusted.
func (v *view) unsure(p *agent.Location) bool {
	return p.As != "" && p.Where&agent.User == 0 && !v.Trusted && !slices.Contains(v.ownNames, p.Path)
}
