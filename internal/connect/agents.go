package connect

import "slices"

// Agents are all agents that can be connected, by name.
func Agents() []Agent {
	return []Agent{
		claude(), cline(), codex(), continueDev(), copilot(), cursor(), droid(), gemini(), junie(), kiro(), opencode(), pi(), qwen(), roo(), vscode(), windsurf(), zed(),
	}
}

// Names are their names.
func Names() []string {
	var out []string
	for _, a := range Agents() {
		out = append(out, a.Name)
	}
	return out
}

// Named finds an agent by its name.
func Named(name string) (Agent, bool) {
	all := Agents()
	i := slices.IndexFunc(all, func(a Agent) bool { return a.Name == name })
	if i < 0 {
		return Agent{}, false
	}
	return all[i], true
}

// Has tells whether an agent has a part at all.
func (a Agent) Has(part Part) bool {
	return slices.ContainsFunc(a.connections, func(c connection) bool { return c.part == part })
}
