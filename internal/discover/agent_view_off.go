package discover

import (
	"slices"

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
		at := spot{dir: v.Dir, level: rule.Project}
		if p.Where&agent.User != 0 {
			at = spot{dir: v.Home, level: rule.User}
		}
		if at.dir == "" {
			continue
		}
		if list, ok := v.settingsList(at, p.Path, v.agent.Off.Keys); ok {
			if names = list; at.level == rule.User {
				mine = list
			}
		}
	}
	return names, mine
}

// settingsList is a list of texts in a settings file in YAML or JSON; ok is false if there is none.
func (v *view) settingsList(at spot, path string, keys []string) (list []string, ok bool) {
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
	source, _ := document.Decode(full, data)
	node, _ := document.ParseYAML(source)
	for _, key := range keys {
		node = node.Get(key)
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
