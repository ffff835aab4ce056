package pertain_test

import (
	"fmt"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// freeFolders are top-level folders that are no part of the layered program: data, documents and
// programs that nobody imports. Other Go modules (bench, peertest, tools) are recognized by their go.mod.
var freeFolders = []string{"conformance", "examples", "scripts", "tools", "bench"}

// sourceTree is what the non-test .go files of one module import, read in-process: the test cache
// sees the files that a test opens itself, and does not see those that a child process opens.
type sourceTree struct {
	module   string
	packages map[string]*sourcePackage // by folder, "." for the root
	versions map[string]string         // required modules and their versions
}

type sourcePackage struct {
	folder  string
	files   []string            // slash-separated, relative to the module's root
	imports map[string][]string // import path → files that import it, in order
}

func readTree(fsys fs.FS) (*sourceTree, error) {
	text, err := fs.ReadFile(fsys, "go.mod")
	if err != nil {
		return nil, err
	}
	tree := &sourceTree{packages: map[string]*sourcePackage{}}
	tree.module, tree.versions = parseGoMod(string(text))
	err = fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if skipFolder(fsys, name) {
				return fs.SkipDir
			}
			return nil
		}
		if !isSource(name) {
			return nil
		}
		return tree.add(fsys, name)
	})
	return tree, err
}

func skipFolder(fsys fs.FS, name string) bool {
	if name == "." {
		return false
	}
	base := path.Base(name)
	if base == "testdata" || base == "vendor" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") {
		return true
	}
	if slices.Contains(freeFolders, name) {
		return true
	}
	_, err := fs.Stat(fsys, path.Join(name, "go.mod"))
	return err == nil
}

func isSource(name string) bool {
	base := path.Base(name)
	return strings.HasSuffix(base, ".go") && !strings.HasSuffix(base, "_test.go") &&
		!strings.HasPrefix(base, ".") && !strings.HasPrefix(base, "_")
}

// add takes every file, whatever its build constraints say: a rule that holds on one system only is none.
func (tree *sourceTree) add(fsys fs.FS, name string) error {
	text, err := fs.ReadFile(fsys, name)
	if err != nil {
		return err
	}
	paths, err := importsOf(name, text)
	if err != nil {
		return err
	}
	folder := path.Dir(name)
	pkg := tree.packages[folder]
	if pkg == nil {
		pkg = &sourcePackage{folder: folder, imports: map[string][]string{}}
		tree.packages[folder] = pkg
	}
	pkg.files = append(pkg.files, name)
	for _, p := range paths {
		pkg.imports[p] = append(pkg.imports[p], name)
	}
	return nil
}

// folder returns the module's folder that an import path names, and false if it names another module's package.
func (tree *sourceTree) folder(importPath string) (string, bool) {
	if importPath == tree.module {
		return ".", true
	}
	return strings.CutPrefix(importPath, tree.module+"/")
}

// reach returns the folders of this module that start imports, directly or not, start included, and
// all import paths of other modules and the standard library among them, each with one file that imports it.
func (tree *sourceTree) reach(start string) (folders []string, outside map[string]string) {
	outside = map[string]string{}
	seen := map[string]bool{}
	todo := []string{start}
	for len(todo) > 0 {
		folder := todo[0]
		todo = todo[1:]
		pkg := tree.packages[folder]
		if seen[folder] || pkg == nil {
			continue
		}
		seen[folder] = true
		folders = append(folders, folder)
		for _, p := range sortedKeys(pkg.imports) {
			if inside, ok := tree.folder(p); ok {
				todo = append(todo, inside)
			} else if outside[p] == "" {
				outside[p] = pkg.imports[p][0]
			}
		}
	}
	return folders, outside
}

// moduleOf returns the required module that an import path belongs to, or "" for the standard library and unknown ones.
func (tree *sourceTree) moduleOf(importPath string) string {
	best := ""
	for m := range tree.versions {
		if (importPath == m || strings.HasPrefix(importPath, m+"/")) && len(m) > len(best) {
			best = m
		}
	}
	return best
}

