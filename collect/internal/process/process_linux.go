package process

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/program"
)

// Search are what asking a terminal multiplexer takes.
type Search struct {
	Env    func(name string) string
	Search func(without ...string) program.Search // where programs are looked for
}

// status is what /proc tells of a program.
type status struct {
	pid, parent int
	tty         int // device number of its terminal; 0: none
	front       int // process group that has the terminal; -1: none
	group       int
	name        string
}

// readStatus reads /proc/PID/stat. The name is in parentheses and may hold
// any character, so the fields after it are counted from the last one.
func readStatus(pid int) (status, bool) {
	text, err := os.ReadFile(Path(pid, "stat"))
	if err != nil {
		return status{}, false
	}
	return parseStat(string(text))
}

func parseStat(text string) (status, bool) {
	open, end := strings.IndexByte(text, '('), strings.LastIndexByte(text, ')')
	if open < 0 || end < open {
		return status{}, false
	}
	var p status
	p.name = text[open+1 : end]
	fields := strings.Fields(text[end+1:]) // state ppid pgrp session tty tpgid
	if len(fields) < 6 {
		return status{}, false
	}
	for _, f := range []struct {
		text string
		to   *int
	}{{strings.TrimSpace(text[:open]), &p.pid}, {fields[1], &p.parent}, {fields[2], &p.group}, {fields[4], &p.tty}, {fields[5], &p.front}} {
		n, err := strconv.Atoi(f.text)
		if err != nil {
			return status{}, false
		}
		*f.to = n
	}
	return p, true
}

// Path is a file of a process in /proc.
func Path(pid int, name string) string {
	return filepath.Join("/proc", strconv.Itoa(pid), name)
}

// Arguments are the command line of a process; nil if it cannot be read.
// Chromium writes its own anew, with spaces between the arguments.
func Arguments(pid int) []string {
	data, err := os.ReadFile(Path(pid, "cmdline"))
	if err != nil {
		return nil
	}
	return strings.FieldsFunc(string(data), func(r rune) bool { return r == 0 || r == ' ' })
}

// Name is the name of the program's file; the kernel's own name for a
// process ends after 15 bytes. A program of which the file cannot be seen has
// only that.
func Name(pid int) string {
	if pid <= 0 {
		return ""
	}
	if exe, err := os.Readlink(Path(pid, "exe")); err == nil {
		return strings.TrimSuffix(filepath.Base(exe), " (deleted)")
	}
	p, _ := readStatus(pid)
	return p.name
}

// UsualName is the name that a program has everywhere; see [Usual].
func UsualName(pid int) string {
	if pid <= 0 {
		return ""
	}
	return Usual(Name(pid), Arguments(pid))
}

// Names are what a program is called: its file, and where that runs
// scripts, such as Python, the script; then the name that it has everywhere.
func Names(pid int) []string {
	names := []string{Name(pid)}
	arguments := Arguments(pid)
	if script := scriptOf(names[0], arguments); script != "" {
		names = append(names, filepath.Base(script))
	}
	if usual := Usual(names[0], arguments); !slices.Contains(names, usual) {
		names = append(names, usual)
	}
	return names
}

// Own is the folder that a program works in; "": it cannot be read.
func Own(pid int) string {
	dir, _ := os.Readlink(Path(pid, "cwd"))
	return dir
}

// Folder is the folder that the user of a terminal works in: that of the program in
// front there, or in a pane of it. A program of another user, such as sudo, does not
// tell its own, and was started from the shell's.
func (t Terminal) Folder(ctx context.Context, search Search) (string, error) {
	inner, err := paneProcess(ctx, t.Front, search)
	if err != nil {
		return "", err
	}
	if dir := Own(inner); dir != "" {
		return dir, nil
	}
	if dir := Own(t.Shell); dir != "" && inner == t.Front {
		return dir, nil
	}
	return "", facts.Unavailable("the program in the terminal in front runs as another user and does not tell its folder", "name the folder with --cwd")
}

// Folders are those that a terminal's title may name: of the program in front, and
// of the shell.
func (t Terminal) Folders() []string {
	folders := []string{Own(t.Front)}
	if own := Own(t.Shell); own != folders[0] {
		folders = append(folders, own)
	}
	return slices.DeleteFunc(folders, func(dir string) bool { return dir == "" })
}

// Terminals are those that a program shows; see [TerminalsOf].
func Terminals(pid int) []Terminal {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var all []Listed
	for _, e := range entries {
		n, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if p, ok := readStatus(n); ok {
			all = append(all, Listed{PID: p.pid, Parent: p.parent, Group: p.group, TTY: p.tty, Front: p.front})
		}
	}
	return TerminalsOf(pid, all)
}
