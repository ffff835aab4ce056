package cli

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/cases"
	"github.com/pertain-dev/pertain/internal/discover/strategyfile"
	"github.com/pertain-dev/pertain/internal/fileerror"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/preprocess"
	"github.com/pertain-dev/pertain/internal/settings"
)

// caseRun runs the cases of test files.
type caseRun struct {
	app      *app
	options  pertain.Options
	files    []testFile
	progress []cases.Progress  // of each file
	told     []map[string]bool // by file, the paths of contexts that were told of
	odd      int               // how many were told in all
	found    foundStrategies
	trusted  map[string]bool // by workspace

	stranger *cases.Budget // of what strangers wrote; nil: the usual one
}

// all runs the files that the user named or trusts in their order, on minutes. What strangers wrote has a small budget of its own:
// each file gets a share of it at first, so that no slow one takes their time from the others.
func (r *caseRun) all(ctx context.Context) error {
	r.progress, r.told = make([]cases.Progress, len(r.files)), make([]map[string]bool, len(r.files))
	r.trusted = map[string]bool{}
	var own, others []int
	for i, found := range r.files {
		switch {
		case found.results != nil:
			r.progress[i] = cases.Progress{Results: found.results, Done: true}
		case r.trusts(found):
			own = append(own, i)
		default:
			others = append(others, i)
		}
	}
	if len(others) > 0 {
		budget := r.stranger
		if budget == nil {
			budget = cases.NewStrangerBudget()
		}
		var later []int
		for n, i := range others {
			share := budget.Share(len(others) - n)
			if share >= 0 {
				if err := r.file(ctx, i, budget, share); err != nil {
					return err
				}
			}
			if !r.progress[i].Done {
				later = append(later, i)
			}
		}
		if err := r.inOrder(ctx, later, budget); err != nil {
			return err
		}
	}
	return r.inOrder(ctx, own, cases.NewBudget())
}

// inOrder runs files one after the other. When the budget is used up, those that have not begun are told in one result.
func (r *caseRun) inOrder(ctx context.Context, list []int, budget *cases.Budget) error {
	var left []int
	for _, i := range list {
		if !budget.Spend(0) && len(r.progress[i].Results) == 0 {
			left = append(left, i)
			continue
		}
		if err := r.file(ctx, i, budget, 0); err != nil {
			return err
		}
	}
	if len(left) == 0 {
		return nil
	}
	what := "it was"
	if more := len(left) - 1; more > 0 {
		what = fmt.Sprintf("it and %s were", plural(more, "more file"))
	}
	r.progress[left[0]].Results = []cases.Result{budget.Refusal(r.files[left[0]].path, 1, what)}
	return nil
}

// trusts tells whether a file is the user's own: it was named, it is in a folder of the user's strategies, or its workspace is trusted.
func (r *caseRun) trusts(found testFile) bool {
	if found.root == "" {
		return true
	}
	if r.app.isOwnFolder(found.path) {
		return true
	}
	return r.trustsFolder(cmp.Or(settings.WorkspaceAround(files.OS(), filepath.Dir(found.path)), found.root))
}

func (r *caseRun) trustsFolder(folder string) bool {
	trusted, known := r.trusted[folder]
	if !known {
		trusted = r.app.trusts(folder)
		r.trusted[folder] = trusted
	}
	return trusted
}

// isStranger tells whether somebody else may have written a test file, by the workspace around it; empty: there is none. Who names one
// in a workspace wants it to be run, and has not read it.
func (r *caseRun) isStranger(found testFile, around string) bool {
	own := r.app.paths().UserStrategies
	switch {
	case own != "" && files.OS().Flavor().Inside(own, found.path):
		return false
	case around == "":
		return !r.trusts(found)
	}
	return !r.trustsFolder(around)
}

// file runs the cases of one test file, as far as its share goes.
func (r *caseRun) file(ctx context.Context, i int, budget *cases.Budget, share time.Duration) error {
	found, progress := r.files[i], &r.progress[i]
	tree, folder := files.OS(), filepath.Dir(found.path)
	data, err := strategyfile.ReadBeside(tree, found.path, found.within, cases.MaxBytes)
	if err != nil {
		*progress = cases.Progress{Done: true, Results: []cases.Result{{File: found.path, Line: 1, Message: "the file cannot be read: " + fileerror.Reason(err)}}}
		return nil
	}
	test := cases.Read(found.path, data)
	budget.Spend(test.Effort())
	bounds, within := files.Anywhere(), settings.WorkspaceAround(tree, folder)
	registry, stranger := preprocess.RegistryWithin(within), r.isStranger(found, within)
	if stranger {
		registry = preprocess.RegistryForStrangers(cmp.Or(within, folder), r.app.paths().Home)
	}
	switch {
	case within != "":
		bounds = files.Below(tree, within)
	case stranger:
		bounds = files.Below(tree, found.root)
	}
	options := r.options
	options.Preprocessors = registry
	return test.RunOn(ctx, cases.World{
		Odd:           func(line int, list diag.List) { r.tellOdd(i, line, list) },
		Budget:        budget,
		Share:         share,
		Preprocessors: registry,
		Find:          strategyFinder{app: r.app, options: options, test: found, found: &r.found}.find,
		Open: func(path string) ([]byte, error) {
			if !filepath.IsAbs(path) {
				path = filepath.Join(folder, filepath.FromSlash(path))
			}
			return cases.OpenContext(tree, path, bounds)
		},
	}, progress)
}

// maxOdd is how many mistakes in contexts a run tells of.
const maxOdd = 200

// tellOdd tells what a context says that nothing reads, once for each file: a context of the whole file is part of each case.
func (r *caseRun) tellOdd(i, line int, list diag.List) {
	if r.odd >= maxOdd {
		return
	}
	if r.told[i] == nil {
		r.told[i] = map[string]bool{}
	}
	list = slices.DeleteFunc(list, func(d diag.Diagnostic) bool {
		again := r.told[i][d.Path]
		r.told[i][d.Path] = true
		return again
	})
	for at := range list {
		list[at].Source = diag.NewSource(fmt.Sprintf("%s:%d", r.files[i].path, line), "")
	}
	r.app.tellMisfits(list)
	if r.odd += len(list); r.odd >= maxOdd {
		fmt.Fprintln(r.app.call.Stderr, "pertain: more such mistakes in contexts are not listed")
	}
}
