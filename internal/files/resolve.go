package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// Resolve follows the links of an absolute path of the real disk, as far as it exists; what does not exist yet is taken as it
// is written. Whatever else keeps it from looking is an error: a way that nobody knows may lead anywhere.
func Resolve(path string) (string, error) {
	if real, ok := realNow(path); ok {
		return real, nil
	}
	volume := filepath.VolumeName(path)
	top := volume + string(filepath.Separator)
	at, rest, links, names := top, parts(path[len(volume):]), 0, 0
	for len(rest) > 0 {
		name := rest[0]
		rest = rest[1:]
		if name == ".." {
			at = filepath.Dir(at)
			continue
		}
		next := filepath.Join(at, name)
		info, err := os.Lstat(next)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return filepath.Join(append([]string{next}, rest...)...), nil
		case err != nil:
			return "", err
		case info.Mode()&fs.ModeSymlink == 0:
			at = next
			continue
		}
		if links++; links > MaxLinks {
			return "", pathError("open", path, ErrTooManyLinks)
		}
		target, err := os.Readlink(next)
		if err != nil {
			return "", err
		}
		if names += LinkNames(target); names > MaxLinkNames {
			return "", pathError("open", path, ErrTooManyLinks)
		}
		if filepath.IsAbs(target) {
			volume = filepath.VolumeName(target)
			at, target = volume+string(filepath.Separator), target[len(volume):]
		}
		rest = append(parts(target), rest...)
	}
	return at, nil
}

// Readings are what an absolute path of the real disk, which need not be clean, may mean. The first takes `..` for the name before it
// away, as shells and many programs do. The second, where that is another one, is the system's: if the name is a link, it goes up from
// where that leads. The error says that nobody knows the second.
func Readings(path string) ([]string, error) {
	clean := filepath.Clean(path)
	names := parts(path[len(filepath.VolumeName(path)):])
	last := len(names) - 1
	for last >= 0 && names[last] != ".." {
		last--
	}
	if last < 0 {
		return []string{clean}, nil
	}
	top := filepath.VolumeName(path) + string(filepath.Separator)
	folder, err := Resolve(top + strings.Join(names[:last+1], string(filepath.Separator)))
	if err != nil {
		return []string{clean}, err
	}
	if real := filepath.Join(append([]string{folder}, names[last+1:]...)...); real != clean {
		return []string{clean, real}, nil
	}
	return []string{clean}, nil
}

// Absolute is a path as it is seen from a folder. It is not cleaned: see [Readings].
func Absolute(folder, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Clean(folder) + string(filepath.Separator) + path
}

// Absolutes are the paths that one of a call may mean as it is seen from a folder: what begins with `~/` counts from the home for a
// shell, and for most agents.
func Absolutes(folder, home, path string) []string {
	here := Absolute(folder, path)
	name, ok := strings.CutPrefix(filepath.ToSlash(path), "~/")
	if !ok || !filepath.IsAbs(home) {
		return []string{here}
	}
	return []string{Absolute(home, filepath.FromSlash(name)), here}
}

// parts are the names that a path is made of.
func parts(path string) []string {
	names := strings.FieldsFunc(filepath.FromSlash(path), func(c rune) bool { return c < utf8.RuneSelf && os.IsPathSeparator(uint8(c)) })
	return slices.DeleteFunc(names, func(name string) bool { return name == "." })
}

// LinkTarget is the path of a file on the real disk without links. The file need not exist, and a link to it may lead
// nowhere yet.
func LinkTarget(path string) string {
	for range MaxLinks {
		if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
			path = filepath.Join(dir, filepath.Base(path))
		}
		target, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		path = target
	}
	return path
}
