package lsp

import (
	"github.com/pertain-dev/pertain/internal/cases"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/lint"
	"github.com/pertain-dev/pertain/strategy"
)

// kind is what a document is to Pertain.
type kind uint8

const (
	nothing kind = iota // of ours
	strategyFile
	ruleFile
	settingsFile
	contextFile
	testFile
)

// kindOf tells what a file is by its path.
func (f *folder) kindOf(path string) kind {
	_, tests := cases.StrategyOf(path)
	switch {
	case discover.ReadsAsRule(files.OS(), f.lint.Rules, path):
		return ruleFile
	case strategy.IsFile(path):
		return strategyFile
	case path == f.settings:
		return settingsFile
	case lint.IsContext(path):
		return contextFile
	case tests:
		return testFile
	}
	return nothing
}
