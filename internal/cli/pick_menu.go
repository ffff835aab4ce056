package cli

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/menu"
	"github.com/pertain-dev/pertain/internal/writing"
	"github.com/pertain-dev/pertain/plan"
)

// menuTitle stands before the list.
const menuTitle = "Pertain"

// pickByMenu shows the list with a menu program. It is bound to a key, where nobody
// sees what is written to standard error: what goes wrong is told on the desktop too.
func (a *app) pickByMenu(cmd *cobra.Command, flags pickFlags) error {
	shown, err := a.menuDesk().Find(flags.menu)
	if err != nil {
		return usage("--menu: %s", err)
	}
	err = a.pickOver(cmd, flags, shown)
	var told *exit
	if errors.As(err, &told) && told.message != "" {
		_ = a.menuDesk().Notify(context.WithoutCancel(cmd.Context()), menuTitle, told.message) // it is on standard error as well
	}
	return err
}

// pickOver collects everything that any of the strategies may need while the user's
// window is still the one in front, and opens the menu then.
func (a *app) pickOver(cmd *cobra.Command, flags pickFlags, shown menu.Menu) error {
	ctx := cmd.Context()
	desk, err := a.pickFrom(cmd, &flags)
	if err != nil {
		return err
	}
	if err := desk.complete(ctx); err != nil {
		return err
	}
	entries, remove := a.menuEntries(desk, shown)
	at, err := shown.Choose(ctx, menuTitle, entries)
	remove()
	if err != nil {
		return menuProblem(err)
	}
	item := desk.items[at]
	input := flags.input
	if !cmd.Flags().Changed("input") && item.input {
		if input, err = shown.Ask(ctx, entries[at].Title); err != nil {
			return menuProblem(err)
		}
	}
	x, err := desk.plan(ctx, item.Strategy.ID, input)
	if err != nil {
		return err
	}
	if x.Plan == nil {
		return negative("%s: %s", x.Strategy.ID, x.Reason)
	}
	return a.then(ctx, desk, x.Plan, flags)
}

func menuProblem(err error) error {
	switch {
	case errors.Is(err, menu.ErrLeft):
		return errNothingChosen
	case errors.Is(err, context.Canceled):
		return err
	}
	return usage("--menu: %s", err)
}

// complete collects what the plans of all strategies need, so that nothing has to be
// read from the screen once the menu is over it.
func (d *pickDesk) complete(ctx context.Context) error {
	if d.gatherer == nil {
		return nil
	}
	var needs facts.Needs
	for _, item := range d.items {
		more, _ := d.engine.PlanNeeds(item.Strategy.ID)
		needs.Merge(more)
	}
	gathered, err := d.gatherer.Gather(ctx, needs, facts.Parts{Values: d.snapshot.Values(), Tree: d.snapshot.Tree()}, plan.DefaultTimeout)
	if err != nil {
		return err
	}
	d.snapshot, d.gatherer = gathered.Snapshot, nil
	return nil
}

// menuEntries are the lines of the menu. Pictures are files while it is open.
func (a *app) menuEntries(desk *pickDesk, shown menu.Menu) (entries []menu.Entry, remove func()) {
	remove = func() {}
	var names []string
	for _, item := range desk.items {
		entries = append(entries, menu.Entry{Title: item.Shown(), Note: item.Strategy.Description})
		names = append(names, item.Strategy.Icon)
	}
	if !shown.ShowsIcons() {
		return entries, remove
	}
	texts := map[string]string{}
	for name, picture := range menu.Pictures(names) {
		texts[menu.FileName(name)] = picture
	}
	dir, done, err := writing.Scratch(a.workspace(), texts)
	if err != nil {
		return entries, remove // a menu without pictures is one
	}
	for i, name := range names {
		if file := menu.FileName(name); texts[file] != "" {
			entries[i].Icon = filepath.Join(dir, file)
		}
	}
	return entries, done
}

// menuDesk is where menus are opened.
func (a *app) menuDesk() menu.Desk {
	return menu.Desk{Search: a.programs(), Env: a.call.Env, Dir: a.call.Dir}
}
