package discover

import (
	"context"
	"embed"
	"strconv"
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

// byteCount writes a limit as people do.
func byteCount(n int64) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return strconv.FormatInt(n>>20, 10) + " MiB"
	case n >= 1<<10 && n%(1<<10) == 0:
		return strconv.FormatInt(n>>10, 10) + " KiB"
	}
	return strconv.FormatInt(n, 10) + " bytes"
}
