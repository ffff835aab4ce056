package agent

import (
	"slices"
	"sync"
)

// All are the agents, by name.
func All() []Agent {
	all := []Agent{
		amazonq(), amp(), augment(), claude(), cline(), codex(), continueDev(), copilot(), crush(), cursor(), droid(), gemini(), goose(),
		junie(), kilo(), kiro(), omp(), opencode(), pi(), qwen(), roo(), trae(), warp(), windsurf(), zed(),
	}
	return all
}

// Names are the names of all agents, sorted.
func Names() []string {
	var out []string
	for _, a := range All() {
		out = append(out, a.Name)
	}
	return out
}

// FolderVariables are the variables that name other folders for what agents keep of the user's own. The slice must not be changed.
func FolderVariables() []string { return folderVariables() }

var folderVariables = sync.OnceValue(func() []string {
	names := []string{"COPILOT_CUSTOM_INSTRUCTIONS_DIRS"}
	note := func(locations []Location) {
		for i := range locations {
			if name := locations[i].Env; name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	for _, a := range All() {
		for _, group := range a.Groups {
			for _, kind := range group.Kinds {
				note(kind)
			}
		}
		note(a.Skills)
	}
	slices.Sort(names)
	return names
})

// Lookup finds an agent by its name.
func Lookup(name string) (*Agent, bool) {
	all := All()
	i := slices.IndexFunc(all, func(a Agent) bool { return a.Name == name })
	if i < 0 {
		return nil, false
	}
	return &all[i], true
}

// every is a group of which all is loaded.
func every(locations ...Location) Group { return Group{Pick: Every, Kinds: [][]Location{locations}} }

// first is a group of single files: in each folder the first that is there.
func first(locations ...Location) Group {
	g := Group{Pick: OneAFolder}
	for _, p := range locations {
		g.Kinds = append(g.Kinds, []Location{p})
	}
	return g
}

// file is a memory file.
func file(path string, where Where) Location { return Location{Path: path, Where: where} }

// markdown is the usual end of the names of rules.
var markdown = []string{".md"}
