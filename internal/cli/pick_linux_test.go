package cli_test

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/pertain-dev/pertain/internal/cli"
)

// terminal is a pseudo-terminal with a program on it.
type terminal struct {
	t      *testing.T
	master *os.File
	stdout *bytes.Buffer
	exit   chan int

	mu     sync.Mutex
	screen *screen
}

// openPTY makes a pseudo-terminal of a size.
func openPTY(t *testing.T, width, height int) (master, slave *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo-terminal can be opened here: %v", err)
	}
	// Not by Fd, which would make reads block, and Close wait for the one under way.
	raw, err := master.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	var number int
	var failed error
	if err := raw.Control(func(fd uintptr) {
		if number, failed = unix.IoctlGetInt(int(fd), unix.TIOCGPTN); failed != nil {
			return
		}
		if failed = unix.IoctlSetPointerInt(int(fd), unix.TIOCSPTLCK, 0); failed != nil {
			return
		}
		failed = unix.IoctlSetWinsize(int(fd), unix.TIOCSWINSZ, &unix.Winsize{Row: uint16(height), Col: uint16(width)})
	}); err != nil || failed != nil {
		t.Skipf("no pseudo-terminal can be opened here: %v", cmp.Or(err, failed))
	}
	slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo-terminal can be opened here: %v", err)
	}
	return master, slave
}

