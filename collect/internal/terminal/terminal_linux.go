package terminal

import (
	"context"
	"slices"
	"strconv"

	"github.com/pertain-dev/pertain/collect/internal/process"
)

// Window is the window in front, whose program shows several terminals.
type Window struct {
	ID    uint32 // of X; 0 on Wayland
	Title string
	PID   int

	Session string                                // address of the session bus; "": there is none
	Count   func(ctx context.Context) (int, bool) // how many terminals the window has on the accessibility bus; false: it is not there
	Text    func(ctx context.Context) string      // the last lines of the terminal that has the keyboard; "": they cannot be read
	Root    func(folder string) string            // the workspace that a folder is in, or the folder
	Folder  func(process.Terminal) (folder string, err error)
}

// InFront is the terminal that the user of a window looks at; false: nothing tells.
func InFront(ctx context.Context, w Window, all []process.Terminal) (process.Terminal, bool) {
	if len(all) == 1 {
		return all[0], true
	}
	if len(all) == 0 {
		return process.Terminal{}, false
	}
	for _, ask := range []func(context.Context, Window, []process.Terminal) (process.Terminal, bool){konsole, kitty} {
		if t, ok := ask(ctx, w, all); ok {
			return t, true
		}
	}
	tabs := describe(all)
	if at, ok := named(w.Title, tabs); ok {
		return all[at], true
	}
	if own := w.own(ctx, tabs); own != nil {
		tabs = own
	}
	if len(tabs) == 1 {
		return tabs[0].Terminal, true
	}
	if w.alike(tabs) {
		return tabs[0].Terminal, true
	}
	if at, ok := named(w.Title, tabs); ok {
		return tabs[at].Terminal, true
	}
	if at, ok := prompted(w.Text(ctx), tabs); ok {
		return tabs[at].Terminal, true
	}
	return process.Terminal{}, false
}

// tab is a terminal with what is compared.
type tab struct {
	process.Terminal
	folders []string // of its programs
	home    string   // of its user
	window  string   // the window of X that it was started in; "": not known
	program string   // what runs in it; "": nothing but the shell
}

func describe(all []process.Terminal) []tab {
	tabs := make([]tab, len(all))
	for i, t := range all {
		tabs[i] = tab{Terminal: t, folders: t.Folders()}
		if started := process.StartedWith(t.Shell); started != nil {
			tabs[i].home, tabs[i].window = started("HOME"), started("WINDOWID")
		}
		if t.Front != t.Shell {
			tabs[i].program = process.Name(t.Front)
		}
	}
	return tabs
}

// own are the terminals that were started in this window of X; nil: it is not known
// which. A tab may have been taken to another window since: then there are more or
// fewer in it.
func (w Window) own(ctx context.Context, tabs []tab) []tab {
	if w.ID == 0 || slices.ContainsFunc(tabs, func(t tab) bool { return t.window == "" }) {
		return nil
	}
	own := slices.DeleteFunc(slices.Clone(tabs), func(t tab) bool { return t.window != strconv.Itoa(int(w.ID)) })
	if count, told := w.Count(ctx); told && count != len(own) || len(own) == 0 {
		return nil
	}
	return own
}

// alike tells whether it does not matter which terminal it is: all are in one workspace.
func (w Window) alike(tabs []tab) bool {
	first := ""
	for _, t := range tabs {
		folder, err := w.Folder(t.Terminal)
		if err != nil {
			return false
		}
		root := w.Root(folder)
		if first == "" {
			first = root
		}
		if root == "" || root != first {
			return false
		}
	}
	return true
}
