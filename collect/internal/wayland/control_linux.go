package wayland

import (
	"context"
	"errors"
	"io"
	"os"
	"syscall"

	"github.com/pertain-dev/pertain/collect/internal/clipboard"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// Control reads selections from a Wayland compositor that lets programs
// without a window do so.
type Control struct {
	*wire
	offers     map[uint32][]string // forms by offer
	selections map[string]uint32   // offer by selection; 0: nobody owns it
}

// controlProtocols are the names of the protocol, the standard one first; their
// requests and events have the same numbers.
var controlProtocols = []string{"ext_data_control_manager_v1", "zwlr_data_control_manager_v1"}

// Requests and events of the protocol.
const (
	managerGetDevice  = 1
	deviceDataOffer   = 0
	deviceSelection   = 1
	devicePrimary     = 3
	offerReceive      = 0
	offerOffer        = 0
	controlVersion    = 2 // the first that tells the primary selection
	wlSeat            = "wl_seat"
	noControlRemedy   = "nothing can be done from outside: sway, Hyprland, KDE Plasma and other compositors with data-control allow it"
	noControlProvider = "the compositor does not let other programs read the clipboard"
)

// Open asks the compositor that listens at a socket for the selections.
func Open(ctx context.Context, socket string) (*Control, error) {
	w, err := dial(ctx, socket)
	if err != nil {
		return nil, &facts.CollectError{Code: diag.ExtraProviderUnavailable, Reason: "the Wayland compositor cannot be reached", Remedy: "set WAYLAND_DISPLAY and XDG_RUNTIME_DIR as they are inside the desktop session", Err: err}
	}
	c := &Control{wire: w, offers: map[uint32][]string{}, selections: map[string]uint32{}}
	if err := c.begin(); err != nil {
		_ = w.conn.Close()
		if errors.Is(err, os.ErrDeadlineExceeded) {
			err = &facts.CollectError{Code: diag.ExtraProviderTimeout, Reason: "the Wayland compositor does not answer", Remedy: "wait until it reacts again", Err: err}
		}
		return nil, err
	}
	return c, nil
}

// begin asks for the selections; the compositor tells them at once.
func (c *Control) begin() error {
	registry, all, err := c.globals()
	if err != nil {
		return err
	}
	for _, protocol := range controlProtocols {
		manager, ok := all[protocol]
		seat, seated := all[wlSeat]
		if !ok || !seated {
			continue
		}
		seatID, err := c.bind(registry, seat, wlSeat, 1)
		if err != nil {
			return err
		}
		managerID, err := c.bind(registry, manager, protocol, controlVersion)
		if err != nil {
			return err
		}
		device := c.object()
		if err := c.send(managerID, managerGetDevice, words(device, seatID), nil); err != nil {
			return err
		}
		return c.roundTrip(func(e event) { c.hear(device, e) })
	}
	return facts.Unavailable(noControlProvider, noControlRemedy)
}

func (c *Control) hear(device uint32, e event) {
	if e.object == device {
		switch e.opcode {
		case deviceDataOffer:
			c.offers[e.word()] = nil
		case deviceSelection:
			c.selections[clipboard.Clipboard] = e.word()
		case devicePrimary:
			c.selections[clipboard.Primary] = e.word()
		}
		return
	}
	if _, ok := c.offers[e.object]; ok && e.opcode == offerOffer && len(c.offers[e.object]) < 256 {
		c.offers[e.object] = append(c.offers[e.object], e.text())
	}
}

// Targets are the forms in which a selection can be had; none if nobody owns it.
func (c *Control) Targets(_ context.Context, selection string) ([]string, error) {
	return c.offers[c.selections[selection]], nil
}

// Read gives the owner the writing end of a pipe and reads the other.
func (c *Control) Read(ctx context.Context, selection, target string) ([]byte, error) {
	offer := c.selections[selection]
	if offer == 0 {
		return nil, clipboard.ErrRefused
	}
	in, out, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	err = c.send(offer, offerReceive, wireText(target), syscall.UnixRights(int(out.Fd())))
	out.Close()
	if err != nil {
		return nil, err
	}
	if err := pipeDeadline(ctx, in.SetReadDeadline); err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(in, clipboard.MaxTransfer+1))
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if len(data) > clipboard.MaxTransfer {
		return nil, clipboard.ErrTooMuch
	}
	return data, nil
}

// Close ends the connection to the compositor.
func (c *Control) Close() { _ = c.conn.Close() }

// Arriving is false: what comes through a pipe does not tell.
func (*Control) Arriving() bool { return false }
