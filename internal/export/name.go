package export

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/pertain-dev/pertain/internal/visible"
)

// maxName is how many bytes a part of a file's name has at most: with an end it fits into what all systems allow.
const maxName = 120

// fileName makes of a rule's name one that every system has and every reader finds. A name that is fine stays as it is.
func fileName(name string, deep bool) string {
	var parts []string
	for part := range strings.SplitSeq(strings.ReplaceAll(name, `\`, "/"), "/") {
		if part = filePart(part); part != "" {
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		parts = []string{"rule"}
	}
	if len(parts) > 6 { // readers do not go down without end
		parts = append(parts[:5:5], strings.Join(parts[5:], "-"))
	}
	if deep {
		return path.Join(parts...)
	}
	return filePart(strings.Join(parts, "-"))
}

func filePart(part string) string {
	part = strings.Map(func(r rune) rune {
		if r == utf8.RuneError || unicode.IsControl(r) || strings.ContainsRune(`<>:"|?*%`, r) || visible.Strip(string(r)) == "" || unicode.IsSpace(r) && r != ' ' {
			return '-'
		}
		return r
	}, part)
	part = strings.TrimRight(strings.TrimLeft(part, ". "), ". ~")
	for len(part) > maxName {
		_, size := utf8.DecodeLastRuneInString(part)
		part = strings.TrimRight(part[:len(part)-size], ". ~")
	}
	base, _, _ := strings.Cut(strings.ToLower(part), ".")
	if reserved(base) || strings.EqualFold(part, "node_modules") {
		part = "rule-" + part
	}
	for _, end := range []string{".bak", ".cache", ".db", ".lock", ".log", ".old", ".part", ".pyc", ".swp", ".temp", ".tmp", ".md", ".mdc", ".txt", ".markdown", ".instructions"} {
		if trimmed, ok := strings.CutSuffix(strings.ToLower(part), end); ok && trimmed != "" { // readers take it off, or pass over it
			return part[:len(trimmed)] + "-" + end[1:]
		}
	}
	return part
}

// reserved tells the names that Windows keeps for devices.
func reserved(name string) bool {
	if slices.Contains([]string{"con", "prn", "aux", "nul"}, name) {
		return true
	}
	return len(name) == 4 && (strings.HasPrefix(name, "com") || strings.HasPrefix(name, "lpt")) && name[3] >= '0' && name[3] <= '9'
}

// sameFile is a path as disks compare it that do not tell case, or two ways to write a letter.
func sameFile(path string) string { return strings.ToLower(norm.NFC.String(path)) }

// names gives each rule of one folder a file of its own. For each file that is taken, as disks compare it, it has the number at which
// the search for a free one begins when another rule has that name: all below were taken, and none becomes free.
type names map[string]int

func (n names) take(name string, deep bool) string {
	file := fileName(name, deep)
	first := sameFile(file)
	number := n[first]
	if number == 0 {
		n[first] = 2
		return file
	}
	for {
		numbered := file + "-" + strconv.Itoa(number)
		number++
		if at := sameFile(numbered); n[at] == 0 {
			n[first], n[at] = number, 2
			return numbered
		}
	}
}
