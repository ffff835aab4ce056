package connect

import (
	"os"
	"path/filepath"

	"github.com/pertain-dev/pertain/internal/program"
)

// Search says where agents are looked for.
type Search struct {
	Root, Home string
	Programs   program.Search
}

// Find gives the agents that are here: their folders, or their programs.
func Find(search Search) []Agent {
	var out []Agent
	for _, a := range Agents() {
		if a.Found(search) != "" {
			out = append(out, a)
		}
	}
	return out
}

// Found says what shows that an agent is here; empty: nothing does.
func (a Agent) Found(search Search) string {
	for _, name := range a.Here {
		if path := filepath.Join(search.Root, filepath.FromSlash(name)); there(path) {
			return path
		}
	}
	if search.Home != "" {
		for _, name := range a.Home {
			if path := filepath.Join(search.Home, filepath.FromSlash(name)); there(path) {
				return path
			}
		}
	}
	if a.Program != "" {
		if p, err := search.Programs.Find(a.Program); err == nil {
			return p.Path()
		}
	}
	return ""
}

func there(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
