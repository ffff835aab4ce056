//go:build desktop && linux

package collect_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"testing"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

// input tells when a window has taken the keys and clicks that were sent to it. They
// wait in its program's queue, on a busy machine for seconds: who looks meanwhile sees
// what was before, and who sends them again has them twice. A window manager's question
// whether a window is alive waits in the same queue, behind them.
type input struct {
	x       *xgb.Conn
	root    xproto.Window
	asked   uint32
	answers chan uint32

	protocols, ping, active, closing, pid xproto.Atom
}

// firstPing is a number that the window manager's own questions do not get to.
const firstPing = 1 << 24

// newInput connects to the display.
func newInput(t *testing.T, display string) *input {
	t.Helper()
	xgb.Logger.SetOutput(io.Discard) // there is no Xauthority file, which is fine
	x, err := xgb.NewConnDisplay(display)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(x.Close)
	in := &input{x: x, root: xproto.Setup(x).DefaultScreen(x).Root, asked: firstPing, answers: make(chan uint32, 64)}
	for name, atom := range map[string]*xproto.Atom{
		"WM_PROTOCOLS": &in.protocols, "_NET_WM_PING": &in.ping, "_NET_ACTIVE_WINDOW": &in.active, "_NET_CLOSE_WINDOW": &in.closing, "_NET_WM_PID": &in.pid,
	} {
		reply, err := xproto.InternAtom(x, false, uint16(len(name)), name).Reply()
		if err != nil {
			t.Fatal(err)
		}
		*atom = reply.Atom
	}
	if err := xproto.ChangeWindowAttributesChecked(x, in.root, xproto.CwEventMask, []uint32{xproto.EventMaskSubstructureNotify}).Check(); err != nil {
		t.Fatal(err)
	}
	go in.listen()
	return in
}

// listen passes on the answers; those to the window manager's questions are among them.
func (in *input) listen() {
	for {
		event, err := in.x.WaitForEvent()
		if event == nil && err == nil {
			return // the connection is closed
		}
		if m, ok := event.(xproto.ClientMessageEvent); ok && m.Type == in.protocols && m.Data.Data32[0] == uint32(in.ping) {
			select {
			case in.answers <- m.Data.Data32[1]:
			default:
			}
		}
	}
}

// numbers are those of a property of a window.
func (in *input) numbers(window xproto.Window, property xproto.Atom) []uint32 {
	reply, err := xproto.GetProperty(in.x, false, window, property, xproto.GetPropertyTypeAny, 0, 64).Reply()
	if err != nil || reply.Format != 32 {
		return nil
	}
	var all []uint32
	for data := reply.Value; len(data) >= 4; data = data[4:] {
		all = append(all, xgb.Get32(data))
	}
	return all
}

// close has the window manager close a window, as by a click on its frame: a key that is
// pressed once more closes the window behind it, too.
func (in *input) close(window xproto.Window) {
	request := xproto.ClientMessageEvent{
		Format: 32, Window: window, Type: in.closing,
		Data: xproto.ClientMessageDataUnionData32New([]uint32{0, 2, 0, 0, 0}), // 2: a pager asks
	}
	const manager = xproto.EventMaskSubstructureNotify | xproto.EventMaskSubstructureRedirect
	xproto.SendEvent(in.x, false, in.root, manager, string(request.Bytes()))
}

// front is the window in front; 0 is none.
func (in *input) front() xproto.Window {
	if front := in.numbers(in.root, in.active); len(front) > 0 {
		return xproto.Window(front[0])
	}
	return 0
}

// isQt tells whether a window is one of Qt, which says that it answers, and does not.
func (in *input) isQt(window xproto.Window) bool {
	pid := in.numbers(window, in.pid)
	if len(pid) == 0 {
		return false
	}
	libraries, _ := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid[0])) // none, where it has ended
	return bytes.Contains(libraries, []byte("/libQt"))
}

// taken waits until the window in front has taken all that was sent to it, or is gone.
// Of one that is not asked such questions, or does not answer, nothing is known.
func (in *input) taken() {
	window := in.front()
	if window == 0 {
		return
	}
	answers := func() bool {
		if in.isQt(window) {
			return false
		}
		for _, protocol := range in.numbers(window, in.protocols) {
			if protocol == uint32(in.ping) {
				return true
			}
		}
		return false
	}
	if !answers() {
		return
	}
	in.asked++
	question := xproto.ClientMessageEvent{
		Format: 32, Window: window, Type: in.protocols,
		Data: xproto.ClientMessageDataUnionData32New([]uint32{uint32(in.ping), in.asked, uint32(window), 0, 0}),
	}
	xproto.SendEvent(in.x, false, window, xproto.EventMaskNoEvent, string(question.Bytes()))
	end := time.After(patience)
	for {
		select {
		case answer := <-in.answers:
			if answer == in.asked {
				return
			}
		case <-time.After(100 * time.Millisecond):
			if !answers() {
				return // it was closed
			}
		case <-end:
			return
		}
	}
}
