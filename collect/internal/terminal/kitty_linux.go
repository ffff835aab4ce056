package terminal

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"slices"
	"strings"
	"syscall"

	"github.com/pertain-dev/pertain/collect/internal/process"
)

// maxKittyAnswer is how much kitty may say of its windows, in bytes.
const maxKittyAnswer = 4 << 20

// kitty asks the terminal of that name, if its user lets others ask: it then listens at
// a socket, which its shells are told.
func kitty(ctx context.Context, w Window, all []process.Terminal) (process.Terminal, bool) {
	socket := ""
	for _, t := range all {
		if started := process.StartedWith(t.Shell); started != nil && socket == "" {
			socket, _ = strings.CutPrefix(started("KITTY_LISTEN_ON"), "unix:")
		}
	}
	if socket == "" || socket[0] != '/' && socket[0] != '@' {
		return process.Terminal{}, false
	}
	answer, err := askKitty(ctx, socket, w.PID)
	if err != nil {
		return process.Terminal{}, false
	}
	shell, ok := kittyShell(answer, w.ID)
	at := slices.IndexFunc(all, func(t process.Terminal) bool { return t.Shell == shell })
	if !ok || at < 0 {
		return process.Terminal{}, false
	}
	return all[at], true
}

// askKitty asks for the list of windows. The socket must be that of the program in front.
func askKitty(ctx context.Context, socket string, pid int) (string, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "unix", socket)
	if err != nil {
		return "", err
	}
	defer func() { _ = conn.Close() }()
	if deadline, ok := ctx.Deadline(); ok {
		if err := conn.SetDeadline(deadline); err != nil {
			return "", err
		}
	}
	if peer(conn) != pid {
		return "", errors.New("another program listens there")
	}
	const begin = "\x1bP@kitty-cmd"
	if _, err := io.WriteString(conn, begin+"{\"cmd\":\"ls\",\"version\":[0,26,0],\"no_response\":false}\x1b\\"); err != nil {
		return "", err
	}
	if _, err := io.ReadFull(conn, make([]byte, len(begin))); err != nil {
		return "", err
	}
	var answer struct {
		OK   bool   `json:"ok"`
		Data string `json:"data"`
	}
	err = json.NewDecoder(io.LimitReader(conn, maxKittyAnswer)).Decode(&answer)
	if err == nil && !answer.OK {
		err = errors.New("kitty refuses")
	}
	return answer.Data, err
}

// peer is the process at the other end of a socket; 0: it is not known.
func peer(conn net.Conn) int {
	unix, ok := conn.(*net.UnixConn)
	if !ok {
		return 0
	}
	raw, err := unix.SyscallConn()
	if err != nil {
		return 0
	}
	pid := 0
	err = raw.Control(func(fd uintptr) {
		if c, err := syscall.GetsockoptUcred(int(fd), syscall.SOL_SOCKET, syscall.SO_PEERCRED); err == nil {
			pid = int(c.Pid)
		}
	})
	if err != nil {
		return 0
	}
	return pid
}

// kittyShell is the first process of the window of kitty's that has the keyboard; id is
// the window of X around it, 0 on Wayland.
func kittyShell(list string, id uint32) (int, bool) {
	var systems []struct {
		Focused bool   `json:"is_focused"`
		ID      uint32 `json:"platform_window_id"`
		Tabs    []struct {
			Focused bool `json:"is_focused"`
			Windows []struct {
				Focused bool `json:"is_focused"`
				PID     int  `json:"pid"`
			} `json:"windows"`
		} `json:"tabs"`
	}
	if json.Unmarshal([]byte(list), &systems) != nil {
		return 0, false
	}
	for _, system := range systems {
		if !system.Focused || id != 0 && system.ID != id {
			continue
		}
		for _, tab := range system.Tabs {
			for _, w := range tab.Windows {
				if tab.Focused && w.Focused {
					return w.PID, true
				}
			}
		}
	}
	return 0, false
}
