// Package lint checks strategy and rule files as `pertain lint` tells it: what reading
// them finds, and what is valid and yet not meant. The command line and the language
// server share it.
//
// Begin with [Workspace]: [Workspace.All] checks what is loaded in a folder,
// [Workspace.Named] files and folders. Under a context of [follow.Overlaid] the texts of
// an editor count instead of the disk's.
package lint

import (
	"context"
	"slices"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/discover/strategyfile"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/follow"
	"github.com/pertain-dev/pertain/internal/preprocess"
	"github.com/pertain-dev/pertain/internal/settings"
	"github.com/pertain-dev/pertain/plan"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/strategy"
)

// Workspace is a folder and what counts in it.
type Workspace struct {
	Environment pertain.Environment
	Engine      pertain.Options    // what [pertain.Locate] found
	Strategies  strategyfile.Roots // that decide whose a named file is
	Rules       discover.RuleRoots
}

// Report is what was found. Its JSON form is that of `lint --json`.
type Report struct {
	Files       int       `json:"files"`
	Errors      int       `json:"errors"`
	Warnings    int       `json:"warnings"`
	Diagnostics diag.List `json:"diagnostics"`

	// Mendable is how many files have fixes.
	Mendable int `json:"-"`
	// Elsewhere is how many of the files are not of the repository which was checked as a
	// whole; 0: none, or nobody asked about a repository.
	Elsewhere int `json:"-"`
	// Rules are those that are in force where everything was checked.
	Rules []*rule.Rule `json:"-"`
}

// Finish puts what was found in order, and counts it.
func (r *Report) Finish() {
	r.Diagnostics.Sort()
	r.Diagnostics = r.Diagnostics.Limit()
	r.Errors = r.Diagnostics.Count(diag.Error)
	r.Warnings = r.Diagnostics.Count(diag.Warning)
}

// NamedError is about a path that was named; its text is for the user.
type NamedError struct{ Err error }

func (e *NamedError) Error() string { return e.Err.Error() }

// Unwrap is the error below.
func (e *NamedError) Unwrap() error { return e.Err }

// All checks everything that is loaded: strategies of all providers, and all rules.
func (w Workspace) All(ctx context.Context) (Report, error) {
	read, err := w.readStrategies(ctx, w.Engine)
	if err != nil {
		return Report{}, err
	}
	book, err := pertain.OpenRules(ctx, w.Environment, pertain.RuleOptions{})
	if err != nil {
		return Report{}, err
	}
	rules := ReadRules(book)
	read.Rules, read.Looked, read.Diagnostics = rules.Rules, append(read.Looked, rules.Looked...), append(read.Diagnostics, rules.Diagnostics...)
	report, err := w.report(ctx, read)
	if err != nil {
		return Report{}, err
	}
	tree := follow.Noted(ctx, files.OS())
	if root, ok := settings.WorkspaceRoot(tree, w.Rules.Dir); ok {
		for _, file := range read.Looked {
			if !tree.Flavor().Inside(root, file) {
				report.Elsewhere++
			}
		}
	}
	report.Diagnostics = append(report.Diagnostics, discover.NearNames(tree, w.Rules)...)
	report.Rules = book.Rules()
	report.Finish()
	return report, nil
}

// Named checks files and folders by absolute paths: strategies and rules, and contexts and tests that are named themselves. An error may be a [*NamedError].
func (w Workspace) Named(ctx context.Context, paths []string) (Report, error) {
	tree := follow.Noted(ctx, files.OS())
	paths, found := w.withoutBeside(tree, paths)
	list, err := w.beside(ctx, tree, found)
	if err != nil {
		return Report{}, err
	}
	var report Report
	if len(paths) > 0 {
		read, err := w.Read(ctx, paths)
		if err != nil {
			return Report{}, err
		}
		if report, err = w.report(ctx, read); err != nil {
			return Report{}, err
		}
	}
	report.Files += len(found)
	report.Diagnostics = append(report.Diagnostics, list...)
	report.Finish()
	return report, nil
}

