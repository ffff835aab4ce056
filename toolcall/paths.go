package toolcall

import (
	"net/url"
	"slices"
	"strings"
	"unicode"
)

// Limits of the files that a call may mean.
const (
	maxPath    = 64 << 10 // bytes of one
	maxPaths   = 16       // of one text
	maxLocated = 4 << 20  // texts that are looked at again since a file was named after them
)

// named are the files, or the folders, that an object of the arguments names. A tool reads one argument for its file and, where that
// stands there twice, mostly the last. Which of several an agent's tool reads is not known: all of them count.
type named struct {
	list []string
	any  bool // there are too many, or one of them cannot be followed: it may be any
}

// add takes in one more, and tells whether that says anything new.
func (n *named) add(list ...string) bool {
	grown := false
	for _, name := range list {
		switch {
		case n.any:
			return grown
		case name == "" || slices.Contains(n.list, name):
		case len(n.list) >= maxPaths:
			return n.addAny() || grown
		default:
			n.list, grown = append(n.list, name), true
		}
	}
	return grown
}

// addAny says that it may be any.
func (n *named) addAny() bool {
	grown := !n.any
	n.list, n.any = nil, true
	return grown
}

// spellings are how a path may be meant: agents take off white space around it, or the sign that mentions a file, write plain blanks
// for others, and some read addresses of files.
func spellings(path string) []string {
	out := []string{path}
	plain := strings.TrimFunc(path, isBlank)
	if plain != path && plain != "" {
		out = append(out, plain)
	}
	if len(plain) > len("file://") && strings.EqualFold(plain[:len("file://")], "file://") {
		if u, err := url.Parse(plain); err == nil && u.Path != "" {
			out = append(out, u.Path)
		}
	}
	if name := strings.Map(plainBlank, strings.TrimPrefix(plain, "@")); name != plain && name != "" {
		out = append(out, name)
	}
	return out
}

// plainBlank is a character with another kind of blank written as the usual one.
func plainBlank(r rune) rune {
	if r > unicode.MaxASCII && unicode.Is(unicode.Zs, r) {
		return ' '
	}
	return r
}

func isBlank(r rune) bool { return unicode.IsSpace(r) || r == '\ufeff' }

// Paths are the files that the text may go to, as the call writes them: where it has several arguments that can be the path, which one
// an agent reads is not known. nil: none, or any.
func (s *Segment) Paths() []string {
	if s.Path == "" {
		return nil
	}
	return append([]string{s.Path}, s.Others...)
}

// files are those that a segment may be about, the nearest first; any: they are not known, since they are too many, or cannot be followed.
func (r *Reader) files(s *segment) (list []string, any bool) {
	if s.Anywhere && s.Path == "" || r.anyFile && (s.scope != nil || s.folder != nil) {
		return nil, true
	}
	all := named{}
	if s.Path != "" {
		all.list = []string{s.Path}
		if dirs := dirsOf(s.folder); dirs.any && !isElsewhere(s.Path) {
			return nil, true
		} else if len(dirs.list) > 0 {
			all.list = all.list[:0]
			for _, dir := range dirs.list {
				all.add(folder{name: dir}.join(s.Path))
			}
		}
	}
	for at := s.scope; at != nil && !all.any; at = at.outer {
		switch {
		case at.paths.any:
			return nil, true
		case all.list == nil: // mostly there is one alone
			all.list = slices.Clip(at.paths.list)
		default:
			all.add(at.paths.list...)
		}
	}
	return all.list, all.any
}

// dirsOf are the folders that a command may be run in, by the arguments of the call. Not every tool has such an argument: where it is not
// known to be the tool's own, the folder of the call counts as well.
func dirsOf(at *scope) named {
	all, own := named{}, false
	for ; at != nil; at = at.outer {
		if at.dirs.any {
			all.addAny()
		}
		all.add(at.dirs.list...)
		own = own || at.ownDir
	}
	if len(all.list) > 0 && !own {
		all.add(".")
	}
	return all
}
