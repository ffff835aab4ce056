package terminal

import (
	"context"
	"encoding/xml"
	"slices"
	"strconv"
	"strings"

	"github.com/godbus/dbus/v5"

	"github.com/pertain-dev/pertain/collect/internal/atspi"
	"github.com/pertain-dev/pertain/collect/internal/process"
)

// konsole asks KDE's terminal, which tells over the session bus which session each of
// its windows shows.
func konsole(ctx context.Context, w Window, all []process.Terminal) (process.Terminal, bool) {
	service := ""
	for _, t := range all {
		if started := process.StartedWith(t.Shell); started != nil && service == "" {
			service = started("KONSOLE_DBUS_SERVICE")
		}
	}
	if service == "" || w.Session == "" {
		return process.Terminal{}, false
	}
	conn, err := atspi.DialBus(ctx, w.Session)
	if err != nil {
		return process.Terminal{}, false
	}
	defer func() { _ = conn.Close() }()
	k := konsoleBus{ctx, conn, service}
	var pid uint32 // the variable may be that of another program from which this one was started
	err = conn.BusObject().CallWithContext(ctx, "org.freedesktop.DBus.GetConnectionUnixProcessID", 0, service).Store(&pid)
	if err != nil || int(pid) != w.PID {
		return process.Terminal{}, false
	}
	number, ok := k.window(w)
	if !ok {
		return process.Terminal{}, false
	}
	var session, shell int32
	if k.call("/Windows/"+number, "org.kde.konsole.Window.currentSession", &session) != nil ||
		k.call("/Sessions/"+strconv.Itoa(int(session)), "org.kde.konsole.Session.processId", &shell) != nil {
		return process.Terminal{}, false
	}
	at := slices.IndexFunc(all, func(t process.Terminal) bool { return t.Shell == int(shell) })
	if at < 0 {
		return process.Terminal{}, false
	}
	return all[at], true
}

// konsoleBus is Konsole on the session bus.
type konsoleBus struct {
	ctx     context.Context //nolint:containedctx // it lives for one question
	conn    *dbus.Conn
	service string
}

func (k konsoleBus) call(path, method string, out any, args ...any) error {
	return k.conn.Object(k.service, dbus.ObjectPath(path)).CallWithContext(k.ctx, method, 0, args...).Store(out)
}

// window is the number of the window in front. Konsole counts its windows in two ways:
// those with terminals are never given a number again, those of the toolkit, which know
// their window of X, are. Only while none was ever closed are the numbers the same.
func (k konsoleBus) window(w Window) (string, bool) {
	windows, toolkit := k.children("/Windows"), k.children("/konsole")
	if len(windows) == 1 {
		return windows[0], true
	}
	for _, name := range toolkit {
		number, ok := strings.CutPrefix(name, "MainWindow_")
		if !ok || !k.front(w, "/konsole/"+name) {
			continue
		}
		highest := 0
		for _, n := range windows {
			at, _ := strconv.Atoi(n)
			highest = max(highest, at)
		}
		return number, highest == len(windows) && slices.Contains(windows, number)
	}
	return "", false
}

// front tells whether a window of the toolkit is the one in front.
func (k konsoleBus) front(w Window, path string) bool {
	if w.ID == 0 {
		var active dbus.Variant
		err := k.call(path, atspi.GetProperty, &active, "org.qtproject.Qt.QWidget", "isActiveWindow")
		is, _ := active.Value().(bool)
		return err == nil && is
	}
	var id int64
	return k.call(path, "org.kde.KMainWindow.winId", &id) == nil && id == int64(w.ID)
}

// children are the names below a path.
func (k konsoleBus) children(path string) []string {
	var text string
	if k.call(path, "org.freedesktop.DBus.Introspectable.Introspect", &text) != nil {
		return nil
	}
	var node struct {
		Nodes []struct {
			Name string `xml:"name,attr"`
		} `xml:"node"`
	}
	if xml.Unmarshal([]byte(text), &node) != nil {
		return nil
	}
	var names []string
	for _, n := range node.Nodes {
		names = append(names, n.Name)
	}
	return names
}