func (w Workspace) report(ctx context.Context, read Read) (Report, error) {
	list, err := w.CheckRules(ctx, read.Rules)
	report := Report{Files: len(read.Looked), Diagnostics: append(read.Diagnostics, list...)}
	for _, r := range read.Rules {
		if len(r.Fixes) > 0 {
			report.Mendable++
		}
	}
	return report, err
}

// Read is files that were read, and what is wrong with strategies and with reading
// rules. What [Workspace.CheckRules] finds is not in it.
type Read struct {
	Looked      []string // the files, in no order that means something
	Strategies  []*strategy.Strategy
	Rules       []*rule.Rule
	Diagnostics diag.List
}

// Read reads files and folders by absolute paths.
func (w Workspace) Read(ctx context.Context, paths []string) (Read, error) {
	tree := follow.Noted(ctx, files.OS())
	options := w.Engine
	var err error
	options.Providers, err = strategyfile.Named(ctx, tree, w.Strategies, w.strategyPaths(tree, paths))
	if err != nil {
		return Read{}, named(ctx, err)
	}
	options.Diagnostics = nil // the settings were not asked about
	read, err := w.readStrategies(ctx, options)
	if err != nil {
		return Read{}, err
	}
	rules, list, looked, err := discover.NamedRules(ctx, tree, w.Rules, paths)
	if err != nil {
		return Read{}, named(ctx, err)
	}
	read.Rules, read.Looked, read.Diagnostics = rules, append(read.Looked, looked...), append(read.Diagnostics, withoutSynced(list, rules)...)
	return read, nil
}

func named(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return err
	}
	return &NamedError{err}
}

// strategyPaths are the named paths that may hold strategies: all but files with
// another name.
func (w Workspace) strategyPaths(tree files.Tree, paths []string) []string {
	return slices.DeleteFunc(slices.Clone(paths), func(path string) bool {
		info, err := tree.Stat(path)
		return err == nil && info.Kind != files.Folder && (!strategy.IsFile(path) || discover.ReadsAsRule(tree, w.Rules, path))
	})
}

func (w Workspace) readStrategies(ctx context.Context, options pertain.Options) (Read, error) {
	engine, err := pertain.Open(ctx, options)
	if err != nil {
		return Read{}, err
	}
	return CheckCatalog(engine.Catalog()), nil
}

// ReadRules is the rules that were loaded, with what is wrong with reading them.
func ReadRules(book *pertain.Rulebook) Read {
	var read Read
	for _, r := range book.All() {
		if r.Shadowed && r.Export != nil { // what is wrong with it is wrong with its source
			continue
		}
		read.Rules = append(read.Rules, r)
		read.Looked = append(read.Looked, r.Path)
	}
	for _, d := range book.Warnings() {
		if d.Code == diag.RuleEmpty {
			read.Looked = append(read.Looked, d.File())
		}
	}
	read.Diagnostics = withoutSynced(slices.Clone(book.Warnings()), read.Rules)
	return read
}

// CheckCatalog is the strategies that an engine loaded, with what is wrong with them.
func CheckCatalog(catalog *pertain.Catalog) Read {
	read := Read{Strategies: catalog.Strategies(), Diagnostics: slices.Clone(catalog.Diagnostics())}
	checks := strategyChecks{templates: plan.NewChecks(preprocess.Registry()), conditions: map[*cond.Expr]diag.List{}}
	for _, s := range catalog.Strategies() {
		read.Looked = append(read.Looked, s.Source.Name())
		read.Diagnostics = append(read.Diagnostics, checks.check(s)...)
	}
	return read
}

// strategyChecks find what is valid and yet not meant: conditions that can never hold, placeholders that nothing fills. What many
// strategies take from one source is looked at once.
type strategyChecks struct {
	templates  *plan.Checks
	conditions map[*cond.Expr]diag.List
}

func (c strategyChecks) check(s *strategy.Strategy) diag.List {
	if s.When == nil {
		return nil // the file could not be read
	}
	found, known := c.conditions[s.When]
	if !known {
		found = cond.Check(s.When)
		c.conditions[s.When] = found
	}
	list := append(slices.Clone(found), c.templates.Check(s)...)
	s.Claim(list)
	return list
}
