package imports

import (
	"cmp"
	"strings"

	"github.com/pertain-dev/pertain/internal/discover/secret"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// target makes the path absolute: from the importing file's folder, or the home.
func (x *expansion) target(target, file string) (string, bool) {
	if rest, ok := strings.CutPrefix(target, "~/"); ok {
		return x.flavor.Join(x.Home, rest), x.Home != ""
	}
	if x.flavor.IsAbs(target) {
		return x.flavor.Clean(target), true
	}
	if x.Imports.Kiro {
		return x.flavor.Join(x.Root, target), true
	}
	return x.flavor.Join(x.flavor.Dir(file), target), true
}

func (x *expansion) same(path, real string) bool {
	other, err := x.Tree.RealPath(path)
	return err == nil && x.flavor.Key(other) == x.flavor.Key(real)
}

// Why imports are not followed.
const (
	outsideImport = "it lies outside of the workspace"
	secretImport  = "it looks like a secret"
)

// free tells whether the imports of a file may leave the workspace: those of the
// user's own files and of a workspace that the user trusts (docs/reference/rules.md). A file
// of the workspace that one of the user's imports is still the workspace's.
func (x *expansion) free(from importing) bool {
	if _, confined := x.confined(from); confined {
		return false
	}
	return x.Trusted && !x.Above || x.own() && !x.Within.Hold(x.flavor, from.file)
}

// confined are the bounds of a file in a repository of its own, which may be a stranger's whoever has imported it; false if it lies in none.
func (x *expansion) confined(from importing) (within files.Bounds, yes bool) {
	if from.file == x.rule.Path {
		return x.Within, x.Inner
	}
	if folder := x.Repository(from.file); folder != "" && (x.rule.Level != rule.User || folder != x.Repository(cmp.Or(x.rule.Real, x.rule.Path))) {
		return files.BelowReal(folder), true
	}
	return x.Within, x.Inner
}

// leaves tells whether the way to a file leads into a strange repository and, by a link that its author made, out of it again. That of the
// rule itself is the user's: many keep their own files in one, and link to them.
func (x *expansion) leaves(path, real string) bool {
	folder := x.Entered(path)
	return folder != "" && !x.flavor.Inside(folder, real) && (x.rule.Level != rule.User || folder != x.Repository(cmp.Or(x.rule.Real, x.rule.Path)))
}

// own tells whether the rule is one of the user's. What lies in a folder above the
// project may be a stranger's: an archive, or the repository around this one.
func (x *expansion) own() bool { return x.rule.Level == rule.User && !x.Above }

// strays tells by its name alone whether an import leaves the workspace and must not.
func (x *expansion) strays(from importing, path string) bool {
	within, _ := x.confined(from)
	return !x.free(from) && !x.flavor.Inside(x.Root, path) && !x.flavor.Inside(x.Dir, path) && !within.Hold(x.flavor, path)
}

// reach is where imports may lead once links are followed.
func (x *expansion) reach(from importing) files.Bounds {
	if x.free(from) {
		return files.Anywhere()
	}
	within, _ := x.confined(from)
	return within
}

// asked tells whether it is the user who imports, in a file of the user's own.
func (x *expansion) asked(from importing) bool {
	if _, confined := x.confined(from); confined {
		return false
	}
	return x.own() && (from.file == x.rule.Path || !x.Within.Hold(x.flavor, from.file))
}

// refuse says why a file, links followed, is not to be imported. Outside of it a
// trusted workspace reaches only text that people write, and nowhere what looks
// like a secret: what is the user's is in a workspace, too. Who asks for it in a file of
// the user's own gets all but keys.
func (x *expansion) refuse(from importing, real string) string {
	within, _ := x.confined(from)
	folder, inside := within.Folder(x.flavor, real)
	ground := secret.Ground{Tree: x.Tree, Folder: folder, Home: x.RealHome}
	switch {
	case x.asked(from) && secret.Ground{Tree: x.Tree}.IsKeyFile(real):
		return secretImport
	case x.asked(from):
		return ""
	case !inside && !secret.IsText(x.flavor.ToSlash(real)):
		return "a project's file imports from elsewhere only Markdown and plain text"
	case ground.Looks(real):
		return secretImport
	}
	return ""
}

// holdsSecret tells by its text whether a file, links followed, is not to be imported. What a tool reads there anyway is no secret.
func (x *expansion) holdsSecret(from importing, real string, data []byte) bool {
	name := x.flavor.ToSlash(real)
	if x.asked(from) {
		return secret.HoldsPrivateKey(name, data)
	}
	within, _ := x.confined(from)
	folder, _ := within.Folder(x.flavor, real)
	ground := secret.Ground{Tree: x.Tree, Folder: folder, Home: x.RealHome}
	return ground.Holds(real, data) && !(within.Hold(x.flavor, real) && x.IsRule(real))
}
