package cli

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/cases"
	"github.com/pertain-dev/pertain/internal/discover/strategyfile"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/strategy"
)

// strategyFinder finds the strategy of a test file.
type strategyFinder struct {
	app     *app
	options pertain.Options
	test    testFile
	found   *foundStrategies
}

// strategies are some that were loaded together.
type strategies struct {
	all   []*strategy.Strategy
	byKey map[string]*strategy.Strategy // by id, the first one
}

// foundStrategies are those of folders that many test files ask for: they are compiled once, and not for each of them. Folders come one
// after the other, so that of those that test files lie in the last one is kept.
type foundStrategies struct {
	usual  *strategies
	folder string
	near   *strategies
	root   string
	below  *strategies
}

// find looks for a strategy: in the file beside, in the folder of the test file, in the
// folder that was searched, among those that count here.
func (f strategyFinder) find(ctx context.Context, id string) (*strategy.Strategy, error) {
	beside, _ := cases.StrategyOf(f.test.path)
	own := f.named(ctx, beside)
	if id == "" {
		if len(own.all) == 0 {
			return nil, fmt.Errorf("there is no strategy file %s beside it; name a strategy with `strategy:`", filepath.Base(beside))
		}
		return own.all[0], nil
	}
	var ids []string
	for _, find := range []func() *strategies{
		func() *strategies { return own },
		func() *strategies { return f.inFolder(ctx) },
		func() *strategies { return f.inRoot(ctx) },
		func() *strategies { return f.usual(ctx) },
	} {
		found := find()
		if s := found.byKey[strategy.Key(id)]; s != nil {
			return s, nil
		}
		for _, s := range found.all {
			ids = append(ids, s.ID)
		}
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if near := diag.Nearest(id, ids); near != "" {
		return nil, fmt.Errorf("there is no strategy `%s`; did you mean `%s`?", diag.Short(id), near)
	}
	return nil, fmt.Errorf("there is no strategy `%s`; `pertain match --all` lists them", diag.Short(id))
}

// inFolder are the strategies below the folder of the test file.
func (f strategyFinder) inFolder(ctx context.Context) *strategies {
	folder := filepath.Dir(f.test.path)
	if folder == f.test.root {
		return f.inRoot(ctx)
	}
	if f.found.near == nil || f.found.folder != folder {
		near := f.named(ctx, folder)
		if ctx.Err() != nil {
			return near
		}
		f.found.folder, f.found.near = folder, near
	}
	return f.found.near
}

// inRoot are those below the folder that was searched.
func (f strategyFinder) inRoot(ctx context.Context) *strategies {
	if f.found.below == nil || f.found.root != f.test.root {
		below := f.named(ctx, f.test.root)
		if ctx.Err() != nil {
			return below
		}
		f.found.root, f.found.below = f.test.root, below
	}
	return f.found.below
}

// usual are those that count here.
func (f strategyFinder) usual(ctx context.Context) *strategies {
	if f.found.usual == nil {
		usual := f.open(ctx, f.options)
		if ctx.Err() != nil {
			return usual
		}
		f.found.usual = usual
	}
	return f.found.usual
}

// named are the strategies of a file or folder.
func (f strategyFinder) named(ctx context.Context, path string) *strategies {
	if path == "" {
		return &strategies{}
	}
	if _, err := files.OS().Stat(path); err != nil {
		return &strategies{}
	}
	providers, err := strategyfile.Named(ctx, files.OS(), f.app.strategyRoots(), []string{path})
	if err != nil {
		return &strategies{}
	}
	options := f.options
	options.Providers = providers
	return f.open(ctx, options)
}

func (f strategyFinder) open(ctx context.Context, options pertain.Options) *strategies {
	engine, err := pertain.Open(ctx, options)
	if err != nil {
		return &strategies{}
	}
	out := &strategies{all: engine.Catalog().Strategies(), byKey: map[string]*strategy.Strategy{}}
	for _, s := range out.all {
		if key := strategy.Key(s.ID); out.byKey[key] == nil {
			out.byKey[key] = s
		}
	}
	return out
}
