// Package cases is the tests that authors write beside their strategies.
//
// Use [Read] first: it reads a test file. [File.Run] then runs its cases against the
// strategy. Nothing is collected from the machine and nothing is written; prompts are
// made in memory, so that the strategy of a workspace need not be trusted.
package cases

import "strings"

// Suffix is the ending of test files.
const Suffix = ".test.yaml"

// MaxBytes is how large a test file may be, and MaxContext a context file that it
// names.
const (
	MaxBytes   = 1 << 20
	MaxContext = 16 << 20
)

// maxCases bounds the cases of one file.
const maxCases = 10_000

// StrategyOf is the path of the strategy file that a test file stands beside; ok is
// false if the path is not that of a test file.
func StrategyOf(path string) (strategy string, ok bool) {
	base, ok := strings.CutSuffix(path, Suffix)
	if !ok {
		return "", false
	}
	name := base[strings.LastIndexAny(base, `/\`)+1:]
	if name == "STRATEGY" || strings.HasSuffix(strings.ToLower(name), ".strategy") && len(name) > len(".strategy") {
		return base + ".md", true
	}
	return "", false
}

// Beside is the path of the test file of a strategy file.
func Beside(strategy string) string { return strings.TrimSuffix(strategy, ".md") + Suffix }

// Result is what one case came to. What is wrong with a file itself is a failed case
// without a name.
type Result struct {
	File    string `json:"file"`
	Name    string `json:"name"`
	Line    int    `json:"line,omitempty"` // where the case stands, or what failed in it
	Passed  bool   `json:"passed"`
	Message string `json:"-"` // why it failed, in one line; empty: it passed
}
