package collect

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// process is what /proc tells of a program.
type process struct {
	pid, parent int
	tty         int // device number of its terminal; 0: none
	front       int // process group that has the terminal; -1: none
	group       int
	name        string
}

// readProcess reads /proc/PID/stat. The name is in parentheses and may hold
// any character, so the fields behind it are counted from the last one.
func readProcess(pid int) (process, bool) {
	text, err := os.ReadFile(procPath(pid, "stat"))
	if err != nil {
		return process{}, false
	}
	return parseStat(string(text))
}

func parseStat(text string) (process, bool) {
	open, end := strings.IndexByte(text, '('), strings.LastIndexByte(text, ')')
	if open < 0 || end < open {
		return process{}, false
	}
	var p process
	p.name = text[open+1 : end]
	fields := strings.Fields(text[end+1:]) // state ppid pgrp session tty tpgid
	if len(fields) < 6 {
		return process{}, false
	}
	for _, f := range []struct {
		text string
		to   *int
	}{{strings.TrimSpace(text[:open]), &p.pid}, {fields[1], &p.parent}, {fields[2], &p.group}, {fields[4], &p.tty}, {fields[5], &p.front}} {
		n, err := strconv.Atoi(f.text)
		if err != nil {
			return process{}, false
		}
		*f.to = n
	}
	return p, true
}

func procPath(pid int, name string) string {
	return filepath.Join("/proc", strconv.Itoa(pid), name)
}

// arguments are the command line of a process; nil if it cannot be read.
// Chromium writes its own anew, with spaces between the arguments.
func arguments(pid int) []string {
	data, err := os.ReadFile(procPath(pid, "cmdline"))
	if err != nil {
		return nil
	}
	return strings.FieldsFunc(string(data), func(r rune) bool { return r == 0 || r == ' ' })
}

// processName is the name of the program's file; the kernel's own name for a
// process ends after 15 bytes. A program of which the file cannot be seen has
// only that.
func processName(pid int) string {
	if pid <= 0 {
		return ""
	}
	if exe, err := os.Readlink(procPath(pid, "exe")); err == nil {
		return strings.TrimSuffix(filepath.Base(exe), " (deleted)")
	}
	p, _ := readProcess(pid)
	return p.name
}

// programNames are what a program is called: its file, and where that runs
// scripts, such as Python, the script.
func programNames(pid int) []string {
	names := []string{processName(pid)}
	interpreter := strings.TrimRight(names[0], ".0123456789")
	if !slices.Contains([]string{"python", "perl", "ruby", "gjs", "gjs-console", "node", "java", "electron", "mono", "mono-sgen"}, interpreter) {
		return names
	}
	for at, argument := range arguments(pid) {
		if at > 0 && !strings.HasPrefix(argument, "-") {
			return append(names, filepath.Base(argument))
		}
	}
	return names
}

// processDir is the folder that the user of a window works in: of a terminal,
// that of the program in front in the terminal; else the program's own. "": it
// cannot be read.
func processDir(ctx context.Context, pid int, options Options) (string, error) {
	if inner, ok := foreground(pid); ok {
		inner, err := behind(ctx, inner, options)
		if err != nil {
			return "", err
		}
		if dir, err := os.Readlink(procPath(inner, "cwd")); err == nil {
			return dir, nil
		}
	}
	dir, _ := os.Readlink(procPath(pid, "cwd"))
	return dir, nil
}

// foreground finds, below a terminal's process, the one that has the terminal's
// attention. Of several terminals in one window the one started last counts:
// which tab is in front, the kernel does not know.
func foreground(pid int) (int, bool) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return 0, false
	}
	all := map[int]process{}
	for _, e := range entries {
		n, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if p, ok := readProcess(n); ok {
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
func (p process) below(ancestor int, all map[int]process) bool {
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
