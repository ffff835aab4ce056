package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"
)

// terminalGrace is what giving the terminal back may take when the command is
// interrupted: who reads keys is waited for, half a second if need be.
const terminalGrace = 3 * time.Second

// choose shows the list on a terminal, or asks for a number without one.
func (a *app) choose(ctx context.Context, desk *pickDesk, flags runFlags) (choice, error) {
	out := a.terminal()
	used := flags.where.stdin || flags.where.file == "-"
	if out == nil && !used {
		return a.chooseByNumber(ctx, desk, flags)
	}
	in, ok := a.call.Stdin.(*os.File)
	if !ok || !isTerminal(in) || used {
		tty, ttyOut, err := tea.OpenTTY()
		if err != nil || out == nil && a.call.Env("TERM") == "dumb" {
			return a.chooseByNumber(ctx, desk, flags)
		}
		defer tty.Close()
		if ttyOut != tty {
			defer ttyOut.Close()
		}
		if in = tty; out == nil {
			out = ttyOut
		}
	}
	if a.call.Grace != nil {
		a.call.Grace(terminalGrace)
	}
	if before, err := term.GetState(in.Fd()); err == nil {
		defer func() { _ = term.Restore(in.Fd(), before) }() // a program that is cut short while it starts forgets to
	}
	ctx, hangUp := context.WithCancel(ctx)
	defer hangUp()
	model := newPicker(ctx, desk, flags.input, a.unicode())
	// Signals end the context. A second handler would send to a loop that has ended by then, and wait for ever.
	options := []tea.ProgramOption{tea.WithContext(ctx), tea.WithoutSignalHandler(), tea.WithInput(keyboard{in, hangUp}), tea.WithOutput(out), tea.WithEnvironment(a.terminalEnv()), tea.WithFilter(sized)}
	if columns, rows, err := term.GetSize(out.Fd()); err == nil && (columns > maxColumns || rows > maxRows) { // else the program asks it
		options = append(options, tea.WithOutput(struct{ io.Writer }{out}), tea.WithWindowSize(min(columns, maxColumns), min(rows, maxRows)))
	}
	program := tea.NewProgram(model, options...)
	last, err := program.Run()
	switch {
	case ctx.Err() != nil || errors.Is(err, tea.ErrInterrupted):
		return choice{}, errNothingChosen
	case err != nil:
		return choice{}, usage("pick: the terminal cannot be used: %s", err)
	}
	done := last.(*picker)
	if done.chosen.plan == nil {
		return choice{}, errNothingChosen
	}
	return done.chosen, nil
}

// keyboard is a terminal's input. A terminal that is gone has no more keys, and ends
// the command by that: its signal may be ignored, as under nohup.
type keyboard struct {
	*os.File
	gone func()
}

func (k keyboard) Read(p []byte) (int, error) {
	n, err := k.File.Read(p)
	if n == 0 {
		k.gone()
	}
	return n, err
}

// terminalEnv is what decides how the terminal is drawn on.
func (a *app) terminalEnv() []string {
	var env []string
	for _, name := range []string{
		"TERM", "COLORTERM", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "TERM_PROGRAM", "TMUX", "STY", "SSH_TTY", "WT_SESSION", "GOOGLE_CLOUD_SHELL",
	} {
		if value := a.call.Env(name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// unicode tells whether the terminal shows more than ASCII.
func (a *app) unicode() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if value := strings.ToLower(a.call.Env(name)); value != "" {
			return strings.Contains(value, "utf-8") || strings.Contains(value, "utf8")
		}
	}
	return true
}

// menuTerminal is the list that pick draws itself.
const menuTerminal = "terminal"

// Limits of a terminal's size, in cells: each takes memory and time with every picture, and a terminal says what it wants.
const (
	maxColumns = 1000
	maxRows    = 500
)

// sized keeps what a terminal says of its size within them.
func sized(_ tea.Model, msg tea.Msg) tea.Msg {
	if size, ok := msg.(tea.WindowSizeMsg); ok {
		return tea.WindowSizeMsg{Width: min(size.Width, maxColumns), Height: min(size.Height, maxRows)}
	}
	return msg
}