// startPick runs pick on a terminal. Standard output is a pipe, as in
// `pertain pick | llm`.
func startPick(t *testing.T, width, height int, env map[string]string, args ...string) *terminal {
	t.Helper()
	home := t.TempDir()
	for name, text := range map[string]string{
		"a": "---\nname: Explain the words\ndescription: What they mean\nicon: FileText\npriority: 9\nwhen: {attachments.selection.text: {length: {min: 1}}}\ntools: {web.*: true}\n---\nPlease explain {clipboard.text}:\n\n{attachments.selection.text}\n",
		"b": "---\nname: Translate\npriority: 8\n---\nTranslate, {Argument}: {attachments.selection.text}\n",
		"c": "---\nname: Needs the clipboard\npriority: 7\npreprocessors: [clipboard-text]\n---\nBody\n",
	} {
		file := filepath.Join(home, ".config/pertain/strategies", name+".strategy.md")
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	situation := filepath.Join(home, "context.json")
	if err := os.WriteFile(situation, []byte(`{"attachments": {"selection": {"text": "the \u001b[31mwords\u001b]0;title\u0007"}}}`), 0o644); err != nil {
		t.Fatal(err)
	}
	return startProgram(t, width, height, home, env, append([]string{"pick", "--no-builtin", "--context", situation}, args...)...)
}

// startProgram runs a command on a terminal, with its standard output elsewhere.
func startProgram(t *testing.T, width, height int, home string, env map[string]string, args ...string) *terminal {
	t.Helper()
	master, slave := openPTY(t, width, height)
	p := &terminal{t: t, master: master, stdout: &bytes.Buffer{}, exit: make(chan int, 1), screen: newScreen(width, height)}
	variables := map[string]string{"HOME": home, "TERM": "xterm-256color", "LANG": "en_US.UTF-8"}
	for name, value := range env {
		variables[name] = value
	}
	go func() {
		buffer := make([]byte, 4096)
		for {
			n, err := master.Read(buffer)
			p.mu.Lock()
			_, _ = p.screen.Write(buffer[:n])
			p.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	go func() {
		p.exit <- cli.Main(t.Context(), cli.Invocation{
			Args: args, Stdin: slave, Stdout: p.stdout, Stderr: slave, Dir: home, Env: func(name string) string { return variables[name] },
		})
	}()
	t.Cleanup(func() {
		_ = slave.Close()
		_ = master.Close()
	})
	return p
}

func (p *terminal) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.screen.String()
}

// colors tells whether a colour was set.
func (p *terminal) colors() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.screen.colors
}

// see waits until the screen holds all of the texts and none of those that
// begin with `!`.
func (p *terminal) see(texts ...string) {
	p.t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for {
		seen, missing := p.text(), ""
		for _, text := range texts {
			if wanted, not := strings.CutPrefix(text, "!"); strings.Contains(seen, wanted) == not {
				missing = text
			}
		}
		if missing == "" {
			return
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("%q was not to be seen:\n%s", missing, seen)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func (p *terminal) keys(keys string) {
	p.t.Helper()
	if _, err := p.master.WriteString(keys); err != nil {
		p.t.Fatal(err)
	}
}

// ends waits for the program and compares what it printed.
func (p *terminal) ends(code int, stdout string) {
	p.t.Helper()
	select {
	case got := <-p.exit:
		if got != code || p.stdout.String() != stdout {
			p.t.Errorf("exit %d, want %d; printed %q, want %q\n%s", got, code, p.stdout.String(), stdout, p.text())
		}
	case <-time.After(20 * time.Second):
		p.t.Fatalf("it does not end:\n%s", p.text())
	}
}

const (
	keyDown = "\x1b[B"
	keyUp   = "\x1b[A"
	keyPgDn = "\x1b[6~"
	keyEsc  = "\x1b"
)

const explained = "Please explain :\n\nthe \x1b[31mwords\x1b]0;title\a\n"

func TestPickOnATerminal(t *testing.T) {
	t.Run("enter prints", func(t *testing.T) {
		p := startPick(t, 80, 24, nil)
		p.see("Filter:", "3 of 3", "> ▤ Explain the words", "because the selection has a…", "  • Translate", "Reads clipboard text", "Allows web.*",
			"Please explain :", "the ^[[31mwords", "`clipboard.text` has no value", "Input:", "enter print · ^y copy · ^x explain")
		p.keys("\r")
		p.ends(0, explained)
	})
	t.Run("keys move, explain and leave", func(t *testing.T) {
		p := startPick(t, 80, 24, nil)
		p.see("> ▤ Explain")
		p.keys("\x18") // ctrl+x
		p.see("✓ attachments.selection.text", "length min 1", "!Please explain")
		p.keys(keyEsc)
		p.see("Please explain")
		p.keys(keyDown)
		p.see("> • Translate", "user.b", "Translate, : the")
		p.keys(keyDown)
		p.see("> • Needs the clipboard", "no prompt: the preprocessor", "no text on the")
		p.keys("\r") // there is no prompt to print, and the last line says so
		p.see("!enter print", "\nno prompt: the preprocessor")
		p.keys(keyUp)
		p.see("> • Translate", "enter print")
		p.keys(keyEsc)
		p.ends(130, "")
	})
	t.Run("filter as you type, input", func(t *testing.T) {
		p := startPick(t, 80, 24, nil)
		p.see("> ▤ Explain")
		p.keys("tlt")
		p.see("Filter: tlt", "1 of 3", "> • Translate", "!Explain the words")
		p.keys("\tto German")
		p.see("Input:  to German", "Translate, to German: the")
		p.keys("\x17French\r") // ctrl+w
		p.ends(0, "Translate, to French: the \x1b[31mwords\x1b]0;title\a\n")
	})
	t.Run("a first letter filters, whatever it is", func(t *testing.T) {
		for _, letters := range []string{"exp", "clip", "qqq", "iii", "jjj", "/"} {
			p := startPick(t, 80, 24, nil)
			p.see("> ▤ Explain", "Please explain")
			p.keys(letters)
			p.see("Filter: " + letters)
			p.keys("\x03")
			p.ends(130, "")
		}
	})
	t.Run("filter that nothing fits", func(t *testing.T) {
		p := startPick(t, 80, 24, nil)
		p.see("> ▤ Explain")
		p.keys("cezzz")
		p.see("Filter: cezzz", "0 of 3", "nothing fits the filter")
		p.keys("\r")
		p.keys(keyEsc)
		p.see("3 of 3", "> ▤ Explain")
		p.keys("\x03")
		p.ends(130, "")
	})
	t.Run("copy", func(t *testing.T) {
		bin := t.TempDir()
		if err := os.WriteFile(filepath.Join(bin, "xclip"), []byte("#!/bin/sh\ncat > \"$HOME/copied\"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		p := startPick(t, 80, 24, map[string]string{"PATH": bin + ":/usr/bin:/bin", "DISPLAY": ":9"})
		p.see("Please explain :")
		p.keys("\x19") // ctrl+y
		p.ends(0, "")
		p.see("with xclip")
	})
	t.Run("copy through the terminal", func(t *testing.T) {
		p := startPick(t, 80, 24, nil)
		p.see("Please explain :")
		p.keys("\x19") // ctrl+y
		p.ends(0, "")
		p.see("through the terminal")
	})
	t.Run("input of the call", func(t *testing.T) {
		p := startPick(t, 80, 24, nil, "--input", "gently", "--json")
		p.see("Input:  gently", "<UserRequestStart>")
		p.keys("\r")
		if code := <-p.exit; code != 0 || !strings.Contains(p.stdout.String(), `<UserRequestStart>\ngently"`) {
			t.Errorf("exit %d, %s", code, p.stdout)
		}
	})
}

func TestPickOnOtherTerminals(t *testing.T) {
	t.Run("without colours", func(t *testing.T) {
		p := startPick(t, 80, 24, map[string]string{"NO_COLOR": "1"})
		p.see("> ▤ Explain the words", "Please explain")
		p.keys("\r")
		p.ends(0, explained)
		if p.colors() {
			t.Error("a colour was set")
		}
	})
	t.Run("with colours", func(t *testing.T) {
		p := startPick(t, 80, 24, nil)
		p.see("> ▤ Explain the words")
		p.keys("\r")
		p.ends(0, explained)
		if !p.colors() {
			t.Error("no colour was set")
		}
	})
	t.Run("ASCII alone", func(t *testing.T) {
		p := startPick(t, 80, 24, map[string]string{"LANG": "C", "TERM": "vt100"})
		p.see("> * Explain the words", " | ", "enter print | ^y copy")
		p.keys("\r")
		p.ends(0, explained)
	})
	t.Run("over ssh", func(t *testing.T) {
		p := startPick(t, 80, 24, map[string]string{"SSH_TTY": "/dev/pts/9", "TERM": "screen"})
		p.see("> ▤ Explain the words", "Please explain")
		p.keys("\r")
		p.ends(0, explained)
	})
	t.Run("narrow and low", func(t *testing.T) {
		p := startPick(t, 40, 12, nil)
		p.see("> ▤ Explain the words", "────", "Input:", "more lines, pgdn")
		p.keys(keyPgDn + keyPgDn + keyPgDn)
		p.see("the ^[[31mwords")
		p.keys("\r")
		p.ends(0, explained)
	})
	t.Run("tiny", func(t *testing.T) {
		p := startPick(t, 12, 4, nil)
		p.see("Filter:")
		p.keys("\r")
		p.ends(0, explained)
	})
	t.Run("dumb", func(t *testing.T) {
		p := startPick(t, 80, 24, map[string]string{"TERM": "dumb"})
		p.see("  1  Explain the words  user.a", "Number from 1 to 3")
		p.keys("1\r")
		p.ends(0, explained)
	})
}
