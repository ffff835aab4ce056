package process

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

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

// Names are what a program is called: its file, and where that runs
// scripts, such as Python, the script.
func Names(pid int) []string {
	names := []string{Name(pid)}
	interpreter := strings.TrimRight(names[0], ".0123456789")
	if !slices.Contains([]string{"python", "perl", "ruby", "gjs", "gjs-console", "node", "java", "electron", "mono", "mono-sgen"}, interpreter) {
		return names
	}
	for at, argument := range Arguments(pid) {
		if at > 0 && !strings.HasPrefix(argument, "-") {
			return append(names, filepath.Base(argument))
		}
	}
	return names
}

// Dir is the folder that the user of a window works in: of a terminal,
// that of the program in front in the terminal; else the program's own. "": it
// cannot be read.
func Dir(ctx context.Context, pid int, search Search) (string, error) {
	if inner, ok := Foreground(pid); ok {
		inner, err := paneProcess(ctx, inner, search)
		if err != nil {
			return "", err
		}
		if dir, err := os.Readlink(Path(inner, "cwd")); err == nil {
			return dir, nil
		}
	}
	dir, _ := os.Readlink(Path(pid, "cwd"))
	return dir, nil
}

// Foreground finds, below a terminal's process, the one that has the terminal's
// attention. Of several terminals in one window the one started last counts:
// which tab is in front, the kernel does not know.
func Foreground(pid int) (int, bool) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return 0, false
	}
	all := map[int]status{}
	for _, e := range entries {
		n, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if p, ok := readStatus(n); ok {
			all[n] = p
		}
	}
	best := 0
	for _, p := range all {
		if p.tty != 0 && p.pid == p.front && p.pid > best && p.below(pid, all) {
			best = p.pid
		}
	}
	return best, best > 0
}

// below tells whether a process descends from another.
func (p status) below(ancestor int, all map[int]status) bool {
	if own, ok := all[ancestor]; ok && own.tty == p.tty {
		return false // it was started in that terminal and does not show it
	}
	for range len(all) {
		if p.parent == ancestor {
			return true
		}
		next, ok := all[p.parent]
		if !ok {
			return false
		}
		p = next
	}
	return false
}
