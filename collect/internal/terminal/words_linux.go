package terminal

import (
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// remote are programs that show another machine, or another system on this one, whose
// folders may be called as those of other tabs.
var remote = []string{"ssh", "mosh-client", "telnet", "docker", "podman", "kubectl", "lxc", "incus", "machinectl", "nsenter", "chroot", "et", "adb", "distrobox", "toolbox"}

// named is the one tab whose folder stands in a text that its shell has written, as
// most write it into the title. A program that calls itself there, and one that shows
// another machine, may have written it, too.
func named(text string, tabs []tab) (int, bool) {
	found, length := -1, 0
	for i, t := range tabs {
		if n := t.longest(text); n > length {
			found, length = i, n
		}
	}
	if found < 0 {
		return 0, false
	}
	for i, t := range tabs {
		if i == found {
			continue
		}
		if t.longest(text) == length || slices.Contains(remote, t.program) || t.program != "" && saysName(text, t.program) {
			return 0, false
		}
	}
	return found, true
}

// longest is how long the longest of the tab's folders is that stands in a text.
func (t tab) longest(text string) int {
	n := 0
	for _, folder := range t.folders {
		for _, spelling := range spellings(folder, t.home) {
			if len(spelling) > n && says(text, spelling) {
				n = len(spelling)
			}
		}
	}
	return n
}

// spellings are the ways in which shells write a folder.
func spellings(folder, home string) []string {
	all := []string{folder}
	if !filepath.IsAbs(home) {
		return all
	}
	if below, ok := strings.CutPrefix(folder, filepath.Clean(home)); ok && (below == "" || below[0] == '/') {
		all = append(all, "~"+below)
	}
	return all
}

// says tells whether a text holds a path, and not as a part of another.
func says(text, path string) bool {
	for from := 0; ; {
		at := strings.Index(text[from:], path)
		if at < 0 {
			return false
		}
		at += from
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[at+len(path):])
		if (at == 0 || !inPath(before)) && (at+len(path) == len(text) || !inPath(after)) {
			return true
		}
		from = at + len(path)
	}
}

func inPath(c rune) bool {
	return unicode.IsLetter(c) || unicode.IsDigit(c) || strings.ContainsRune("/._-~+@%", c)
}

// saysName tells whether a program calls itself by its name.
func saysName(text, program string) bool {
	return slices.Contains(strings.FieldsFunc(strings.ToLower(text), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }), strings.ToLower(program))
}

// promptEnds are what prompts of shells end with.
var promptEnds = []string{"$", "#", "%", ">", "❯", "➜", "λ"}

// prompted is the one tab whose folder stands in the prompt that a terminal ends with.
// What is typed after it is not the prompt's.
func prompted(text string, tabs []tab) (int, bool) {
	if slices.ContainsFunc(tabs, func(t tab) bool { return t.program != "" }) {
		return 0, false // what a program shows may look like a prompt
	}
	lines := strings.Split(strings.TrimRight(text, " \t\r\n\x00"), "\n")
	line, end := lines[len(lines)-1], -1
	for _, mark := range promptEnds {
		for _, spaced := range []string{mark + " ", mark} {
			at := strings.Index(line, spaced)
			if spaced == mark && at+len(mark) != len(line) {
				continue // a mark that ends the prompt is followed by a space, or by nothing
			}
			if at >= 0 && (end < 0 || at < end) {
				end = at
			}
		}
	}
	if end < 0 {
		return 0, false
	}
	return named(line[:end], tabs)
}
