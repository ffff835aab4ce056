package compositor

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/godbus/dbus/v5"

	"github.com/pertain-dev/pertain/collect/internal/atspi"
	"github.com/pertain-dev/pertain/collect/internal/wayland"
)

// lasts is how long an answer counts, so that the collectors of one question ask once.
const lasts = 100 * time.Millisecond

// Compositors keeps the last answer of a session's compositor. The zero value is ready.
type Compositors struct {
	mu   sync.Mutex // held while one is asked, for the time that the first who asks has
	of   string     // the session bus
	when time.Time
	told wayland.Front
	err  error
}

// InFront asks the compositor at a session bus. [wayland.ErrNone]: no window is in front;
// [wayland.ErrUntold]: there is none that is known here, or it does not tell.
func (c *Compositors) InFront(ctx context.Context, address string) (wayland.Front, error) {
	if address == "" {
		return wayland.Front{}, wayland.ErrUntold
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.of == address && time.Since(c.when) < lasts {
		return c.told, c.err
	}
	told, err := inFront(ctx, address)
	if ctx.Err() == nil { // the next one may have more time
		c.of, c.when, c.told, c.err = address, time.Now(), told, err
	}
	return told, err
}

func inFront(ctx context.Context, address string) (wayland.Front, error) {
	conn, err := atspi.DialBus(ctx, address)
	if err != nil {
		return wayland.Front{}, errors.Join(wayland.ErrUntold, err)
	}
	defer func() { _ = conn.Close() }()
	for _, known := range []struct {
		name string
		ask  func(ctx context.Context, conn *dbus.Conn, owner string) (wayland.Front, error)
	}{{kwinName, askKWin}, {shellName, askShell}} {
		var owner string
		if conn.BusObject().CallWithContext(ctx, "org.freedesktop.DBus.GetNameOwner", 0, known.name).Store(&owner) == nil {
			return known.ask(ctx, conn, owner)
		}
	}
	return wayland.Front{}, wayland.ErrUntold
}
