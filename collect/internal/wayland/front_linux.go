package wayland

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"net"
	"path/filepath"
	"strconv"
)

// Front is the window in front, as a compositor tells it by an interface of its own.
type Front struct {
	Title string
	Class string // app_id, or the class of a window of X
	PID   int    // 0: it is not told
	ID    string // what the compositor tells its windows apart by; "": it is not told
}

// ErrNone is the answer of a compositor that has no window in front.
var ErrNone = errors.New("no window is in front")

// ErrUntold is the answer where no compositor that is known tells.
var ErrUntold = errors.New("the compositor does not tell")

// maxAnswer is how much a compositor may say of its windows, in bytes.
const maxAnswer = 16 << 20

// InFront asks the compositor which window is in front, if it is one that tells: sway, and
// others that speak as it does, and Hyprland. env is the session's environment.
func InFront(ctx context.Context, env func(name string) string) (Front, error) {
	if socket := env("SWAYSOCK"); filepath.IsAbs(socket) {
		return askSway(ctx, socket)
	}
	signature, runtime := env("HYPRLAND_INSTANCE_SIGNATURE"), env("XDG_RUNTIME_DIR")
	if signature != "" && filepath.IsAbs(runtime) && filepath.Base(signature) == signature {
		return askHyprland(ctx, filepath.Join(runtime, "hypr", signature, ".socket.sock"))
	}
	return Front{}, ErrUntold
}

func dialLocal(ctx context.Context, socket string) (net.Conn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "unix", socket)
	if err != nil {
		return nil, err
	}
	if deadline, ok := ctx.Deadline(); ok {
		if err := conn.SetDeadline(deadline); err != nil {
			_ = conn.Close()
			return nil, err
		}
	}
	return conn, nil
}

// askSway asks for the tree of windows (sway-ipc(7)): a message is a mark, a length and a
// number, and so is the answer.
func askSway(ctx context.Context, socket string) (Front, error) {
	const mark, tree = "i3-ipc", 4
	conn, err := dialLocal(ctx, socket)
	if err != nil {
		return Front{}, err
	}
	defer func() { _ = conn.Close() }()
	message := binary.NativeEndian.AppendUint32(binary.NativeEndian.AppendUint32([]byte(mark), 0), tree)
	if _, err := conn.Write(message); err != nil {
		return Front{}, err
	}
	header := make([]byte, len(message))
	if _, err := io.ReadFull(conn, header); err != nil {
		return Front{}, err
	}
	length := binary.NativeEndian.Uint32(header[len(mark):])
	if string(header[:len(mark)]) != mark || length > maxAnswer {
		return Front{}, ErrUntold
	}
	answer := make([]byte, length)
	if _, err := io.ReadFull(conn, answer); err != nil {
		return Front{}, err
	}
	return swayFront(answer)
}

// swayNode is a part of the tree: a screen, a workspace, a row of windows, a window.
type swayNode struct {
	ID       int64                  `json:"id"`
	Focused  bool                   `json:"focused"`
	Name     string                 `json:"name"`
	AppID    string                 `json:"app_id"`
	PID      int                    `json:"pid"`
	OfX      struct{ Class string } `json:"window_properties"`
	Nodes    []swayNode             `json:"nodes"`
	Floating []swayNode             `json:"floating_nodes"`
}

func swayFront(answer []byte) (Front, error) {
	var root swayNode
	if err := json.Unmarshal(answer, &root); err != nil {
		return Front{}, err
	}
	all := []swayNode{root}
	for len(all) > 0 {
		n := all[0]
		all = append(append(all[1:], n.Nodes...), n.Floating...)
		if n.Focused && n.PID > 0 { // a workspace without windows may have it, too
			class := n.AppID
			if class == "" {
				class = n.OfX.Class
			}
			return Front{n.Name, class, n.PID, strconv.FormatInt(n.ID, 10)}, nil
		}
	}
	return Front{}, ErrNone
}

// askHyprland asks for the active window, in JSON (wiki.hypr.land, "IPC" and "hyprctl").
func askHyprland(ctx context.Context, socket string) (Front, error) {
	conn, err := dialLocal(ctx, socket)
	if err != nil {
		return Front{}, err
	}
	defer func() { _ = conn.Close() }()
	if _, err := io.WriteString(conn, "j/activewindow"); err != nil {
		return Front{}, err
	}
	answer, err := io.ReadAll(io.LimitReader(conn, maxAnswer))
	if err != nil {
		return Front{}, err
	}
	return hyprlandFront(answer)
}

func hyprlandFront(answer []byte) (Front, error) {
	var window struct {
		Title   string `json:"title"`
		Class   string `json:"class"`
		PID     int    `json:"pid"`
		Address string `json:"address"`
	}
	if err := json.Unmarshal(answer, &window); err != nil {
		return Front{}, err
	}
	if window.PID <= 0 {
		return Front{}, ErrNone
	}
	return Front{window.Title, window.Class, window.PID, window.Address}, nil
}
