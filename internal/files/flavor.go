package files

import (
	"path"
	"runtime"
	"strings"
)

// Flavor is a way to write paths. Its methods look at the text alone, never at a tree.
type Flavor uint8

const (
	Unix    Flavor = iota // slashes, case counts
	Windows               // drive letters, backslashes (slashes are read too), case does not count
)

// Native is the flavour of the operating system that the program runs on.
func Native() Flavor {
	if runtime.GOOS == "windows" {
		return Windows
	}
	return Unix
}

// Separator stands between the segments of a clean path.
func (f Flavor) Separator() string {
	if f == Windows {
		return `\`
	}
	return "/"
}

// split takes a path apart: the volume (`C:`, `\\host\share`, empty on Unix) and the rest with slashes.
func (f Flavor) split(p string) (volume, rest string) {
	if f == Unix {
		return "", p
	}
	p = strings.ReplaceAll(p, `\`, "/")
	if len(p) >= 2 && p[1] == ':' && ('a' <= p[0]|0x20 && p[0]|0x20 <= 'z') {
		return p[:2], p[2:]
	}
	if strings.HasPrefix(p, "//") {
		host, after, _ := strings.Cut(p[2:], "/")
		share, _, _ := strings.Cut(after, "/")
		if host != "" && share != "" {
			n := len("//") + len(host) + len("/") + len(share)
			return p[:n], p[n:]
		}
	}
	return "", p
}

func (f Flavor) join(volume, rest string) string {
	if f == Windows {
		return strings.ReplaceAll(volume+rest, "/", `\`)
	}
	return rest
}

// Clean returns the shortest path that means the same, with the flavour's own separators.
func (f Flavor) Clean(p string) string {
	volume, rest := f.split(p)
	if rest == "" && strings.HasPrefix(volume, "//") {
		return f.join(volume, "/") // a share is its own root
	}
	if rest == "" && volume != "" {
		return volume + "."
	}
	return f.join(volume, path.Clean(rest))
}

// IsAbs tells whether the path names one file whatever the working directory is.
func (f Flavor) IsAbs(p string) bool {
	volume, rest := f.split(p)
	if f == Unix {
		return strings.HasPrefix(rest, "/")
	}
	return strings.HasPrefix(volume, "//") || volume != "" && strings.HasPrefix(rest, "/")
}

// Abs makes a path absolute, as seen from the folder cwd.
func (f Flavor) Abs(cwd, p string) string {
	if f.IsAbs(p) {
		return f.Clean(p)
	}
	volume, rest := f.split(p)
	cwdVolume, _ := f.split(cwd)
	switch {
	case f == Windows && volume != "" && !strings.EqualFold(volume, cwdVolume):
		return f.Clean(volume + "/" + rest) // `D:x` while on C: there is no folder to begin at but the root
	case f == Windows && volume != "":
		return f.Join(cwd, rest) // `C:x`: from the working directory of that drive
	case f == Windows && strings.HasPrefix(rest, "/"):
		return f.Clean(cwdVolume + rest) // `\x`: from the root of this drive
	}
	return f.Join(cwd, p)
}

// Join puts segments together, empty ones left out, and cleans the result. Nothing gives an empty path.
func (f Flavor) Join(parts ...string) string {
	var kept []string
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	if len(kept) == 0 {
		return ""
	}
	if len(kept) > 1 {
		if volume, rest := f.split(kept[0]); volume != "" && rest == "" && !strings.HasPrefix(volume, "//") {
			return f.Clean(volume + strings.Join(kept[1:], "/")) // `C:` and `x` are `C:x`
		}
	}
	return f.Clean(strings.Join(kept, "/"))
}

// Dir is everything but the last segment. The folder above a root is the root.
func (f Flavor) Dir(p string) string {
	volume, rest := f.split(f.Clean(p))
	return f.Clean(f.join(volume, path.Dir(rest)))
}

// Up are a folder and those above it up to top, the nearest first; up to the root of all if top is not among them. Both are absolute.
func (f Flavor) Up(folder, top string) []string {
	folder, top = f.Clean(folder), f.Clean(top)
	out := []string{folder}
	for folder != top && (f == Unix || f.Key(folder) != f.Key(top)) {
		up := f.above(folder)
		if up == folder {
			break
		}
		out = append(out, up)
		folder = up
	}
	return out
}

// above is Dir of a clean path, which on Unix need not be cleaned for that.
func (f Flavor) above(path string) string {
	if f != Unix || !f.IsAbs(path) {
		return f.Dir(path)
	}
	return path[:max(strings.LastIndexByte(path, '/'), 1)]
}

// Base is the last segment; of a root it is the separator.
func (f Flavor) Base(p string) string {
	_, rest := f.split(p)
	if f == Windows {
		return strings.ReplaceAll(path.Base(rest), "/", `\`)
	}
	return path.Base(rest)
}

// Key is a form of a path that is equal for all spellings of it; it is for comparing, not for opening.
func (f Flavor) Key(p string) string {
	p = f.Clean(p)
	if f == Windows {
		return strings.ToLower(strings.ToUpper(p)) // both: some letters meet only in the other case
	}
	return p
}

// Inside tells whether p is root or below it. Both are absolute; links are left alone.
func (f Flavor) Inside(root, p string) bool {
	_, ok := f.Rel(root, p)
	return ok
}

// Rel returns the way from root to p with slashes, `.` if they are the same; ok is false if p is not root or below it.
func (f Flavor) Rel(root, p string) (rel string, ok bool) {
	above, below := f.segments(root), f.segments(p)
	if len(below) < len(above) {
		return "", false
	}
	for i, s := range above {
		if s != below[i] && (f == Unix || !strings.EqualFold(s, below[i])) {
			return "", false
		}
	}
	if len(below) == len(above) {
		return ".", true
	}
	return strings.Join(below[len(above):], "/"), true
}

// segments takes a path apart; the first segment of an absolute one is its volume, or empty.
func (f Flavor) segments(p string) []string {
	return strings.Split(strings.TrimSuffix(f.ToSlash(f.Clean(p)), "/"), "/")
}

// ToSlash returns the path with slashes.
func (f Flavor) ToSlash(p string) string {
	if f == Windows {
		return strings.ReplaceAll(p, `\`, "/")
	}
	return p
}
