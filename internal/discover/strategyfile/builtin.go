package strategyfile

import (
	"context"
	"embed"
	"strings"

	"github.com/pertain-dev/pertain/strategy"
)

//go:embed builtin/*.strategy.md
var builtinFiles embed.FS

// builtin is the provider of the strategies in the program itself.
type builtin struct{}

func (builtin) ID() string { return "builtin" }

func (builtin) Roots() []string { return nil }

func (builtin) List(context.Context) ([]strategy.Entry, error) {
	files, err := builtinFiles.ReadDir("builtin")
	if err != nil {
		return nil, err
	}
	entries := make([]strategy.Entry, 0, len(files))
	for _, f := range files {
		entries = append(entries, builtinEntry(f.Name()))
	}
	return entries, nil
}

func builtinEntry(name string) strategy.Entry {
	return strategy.Entry{
		Name:   "builtin/" + name,
		Origin: strategy.Origin{Provider: "builtin", Path: name, Trusted: true},
	}
}

func (builtin) Find(path string) (strategy.Entry, bool) {
	name, ok := strings.CutPrefix(path, "builtin/")
	if _, err := builtinFiles.ReadFile(path); !ok || err != nil {
		return strategy.Entry{}, false
	}
	return builtinEntry(name), true
}

func (builtin) Read(_ context.Context, entry strategy.Entry) ([]byte, error) {
	return builtinFiles.ReadFile(entry.Name)
}
