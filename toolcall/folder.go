package toolcall

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// folders follow where a script works, as far as reading it tells: names of files count from there. Where that is not known, such
// as after `cd "$DIR"`, they stay as they are written.
type folders struct {
	at      spots
	passed  spots     // where the list of commands that is read has been: it may have ended there
	before  spots     // for `cd -`
	stack   []spots   // of pushd
	outer   []folders // of the shells around the one that is read
	changes int       // how many commands have changed the folder
	instead bool      // what is read comes after `||`: it may not be run
}

// spots are where a script may work; the first is where it does if everything went well, and the last may stand for all that are too many.
type spots []folder

// file is one that a script may write.
type file struct {
	name     string // "": any
	anywhere bool   // the folder is not known
}

// Limits of what is followed.
const (
	maxSpots   = 8
	maxChanges = 1000 // of the folder; then the first alone is followed, beside where the script begins
)

// and are all of two.
func (s spots) and(more spots) spots {
	out := s[:len(s):len(s)]
	for _, f := range more {
		if slices.Contains(out, f) {
			continue
		}
		if len(out) >= maxSpots { // nobody is to be blind for where there are too many
			return out.orAnywhere()
		}
		out = append(out, f)
	}
	return out
}

// orAnywhere adds all other folders.
func (s spots) orAnywhere() spots {
	if last := len(s) - 1; last >= 0 && s[last].anywhere {
		return s
	}
	return append(s[:len(s):len(s)], folder{unknown: true, anywhere: true})
}

// to are the folders that a command changes to; really, if it goes the way of the system, which follows links before `..`, and not
// that of a shell, which takes the last name away.
func (s spots) to(name string, really bool) spots {
	var out spots
	names := alternatives(name)
	for _, f := range s {
		for _, one := range names {
			out = out.and(spots{f.to(one, really)})
		}
	}
	return out
}

// known is the first that is known, if one is.
func (s spots) known() folder {
	for _, f := range s {
		if !f.unknown {
			return f
		}
	}
	return folder{unknown: true}
}

// files are the names that a file may have.
func (s spots) files(name string) []file {
	if name == "" { // none
		return []file{{}}
	}
	var out []file
	for _, f := range s {
		out = and(out, f.file(f.join(name)))
	}
	return out
}

// and adds a file, unless it is known.
func and(files []file, more file) []file {
	if slices.Contains(files, more) {
		return files
	}
	return append(files, more)
}

// folder is one, relative to where the script begins, or absolute.
type folder struct {
	name    string
	unknown bool
	// anywhere, which is unknown, too, is one of those that a script may have come to and that are too many to be followed. Another
	// that is unknown leaves names as they are written.
	anywhere bool
}

// file is one of a folder by its name.
func (f folder) file(name string) file {
	if strings.Contains(name, anyName) || len(name) > maxPath {
		return file{anywhere: true}
	}
	return file{name: name, anywhere: f.anywhere && !isElsewhere(name)}
}

// isElsewhere tells a name that does not count from the folder: an absolute one, and one of which nobody knows where it is.
func isElsewhere(name string) bool {
	return isAbs(name) || name != "" && strings.IndexByte("~$`", name[0]) >= 0
}

