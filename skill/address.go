package skill

import (
	"errors"
	"net/url"
	"strings"
	"unicode"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/files"
)

// Scheme begins the address of a skill.
const Scheme = "skill://"

// Address is where a skill, or a file in its folder, can be read.
func Address(id string, path ...string) string {
	out := Scheme + url.PathEscape(id)
	for _, segment := range path {
		out += "/" + url.PathEscape(segment)
	}
	return out
}

// errAddress is the one reason for all paths that are refused by their form.
var errAddress = errors.New("a path in a skill has names joined by `/`; `..`, `.`, backslashes and absolute paths are not allowed")

// ParseAddress takes skill://NAME/PATH apart: the name of the skill, and the
// segments of the path below its folder, none for the skill itself. Percent
// signs are decoded once, segment by segment, so that nothing encoded can
// become a separator.
func ParseAddress(address string) (name string, path []string, err error) {
	if len(address) < len(Scheme) || !strings.EqualFold(address[:len(Scheme)], Scheme) {
		return "", nil, errors.New("not the address of a skill; write skill://ID")
	}
	first, rest, below := strings.Cut(address[len(Scheme):], "/")
	if name, err = segment(first); err != nil {
		if first == "" {
			return "", nil, errors.New("the address names no skill; write skill://ID")
		}
		return "", nil, err
	}
	if !below || rest == "" {
		return name, nil, nil
	}
	for part := range strings.SplitSeq(rest, "/") {
		s, err := segment(part)
		if err != nil {
			return "", nil, err
		}
		path = append(path, s)
	}
	return name, path, nil
}

// segment decodes one name and refuses what is more, or less, than a name.
func segment(text string) (string, error) {
	name, err := url.PathUnescape(text)
	if err != nil {
		return "", errors.New("a `%` in the address is not followed by two hexadecimal digits; write %25 for the sign itself")
	}
	if name == "" || name == "." || name == ".." || strings.ContainsAny(name, `/\`) || strings.ContainsFunc(name, unicode.IsControl) {
		return "", errAddress
	}
	return name, nil
}

// plainName tells whether a name means itself on this kind of tree. Windows
// drops dots and blanks at the end, and reads what follows a colon as a stream.
func plainName(flavor files.Flavor, name string) bool {
	return flavor != files.Windows || !strings.Contains(name, ":") && strings.TrimRight(name, ". ") == name
}

// UnknownError says that there is no such skill.
type UnknownError struct {
	Name      string
	Available []string // ids, in order
}

// Error names the nearest ids.
func (e *UnknownError) Error() string {
	text := "there is no skill `" + diag.Short(e.Name) + "`"
	near := diag.Nearest(e.Name, e.Available)
	if near == "" {
		for _, id := range e.Available {
			if _, folder, _ := strings.Cut(id, "."); diag.Nearest(e.Name, []string{folder}) != "" {
				near = id
				break
			}
		}
	}
	if near != "" {
		return text + "; did you mean `" + near + "`?"
	}
	return text + "; `pertain skills` lists them"
}

// AmbiguousError says that several skills have the name.
type AmbiguousError struct {
	Name string
	IDs  []string
}

// Error lists the full ids.
func (e *AmbiguousError) Error() string {
	return "several skills are called `" + e.Name + "`; write one of " + strings.Join(e.IDs, ", ")
}
