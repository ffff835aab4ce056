package menu

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"time"

	"github.com/godbus/dbus/v5"

	"github.com/pertain-dev/pertain/internal/markup"
)

// notifyTime is how long the desktop may take to show a message.
const notifyTime = time.Second

// Notify shows a message for a moment, where the desktop has a service for that.
// What is told must hold nothing of the user's: it may be shown on a locked screen
// and is kept by many desktops.
func (d Desk) Notify(ctx context.Context, title, body string) error {
	address := d.Env("DBUS_SESSION_BUS_ADDRESS")
	if dir := d.Env("XDG_RUNTIME_DIR"); address == "" && filepath.IsAbs(dir) {
		address = "unix:path=" + filepath.Join(dir, "bus")
	}
	if !strings.HasPrefix(address, "unix:") || strings.Contains(address, ";") {
		return errors.New("there is no session bus")
	}
	ctx, stop := context.WithTimeout(ctx, notifyTime)
	defer stop()
	bus, err := dbus.Connect(address, dbus.WithContext(ctx))
	if err != nil {
		return err
	}
	defer func() { _ = bus.Close() }()
	// Bodies are read as markup by most services.
	return bus.Object("org.freedesktop.Notifications", "/org/freedesktop/Notifications").CallWithContext(ctx, "org.freedesktop.Notifications.Notify", 0,
		"Pertain", uint32(0), "", oneLine(title), markup.Text(oneLine(body)), []string{}, map[string]dbus.Variant{"transient": dbus.MakeVariant(true)}, int32(4000)).Err
}
