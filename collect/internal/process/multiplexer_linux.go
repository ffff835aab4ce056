package process

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/program"
)

// maxMultiplexed is how many multiplexers may run in each other.
const maxMultiplexed = 4

// paneProcess is the process that the user of a terminal works with, where the one in
// front there is a terminal multiplexer: its panes belong to a server, so that the
// kernel does not know which of them is shown. Any other process is itself.
func paneProcess(ctx context.Context, pid int, options Search) (int, error) {
	for range maxMultiplexed {
		var err error
		switch name := Name(pid); {
		case name == "tmux":
			pid, err = shownByTmux(ctx, pid, options)
		case name == "screen" || strings.HasPrefix(name, "screen-"):
			err = notTold("GNU Screen")
		case name == "zellij":
			err = notTold("Zellij")
		default:
			return pid, nil
		}
		if err != nil {
			return 0, err
		}
	}
	return 0, notTold("the terminal")
}

func notTold(program string) error {
	return facts.Unavailable(program+" does not tell which folder is shown", "name the folder with --cwd")
}

// tmuxReserve is left of the time limit when tmux has to answer.
const tmuxReserve = 20 * time.Millisecond

// maxTmuxOutput is how much tmux may say about its clients, in bytes.
const maxTmuxOutput = 1 << 20

// shownByTmux asks a client's server which pane the client shows, and returns the
// process in front there.
func shownByTmux(ctx context.Context, client int, options Search) (int, error) {
	socket := tmuxSocket(commandLine(client), StartedWith(client), owner(client))
	if socket == "" {
		return 0, notTold("tmux")
	}
	if deadline, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, deadline.Add(-tmuxReserve))
		defer cancel()
	}
	search := options.Search()
	tmux, err := search.Find("tmux")
	if err != nil {
		return 0, notTold("tmux")
	}
	call := program.Call{Dir: "/", Env: []string{"PATH=" + search.Folders()}, Wait: 5 * time.Millisecond}
	if home := options.Env("HOME"); home != "" {
		call.Env = append(call.Env, "HOME="+home)
	}
	out, err := tmux.Output(ctx, call, maxTmuxOutput, "-S", socket, "list-clients", "-F", "#{client_pid} #{pane_pid}")
	if ctx.Err() != nil {
		return 0, &facts.CollectError{
			Code: diag.ExtraProviderTimeout, Reason: "tmux did not tell in time which pane is shown",
			Remedy: "name the folder with --cwd, or give the collectors more time with options.extraTimeout in the settings", Err: ctx.Err(),
		}
	}
	if pane, ok := paneOf(string(out), client); ok && err == nil {
		return inFront(pane), nil
	}
	return 0, notTold("tmux")
}

// paneOf finds a client in lines of the numbers of a client and of its pane.
func paneOf(list string, client int) (int, bool) {
	for line := range strings.Lines(list) {
		own, shown, _ := strings.Cut(strings.TrimSpace(line), " ")
		if own != strconv.Itoa(client) {
			continue
		}
		pane, err := strconv.Atoi(shown)
		return pane, err == nil && pane > 0
	}
	return 0, false
}

// inFront is the process that has the attention of the terminal that a process
// runs in, or else that process.
func inFront(pid int) int {
	if p, ok := readStatus(pid); ok && p.tty != 0 && p.front > 0 {
		if front, ok := readStatus(p.front); ok && front.tty == p.tty {
			return p.front
		}
	}
	return pid
}

// commandLine are the arguments that a process was started with; arguments
// is for programs that write their own anew.
func commandLine(pid int) []string {
	data, err := os.ReadFile(Path(pid, "cmdline"))
	if err != nil || len(data) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(data), "\x00"), "\x00")
}

// owner is the user that a process runs as; -1: it has gone.
func owner(pid int) int {
	var info syscall.Stat_t
	if syscall.Stat(Path(pid, ""), &info) != nil {
		return -1
	}
	return int(info.Uid)
}

// StartedWith looks a variable up that a process was started with.
func StartedWith(pid int) func(string) string {
	data, err := os.ReadFile(Path(pid, "environ"))
	if err != nil {
		return nil
	}
	return func(name string) string {
		for entry := range strings.SplitSeq(string(data), "\x00") {
			if value, ok := strings.CutPrefix(entry, name+"="); ok {
				return value
			}
		}
		return ""
	}
}

// tmuxSocket is where a tmux that was started so meets its server: -S names it, -L
// one of the usual folder. env is nil for a process of somebody else.
func tmuxSocket(args []string, env func(string) string, user int) string {
	if env == nil || len(args) == 0 {
		return ""
	}
	name, path := "default", ""
	if outer, _, ok := strings.Cut(env("TMUX"), ","); ok {
		path = outer // it was started inside another
	}
	for at := 1; at < len(args) && strings.HasPrefix(args[at], "-") && args[at] != "--"; at++ {
		letters := args[at][1:]
		for i := 0; i < len(letters); i++ {
			if !strings.ContainsRune("cfLST", rune(letters[i])) {
				continue // it has no value
			}
			value := letters[i+1:]
			if value == "" && at+1 < len(args) {
				at++
				value = args[at]
			}
			switch letters[i] {
			case 'S':
				path = value
			case 'L':
				name, path = value, ""
			}
			break
		}
	}
	if path == "" {
		folder := env("TMUX_TMPDIR")
		if folder == "" {
			folder = "/tmp"
		}
		path = filepath.Join(folder, "tmux-"+strconv.Itoa(user), name)
	}
	if !filepath.IsAbs(path) {
		return ""
	}
	return path
}
