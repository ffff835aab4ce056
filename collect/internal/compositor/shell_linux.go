package compositor

import (
	"context"
	"errors"

	"github.com/godbus/dbus/v5"

	"github.com/pertain-dev/pertain/collect/internal/wayland"
)

const (
	shellName       = "org.gnome.Shell"
	shellIntrospect = "org.gnome.Shell.Introspect"
)

// askShell asks for all windows, which GNOME Shell tells programs that it trusts. It does
// not tell their processes.
func askShell(ctx context.Context, conn *dbus.Conn, owner string) (wayland.Front, error) {
	var windows map[uint64]map[string]dbus.Variant
	err := conn.Object(owner, "/org/gnome/Shell/Introspect").CallWithContext(ctx, shellIntrospect+".GetWindows", 0).Store(&windows)
	if err != nil {
		return wayland.Front{}, errors.Join(wayland.ErrUntold, err)
	}
	for _, window := range windows {
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
		return wayland.Front{Title: text("title"), Class: class}, nil
	}
	return wayland.Front{}, wayland.ErrNone
}
