package files

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
)

// How far walks go, by what is walked: levels below the root, and names in all.
const (
	NamedDepth     = 32        // below a folder that somebody named
	NamedEntries   = 200_000   // the same
	RulesDepth     = 8         // below a tool's folder of rules
	RulesEntries   = 20_000    // the same
	ProjectEntries = 1_000_000 // in a whole project
	ProjectFiles   = 500_000   // files of a project that all globs of rules are compared with
	SearchEntries  = 100_000   // in a project, for who waits for what is found
	OfferEntries   = 5_000     // below a folder, for what an editor offers while somebody types
)

// WalkOptions says how far a walk goes. The zero value does not follow links to folders.
type WalkOptions struct {
	MaxDepth   int  // folders below the root that are entered, 0 means NamedDepth
	MaxEntries int  // names that are looked at in all, 0 means NamedEntries
	Follow     bool // enter folders that links lead to

	// Within is where links may lead, and where folders must be when they are listed; nil means anywhere. What is out of bounds is
	// visited with an [*OutsideError].
	Within *Bounds
}

// Step is one thing that a walk comes to.
type Step struct {
	Path string // absolute, as written: links are not resolved
	Rel  string // from the root, with slashes; `.` for the root itself
	Info Info   // what the path leads to; of a folder and of a file that is no link only Kind is set
	Link bool   // the name is a link
	Err  error  // not nil: the folder cannot be listed, the link leads nowhere, or a limit is reached (*LimitError)
}

// LimitError says that a walk left something out.
type LimitError struct {
	Path string
	What string // `levels`, `entries` or `folders`
	Max  int
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("walk %s: more than %d %s", e.Path, e.Max, e.What)
}

// ErrSkipFolder, returned by the function given to [Walk] for a folder, leaves that folder out; ErrSkipAll ends the walk. Neither
// is an error of the walk.
var (
	ErrSkipFolder = errors.New("skip this folder")
	ErrSkipAll    = errors.New("skip everything that is left")
)

// Walk calls visit for everything below root, folders before what they hold, so that files come in byte order of Rel.
// A folder is visited before it is listed. If it then cannot be, it is visited once more, with Err, and the walk goes on.
// Walk itself returns an error only if root cannot be listed, ctx ends, or visit returns one.
//
// With Follow, a link to a folder is entered unless the folder lies inside root (its files are found by their own path),
// holds root, or was entered through a link before; so no folder is seen twice and a cycle does no harm. Links to files are
// always visited.
func Walk(ctx context.Context, tree Tree, root string, opts WalkOptions, visit func(Step) error) error {
	root, err := tree.Abs(root)
	if err != nil {
		return err
	}
	w := &walk{
		ctx: ctx, tree: tree, flavor: tree.Flavor(), root: root, visit: visit, follow: opts.Follow,
		maxDepth: cmp.Or(opts.MaxDepth, NamedDepth), maxEntries: cmp.Or(opts.MaxEntries, NamedEntries),
		entered: map[string]bool{}, within: opts.Within,
	}
	if info, err := w.stat(root); err != nil {
		return err
	} else if info.Kind != Folder {
		return pathError("walk", root, errNotFolder)
	}
	err = visit(Step{Path: root, Rel: ".", Info: Info{Kind: Folder}})
	if err == nil {
		list, listErr := w.readDir(root)
		if listErr != nil {
			return listErr
		}
		err = w.list(root, "", list, 0, "")
	}
	if errors.Is(err, ErrSkipAll) || errors.Is(err, ErrSkipFolder) {
		return nil
	}
	return err
}

type walk struct {
	ctx        context.Context
	tree       Tree
	flavor     Flavor
	root       string
	realRoot   string // found when the first link is met
	visit      func(Step) error
	follow     bool
	maxDepth   int
	maxEntries int
	entries    int
	within     *Bounds
	entered    map[string]bool // real paths, as keys, of folders that links led to
}

