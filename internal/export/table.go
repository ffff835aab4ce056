package export

import (
	"slices"

	"github.com/pertain-dev/pertain/internal/agent"
)

// Forms are how rules are written for each agent, by its name.
func Forms() []Form {
	all := []Form{
		amazonq(), amp(), augment(), claude(), cline(), codex(), continueDev(), copilot(), crush(), cursor(), droid(), gemini(), goose(),
		junie(), kilo(), kiro(), omp(), opencode(), pi(), qwen(), roo(), trae(), warp(), windsurf(), zed(),
	}
	for i := range all {
		all[i].agent, _ = agent.Lookup(all[i].Agent)
	}
	return all
}

// FormOf finds the form of an agent.
func FormOf(name string) (Form, bool) {
	all := Forms()
	i := slices.IndexFunc(all, func(f Form) bool { return f.Agent == name })
	if i < 0 {
		return Form{}, false
	}
	return all[i], true
}
