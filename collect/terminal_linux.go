package collect

import (
	"context"
	"errors"

	"github.com/pertain-dev/pertain/collect/internal/browser"
	"github.com/pertain-dev/pertain/collect/internal/process"
	"github.com/pertain-dev/pertain/collect/internal/terminal"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/menu"
	"github.com/pertain-dev/pertain/internal/settings"
)

// frontDir is the folder that the user of the window in front works in.
func (d *desktop) frontDir(ctx context.Context) (string, error) {
	if !d.present() {
		return "", nil
	}
	w, err := d.front(ctx)
	if err != nil || w.pid == 0 {
		if errors.Is(err, errNoWindow) {
			err = nil
		}
		return "", err
	}
	all := process.Terminals(w.pid)
	if folder := d.documentFolder(w); folder != "" && !menu.IsTerminal(w.process) {
		return folder, nil // also of an editor with a terminal in it
	}
	if len(all) == 0 {
		return process.Own(w.pid), nil
	}
	search := process.Search{Env: d.options.Env, Search: d.options.search}
	shown, ok := terminal.InFront(ctx, d.terminalWindow(ctx, w, search), all)
	if !ok {
		return "", facts.Unavailable("the program in front has several terminals, and does not tell which of them shows",
			"let the shell write its folder into the title, as most do, or name the folder with --cwd")
	}
	return shown.Folder(ctx, search)
}

// documentFolder is the folder of the document that the window's title names, "" if it
// names none. What a browser shows writes its title, so a browser has no document.
func (d *desktop) documentFolder(w window) string {
	if browser.KindOf([]string{w.process, w.class}) != browser.NoBrowser {
		return ""
	}
	return process.DocumentFolder(w.shown(), d.options.Env("HOME"), func(path string) bool {
		info, err := files.OS().Stat(path)
		return err == nil && info.Kind == files.File
	})
}

// terminalWindow is a window with several terminals.
func (d *desktop) terminalWindow(ctx context.Context, w window, search process.Search) terminal.Window {
	return terminal.Window{
		ID: w.id, Title: w.shown(), PID: w.pid, Session: d.sessionAddress(),
		Count: func(ctx context.Context) (int, bool) {
			s, err := d.accessible(ctx, w)
			if err != nil {
				return 0, false
			}
			return s.Terminals(ctx)
		},
		Text: func(ctx context.Context) string {
			s, err := d.accessible(ctx, w)
			if err != nil {
				return ""
			}
			return s.TerminalEnd(ctx)
		},
		Root: func(folder string) string {
			if root, ok := settings.WorkspaceRoot(files.OS(), folder); ok {
				return root
			}
			return folder
		},
		Folder: func(t process.Terminal) (string, error) { return t.Folder(ctx, search) },
	}
}
