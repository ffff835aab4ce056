package cli

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/charmbracelet/x/term"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/program"
	"github.com/pertain-dev/pertain/internal/settings"
)

// copyTool is a program that takes text for the clipboard on standard input.
type copyTool struct {
	name string
	args []string
	when string // environment variable that must be set; empty: always tried
}

// copyTools are tried in this order.
var copyTools = []copyTool{
	{"wl-copy", nil, "WAYLAND_DISPLAY"},
	{"xclip", []string{"-selection", "clipboard"}, "DISPLAY"},
	{"xsel", []string{"--clipboard", "--input"}, "DISPLAY"},
	{"pbcopy", nil, ""},
	{"clip.exe", nil, ""},
}

// copyTime is how long such a program may take.
const copyTime = 5 * time.Second

// maxTerminalCopy is what terminals take by an escape sequence, in bytes of
// base64; more is dropped silently by many.
const maxTerminalCopy = 74_994

// copyText puts a text on the clipboard and says how.
func (a *app) copyText(ctx context.Context, text string) error {
	how, err := a.toClipboard(ctx, text)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.call.Stderr, "copied %s %s\n", plural(utf8.RuneCountInString(text), "character"), how)
	return err
}

func (a *app) toClipboard(ctx context.Context, text string) (how string, err error) {
	var failed string
	search := a.programs()
	for _, tool := range copyTools {
		if tool.when != "" && a.call.Env(tool.when) == "" || tool.name == "pbcopy" && runtime.GOOS != "darwin" {
			continue
		}
		found, err := search.Find(tool.name)
		if err != nil {
			continue
		}
		if err := a.pipeTo(ctx, found, search.Folders(), tool, text); err == nil {
			return "with " + tool.name, nil
		}
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		failed = tool.name
	}
	if out := a.terminal(); out != nil {
		encoded := base64.StdEncoding.EncodeToString([]byte(text))
		if len(encoded) > maxTerminalCopy {
			return "", negative("the prompt is too long to be copied through the terminal; print it and pipe it to a program, or install wl-copy, xclip or xsel")
		}
		if _, err := io.WriteString(out, "\x1b]52;c;"+encoded+"\a"); err != nil {
			return "", err
		}
		return "through the terminal, if it allows that", nil
	}
	if failed != "" {
		return "", negative("the prompt could not be copied: %s failed; leave --copy out to print it", failed)
	}
	return "", negative("there is no clipboard to copy to; install wl-copy, xclip or xsel, or leave --copy out to print the prompt")
}

// pipeTo hands the text to a program. Its output goes nowhere: some stay in the
// background and would keep a pipe open.
func (a *app) pipeTo(ctx context.Context, found program.Program, path string, tool copyTool, text string) error {
	ctx, stop := context.WithTimeout(ctx, copyTime)
	defer stop()
	call := program.Call{Dir: a.call.Dir, Env: []string{"PATH=" + path}, Stdin: strings.NewReader(text), Wait: time.Second}
	if tool.name == "clip.exe" {
		call.Stdin = bytes.NewReader(utf16LE(text)) // it reads nothing else faithfully
	}
	for _, name := range []string{"HOME", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "DISPLAY", "XAUTHORITY", "SYSTEMROOT", "LANG"} {
		if value := a.call.Env(name); value != "" {
			call.Env = append(call.Env, name+"="+value)
		}
	}
	return found.Run(ctx, call, tool.args...)
}

// programs is where other programs are looked for: the caller's PATH, but never
// what lies in the working directory or in a workspace around it.
func (a *app) programs() program.Search {
	search := program.Search{Path: a.call.Env("PATH")}
	for _, dir := range []string{a.call.Dir, a.dir()} {
		search.Without = append(search.Without, settings.Strangers(files.OS(), a.paths().Home, dir, search.Path)...)
	}
	return search
}

// terminal is an output that is a terminal, or nil.
func (a *app) terminal() *os.File {
	for _, w := range []io.Writer{a.call.Stderr, a.call.Stdout} {
		if f := fileOf(w); f != nil && isTerminal(f) && a.call.Env("TERM") != "dumb" {
			return f
		}
	}
	return nil
}

func isTerminal(f *os.File) bool { return term.IsTerminal(f.Fd()) }

func utf16LE(text string) []byte {
	out := []byte{0xFF, 0xFE}
	for _, unit := range utf16.Encode([]rune(text)) {
		out = append(out, byte(unit), byte(unit>>8))
	}
	return out
}
