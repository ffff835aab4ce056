package revision

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/casefold"
	"github.com/pertain-dev/pertain/internal/visible"
)

// Folders are the folders of a revision: what lies elsewhere is none of its business.
func Folders() []string { return []string{"rules", "skills", "strategies"} }

const (
	maxPath  = 240 // bytes: with the folder around it, what Windows takes
	maxDepth = 12  // folders

	maxEntries = 2*MaxFiles*maxDepth + 1 // files, and the folders above each
)

// CheckPath refuses paths that would lead out of a folder, that not every system can hold, or that do not show what they are.
func CheckPath(path string) error {
	segments := strings.Split(path, "/")
	switch {
	case !utf8.ValidString(path), visible.Line(path) != path, visible.Strip(path) != path:
		return errors.New("a path of the revision has characters that cannot be seen")
	case len(path) > maxPath || len(segments) > maxDepth:
		return errors.New("a path of the revision is too long or too deep")
	case len(segments) < 2 || !slices.Contains(Folders(), segments[0]):
		return fmt.Errorf("`%s` is not below %s", diagShort(path), strings.Join(Folders(), "/, ")+"/")
	}
	for _, s := range segments {
		if why := badName(s); why != "" {
			return fmt.Errorf("`%s`: %s", diagShort(path), why)
		}
	}
	return nil
}

func badName(s string) string {
	switch {
	case s == "", s == ".", s == "..":
		return "a path has names between its slashes, and none of them is `.` or `..`"
	case strings.HasPrefix(s, "."):
		return "names do not begin with a dot"
	case strings.ContainsAny(s, "\\:*?\"<>|"), strings.HasSuffix(s, " "), strings.HasSuffix(s, "."):
		return "Windows cannot hold a name with one of \\ : * ? \" < > |, or with a blank or a dot at its end"
	}
	stem, _, _ := strings.Cut(strings.ToUpper(s), ".")
	stem = strings.TrimRight(stem, " ")
	if slices.Contains([]string{"CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"}, stem) ||
		len(stem) == 4 && (strings.HasPrefix(stem, "COM") || strings.HasPrefix(stem, "LPT")) && stem[3] >= '0' && stem[3] <= '9' {
		return "Windows has a device of that name"
	}
	return ""
}

// diagShort bounds what a stranger's path may put into a message.
func diagShort(path string) string {
	if len(path) <= 80 {
		return path
	}
	return strings.ToValidUTF8(path[:80], "") + "…"
}

func fold(path string) string { return strings.Map(casefold.Rune, path) }
