package compositor

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"

	"github.com/godbus/dbus/v5"

	"github.com/pertain-dev/pertain/collect/internal/wayland"
)

const (
	shellName       = "org.gnome.Shell"
	shellIntrospect = "org.gnome.Shell.Introspect"
)

// ErrRefused says that GNOME Shell is here, and tells its windows to programs that it
// trusts alone. It comes with [wayland.ErrUntold].
var ErrRefused = errors.New("GNOME Shell does not tell its windows")

// askShell asks for all windows, which GNOME Shell tells programs that it trusts, and
// everybody in its unsafe mode.
func askShell(ctx context.Context, conn *dbus.Conn, owner string) (wayland.Front, error) {
	var windows map[uint64]map[string]dbus.Variant
	err := conn.Object(owner, "/org/gnome/Shell/Introspect").CallWithContext(ctx, shellIntrospect+".GetWindows", 0).Store(&windows)
	if err != nil {
		var said dbus.Error
		if errors.As(err, &said) && said.Name == "org.freedesktop.DBus.Error.AccessDenied" {
			err = ErrRefused
		}
		return wayland.Front{}, errors.Join(wayland.ErrUntold, err)
	}
	for id, window := range windows {
		if focused, _ := window["has-focus"].Value().(bool); !focused {
			continue
		}
		text := func(name string) string {
			value, _ := window[name].Value().(string)
			return value
		}
		class := text("wm-class")
		if class == "" {
			class = text("app-id")
		}
		front := wayland.Front{Title: text("title"), Class: class, ID: strconv.FormatUint(id, 10)}
		front.PID = shellProcess(ctx, conn, owner, front.Title)
		return front, nil
	}
	return wayland.Front{}, wayland.ErrNone
}

// shellFocus is evaluated by GNOME Shell, in its unsafe mode.
const shellFocus = `global.display.focus_window ? {title: global.display.focus_window.get_title(), pid: global.display.focus_window.get_pid()} : {}`

// shellProcess is the process of the window in front, which has a title; 0: unknown. The
// list of windows has no processes.
func shellProcess(ctx context.Context, conn *dbus.Conn, owner, title string) int {
	var done bool
	var text string
	err := conn.Object(owner, "/org/gnome/Shell").CallWithContext(ctx, shellName+".Eval", 0, shellFocus).Store(&done, &text)
	if err != nil || !done || len(text) > maxTold {
		return 0
	}
	var window struct {
		Title string `json:"title"`
		PID   int    `json:"pid"`
	}
	if json.Unmarshal([]byte(text), &window) != nil || window.Title != title { // another one came to the front
		return 0
	}
	return max(window.PID, 0)
}