// otherModules walks on through the module cache: it returns every package of other modules that the given
// import paths lead to, with its own imports. A package whose source is not there is listed in missing.
func (tree *sourceTree) otherModules(start []string) (packages map[string][]string, missing []string, err error) {
	packages = map[string][]string{}
	todo := slices.Clone(start)
	for len(todo) > 0 {
		p := todo[0]
		todo = todo[1:]
		if _, done := packages[p]; done || isStandard(p) {
			continue
		}
		packages[p] = nil
		module := tree.moduleOf(p)
		dir := filepath.Join(moduleCache(), escapePath(module)+"@"+tree.versions[module], filepath.FromSlash(strings.TrimPrefix(p, module)))
		imports, err := cachedImports(dir)
		if module == "" || os.IsNotExist(err) {
			missing = append(missing, p)
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		packages[p] = imports
		todo = append(todo, imports...)
	}
	return packages, missing, nil
}

// cachedImports returns what the files of one folder import on any of the systems that releases are built for.
func cachedImports(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	all := map[string]bool{}
	for _, entry := range entries {
		if entry.IsDir() || !isSource(entry.Name()) || !builtSomewhere(dir, entry.Name()) {
			continue
		}
		name := filepath.Join(dir, entry.Name())
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		paths, err := importsOf(name, text)
		if err != nil {
			return nil, err
		}
		for _, p := range paths {
			all[p] = true
		}
	}
	return sortedKeys(all), nil
}

func builtSomewhere(dir, name string) bool {
	for _, goos := range []string{"linux", "windows", "darwin"} {
		for _, goarch := range []string{"amd64", "arm64"} {
			context := build.Default
			context.GOOS, context.GOARCH, context.CgoEnabled = goos, goarch, false
			if match, err := context.MatchFile(dir, name); err == nil && match {
				return true
			}
		}
	}
	return false
}

func importsOf(name string, text []byte) ([]string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, spec := range file.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, fmt.Errorf("%s: import %s: %w", name, spec.Path.Value, err)
		}
		paths = append(paths, p)
	}
	return paths, nil
}

// parseGoMod reads the module line and the requirements; it need not know the rest of the language.
func parseGoMod(text string) (module string, versions map[string]string) {
	versions = map[string]string{}
	inside := false
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "//")
		fields := strings.Fields(line)
		switch {
		case len(fields) == 2 && fields[0] == "module":
			module = fields[1]
		case len(fields) == 2 && fields[0] == "require" && fields[1] == "(":
			inside = true
		case len(fields) == 3 && fields[0] == "require":
			versions[fields[1]] = fields[2]
		case len(fields) == 1 && fields[0] == ")":
			inside = false
		case inside && len(fields) == 2:
			versions[fields[0]] = fields[1]
		}
	}
	return module, versions
}

// moduleCache is where the go command keeps the source of other modules.
func moduleCache() string {
	if dir := os.Getenv("GOMODCACHE"); dir != "" {
		return dir
	}
	first, _, _ := strings.Cut(build.Default.GOPATH, string(os.PathListSeparator))
	return filepath.Join(first, "pkg", "mod")
}

// escapePath writes capital letters as the module cache does: !a for A.
func escapePath(module string) string {
	var b strings.Builder
	for _, r := range module {
		if unicode.IsUpper(r) {
			b.WriteByte('!')
			r = unicode.ToLower(r)
		}
		b.WriteRune(r)
	}
	return filepath.FromSlash(b.String())
}

func isStandard(importPath string) bool {
	first, _, _ := strings.Cut(importPath, "/")
	return !strings.Contains(first, ".")
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// ownTree reads the module that this test belongs to; go test runs a test in its package's folder.
func ownTree(t *testing.T) *sourceTree {
	t.Helper()
	tree, err := readTree(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	return tree
}
