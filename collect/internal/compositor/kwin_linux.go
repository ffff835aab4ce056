package compositor

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/godbus/dbus/v5"

	"github.com/pertain-dev/pertain/collect/internal/wayland"
	"github.com/pertain-dev/pertain/internal/writing"
)

const (
	kwinName      = "org.kde.KWin"
	listenerPath  = "/dev/pertain/Front"
	listenerName  = "dev.pertain.Front"
	maxTold       = 1 << 20 // bytes of an answer
	kwinScripting = "org.kde.kwin.Scripting."
)

// kwinScript tells who loaded it which window is in front. Plasma 5 calls it a client.
const kwinScript = `var w = workspace.activeWindow || workspace.activeClient;
callDBus(%q, %q, %q, "Tell", w ? JSON.stringify({title: String(w.caption), class: String(w.resourceClass), pid: Number(w.pid), id: String(w.internalId)}) : "{}");
`

// listener is what the script calls.
type listener struct {
	owner string // who may
	told  chan string
}

// Tell is called by the script. Others on the bus are not heard.
func (l listener) Tell(sender dbus.Sender, text string) *dbus.Error {
	if string(sender) != l.owner || len(text) > maxTold {
		return dbus.MakeFailedError(errors.New("this is not for you"))
	}
	select {
	case l.told <- text:
	default:
	}
	return nil
}

// askKWin loads a script, runs it, and takes it out again.
func askKWin(ctx context.Context, conn *dbus.Conn, owner string) (wayland.Front, error) {
	l := listener{owner, make(chan string, 1)}
	if err := conn.Export(l, listenerPath, listenerName); err != nil {
		return wayland.Front{}, err
	}
	script := fmt.Sprintf(kwinScript, conn.Names()[0], listenerPath, listenerName)
	dir, remove, err := writing.Scratch("", map[string]string{"front.js": script})
	if err != nil {
		return wayland.Front{}, errors.Join(wayland.ErrUntold, err)
	}
	defer remove()
	name := "pertain-" + strings.ToLower(rand.Text())
	scripting := conn.Object(owner, "/Scripting")
	var id int32
	if err := scripting.CallWithContext(ctx, kwinScripting+"loadScript", 0, filepath.Join(dir, "front.js"), name).Store(&id); err != nil || id < 0 {
		return wayland.Front{}, errors.Join(wayland.ErrUntold, err)
	}
	defer func() {
		_ = scripting.CallWithContext(context.WithoutCancel(ctx), kwinScripting+"unloadScript", dbus.FlagNoReplyExpected, name).Err // it is sent before the connection ends
	}()
	for _, form := range []string{"/Scripting/Script%d", "/%d"} { // Plasma 6, and 5
		if err = conn.Object(owner, dbus.ObjectPath(fmt.Sprintf(form, id))).CallWithContext(ctx, "org.kde.kwin.Script.run", 0).Err; err == nil {
			break
		}
	}
	if err != nil {
		return wayland.Front{}, errors.Join(wayland.ErrUntold, err)
	}
	select {
	case text := <-l.told:
		return kwinFront(text)
	case <-ctx.Done():
		return wayland.Front{}, errors.Join(wayland.ErrUntold, ctx.Err())
	}
}

func kwinFront(text string) (wayland.Front, error) {
	var window struct {
		Title string `json:"title"`
		Class string `json:"class"`
		PID   int    `json:"pid"`
		ID    string `json:"id"`
	}
	if err := json.Unmarshal([]byte(text), &window); err != nil {
		return wayland.Front{}, errors.Join(wayland.ErrUntold, err)
	}
	if window.PID <= 0 {
		return wayland.Front{}, wayland.ErrNone
	}
	return wayland.Front{Title: window.Title, Class: window.Class, PID: window.PID, ID: window.ID}, nil
}
