package load

import (
	"context"
	"fmt"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/internal/discover/strategyfile"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/plan"
	"github.com/pertain-dev/pertain/strategy"
)

// open loads the folder as the user's strategies, on as many cores as there
// are.
func open(dir string) (*pertain.Engine, error) {
	tree := files.OS()
	return pertain.Open(context.Background(), pertain.Options{
		Providers:     strategyfile.Providers(tree, strategyfile.Roots{User: []string{dir}}),
		Resolvers:     []strategy.Resolver{strategyfile.Resolver{Tree: tree}},
		Preprocessors: plan.Preprocessors(),
	})
}

// namesOf are the names of the strategies by file; an invalid one is an error.
func namesOf(engine *pertain.Engine) (map[string]string, error) {
	names := map[string]string{}
	for _, s := range engine.Catalog().Strategies() {
		if !s.Valid {
			return nil, fmt.Errorf("%s is not valid: %v", s.ID, s.Diagnostics)
		}
		names[s.Source.Name()] = s.Name
	}
	return names, nil
}