// join is a file of a folder, or a folder of it. Where `..` comes after a name, both stay: that may be a link, and whoever has the
// disk before him knows where it leads.
func (f folder) join(name string) string {
	if f.unknown || f.name == "" || isElsewhere(name) {
		return name
	}
	dir := strings.ReplaceAll(f.name, `\`, "/")
	written := dir + "/" + name
	if !climbs(written) {
		return path.Join(dir, name)
	}
	parts := slices.DeleteFunc(strings.Split(written, "/"), func(part string) bool { return part == "" || part == "." })
	if strings.HasPrefix(written, "/") {
		parts = slices.Insert(parts, 0, "")
	}
	return strings.Join(parts, "/")
}

// climbs tells whether a path goes up from a name.
func climbs(name string) bool {
	down := false
	for part := range strings.SplitSeq(name, "/") {
		switch part {
		case "", ".":
		case "..":
			if down {
				return true
			}
		default:
			down = true
		}
	}
	return false
}

// reach is how a file is called here that counts from another folder; where that is not known, it stays as it is written.
func (f folder) reach(from folder, name, written string) string {
	target := from.join(name)
	switch {
	case from.unknown || f.unknown:
		return written
	case f.name == from.name:
		return name
	case isAbs(target) || f.name == "":
		return target
	case isAbs(f.name) || strings.HasPrefix(path.Clean(f.name), ".."):
		return written
	}
	if here := path.Clean(f.name); here != "." {
		return strings.Repeat("../", strings.Count(here, "/")+1) + target
	}
	return target
}

// maxFolder is how long the name of a folder may be that is followed, in bytes.
const maxFolder = 1 << 10

// to is the folder that a command changes to; see [spots.to].
func (f folder) to(name string, really bool) folder {
	switch {
	case len(f.name)+len(name) > maxFolder || strings.Contains(name, anyName):
		return folder{unknown: true, anywhere: true}
	case name == "" || strings.ContainsAny(name, "$`*?[{") || strings.HasPrefix(name, "~") && !isAbs(name):
		return folder{unknown: true}
	case isAbs(name):
		return folder{name: name}
	case f.unknown:
		return f
	case climbs(name), really:
		return folder{name: cmp.Or(f, folder{name: "."}).join(name)}
	}
	return folder{name: path.Join(strings.ReplaceAll(f.name, `\`, "/"), name)}
}

// isAbs tells an absolute path, of whatever system, or one from the home.
func isAbs(name string) bool {
	return name == "~" || strings.HasPrefix(name, "~/") || strings.HasPrefix(name, "/") || strings.HasPrefix(name, `\`) || len(name) > 2 && name[1] == ':' && (name[2] == '\\' || name[2] == '/')
}

// change follows a command that changes the folder.
func (f *folders) change(words []string) {
	args, really := words[1:], false
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' && !isNumber(args[0][1:]) {
		really = really || strings.Contains(args[0], "P")
		args = args[1:]
	}
	target := ""
	if len(args) > 0 {
		target = args[0]
	} else if base(words[0]) == "cd" {
		target = "~"
	}
	if f.changes > maxChanges {
		f.at, f.passed = f.at[:1:1].orAnywhere(), nil
	}
	var next spots
	fails := true // it may
	switch strings.ToLower(base(words[0])) {
	case "cd", "chdir", "set-location":
		if target == "-" {
			next, fails = f.before, false
		} else {
			next = f.at.to(target, really)
		}
	case "pushd", "push-location":
		if len(f.stack) >= maxShells { // the oldest is needed last
			f.stack = f.stack[1:]
		}
		f.stack = append(f.stack[:len(f.stack):len(f.stack)], f.at)
		if next = f.at.to(target, really); strings.HasPrefix(target, "+") || strings.HasPrefix(target, "-") {
			next = spots{{unknown: true}}
		}
	case "popd", "pop-location":
		next = spots{{unknown: true}}
		if last := len(f.stack) - 1; last >= 0 && target == "" { // without its pushd the script is there all the same
			next, f.stack, fails = f.stack[last], f.stack[:last], false
		}
	default:
		return
	}
	if f.changes++; f.changes > maxChanges {
		next, fails = next[:1:1].and(spots{{}}).orAnywhere(), false
	}
	if fails {
		f.passed = f.passed.and(f.at)
	}
	if f.instead {
		next = f.at.and(next)
	}
	f.before, f.at = f.at, next
}

// enter begins a shell in the one that is read: what it changes ends with it.
func (f *folders) enter() {
	if len(f.outer) < maxShells {
		f.outer = append(f.outer, folders{at: f.at, passed: f.passed, before: f.before, stack: f.stack})
	}
}

// doubt ends a list of commands of which each runs only after the one before it went well: what follows runs in any case.
// It may have ended anywhere.
func (f *folders) doubt() {
	f.at = f.at.and(f.passed)
	f.passed = nil
}

// maxShells is how deep shells in shells are followed, and how many folders pushd keeps.
const maxShells = 100

func (f *folders) leave() {
	if last := len(f.outer) - 1; last >= 0 {
		outer := f.outer[last]
		f.at, f.passed, f.before, f.stack, f.outer = outer.at, outer.passed, outer.before, outer.stack, f.outer[:last]
	}
}