// stat, realPath and readDir are those of the tree, within bounds if there are some.

func (w *walk) stat(path string) (Info, error) {
	if w.within == nil {
		return w.tree.Stat(path)
	}
	info, _, err := StatWithin(w.tree, path, *w.within)
	return info, err
}

func (w *walk) realPath(path string) (string, error) {
	if w.within == nil {
		return w.tree.RealPath(path)
	}
	_, real, err := StatWithin(w.tree, path, *w.within)
	return real, err
}

func (w *walk) readDir(path string) ([]Entry, error) {
	if w.within == nil {
		return w.tree.ReadDir(path)
	}
	return ListWithin(w.tree, path, *w.within)
}

// list goes through what a folder holds. resolved is the real path of the folder if a link led here, else empty.
func (w *walk) list(path, rel string, entries []Entry, depth int, resolved string) error {
	// `a-b` comes before `a/x` in byte order although `a` comes before `a-b`: a folder sorts with its slash.
	type named struct {
		Entry
		sort string
		step Step
	}
	steps := make([]named, 0, len(entries))
	for _, e := range entries {
		if w.entries++; w.entries > w.maxEntries {
			break
		}
		step := Step{Path: w.flavor.Join(path, e.Name), Rel: e.Name, Info: Info{Kind: e.Kind}, Link: e.Kind == Link}
		if rel != "" {
			step.Rel = rel + "/" + e.Name
		}
		if step.Link {
			step.Info, step.Err = w.stat(step.Path)
		}
		n := named{Entry: e, sort: e.Name, step: step}
		if step.Err == nil && step.Info.Kind == Folder {
			n.sort += "/"
		}
		steps = append(steps, n)
	}
	slices.SortFunc(steps, func(a, b named) int { return cmp.Compare(a.sort, b.sort) })
	for _, n := range steps {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		err := w.one(n.step, n.Name, depth, resolved)
		if err != nil && !(errors.Is(err, ErrSkipFolder) && n.step.Info.Kind == Folder) {
			return err
		}
	}
	if w.entries > w.maxEntries {
		limit := &LimitError{path, "entries", w.maxEntries}
		if err := w.visit(Step{Path: path, Rel: cmp.Or(rel, "."), Info: Info{Kind: Folder}, Err: limit}); err != nil {
			return err
		}
		return ErrSkipAll
	}
	return nil
}

// one visits a single name and, if it is a folder, what is below.
func (w *walk) one(step Step, name string, depth int, resolved string) error {
	if step.Err != nil || step.Info.Kind != Folder {
		return w.visit(step)
	}
	if resolved != "" {
		resolved = w.flavor.Join(resolved, name)
	}
	if step.Link {
		if !w.follow {
			return w.visit(step)
		}
		target, err := w.realPath(step.Path)
		if err != nil {
			step.Err = err
			return w.visit(step)
		}
		resolved = target
	}
	if resolved != "" {
		again, err := w.seen(resolved)
		if err != nil {
			return err
		}
		if again {
			return nil
		}
		w.entered[w.flavor.Key(resolved)] = true
	}
	if depth >= w.maxDepth {
		step.Err = &LimitError{step.Path, "levels", w.maxDepth}
		return w.visit(step)
	}
	if err := w.visit(step); err != nil {
		return err
	}
	list, err := w.readDir(step.Path)
	if err != nil {
		step.Err = err
		return w.visit(step)
	}
	return w.list(step.Path, step.Rel, list, depth+1, resolved)
}

// seen tells whether the walk comes, or came, to this folder in another way.
func (w *walk) seen(resolved string) (bool, error) {
	if w.realRoot == "" {
		var err error
		if w.realRoot, err = w.tree.RealPath(w.root); err != nil {
			return false, err
		}
	}
	if w.flavor.Inside(w.realRoot, resolved) || w.flavor.Inside(resolved, w.realRoot) {
		return true, nil
	}
	return w.entered[w.flavor.Key(resolved)], nil
}
