package pertain_test

import (
	"bytes"
	"context"
	"go/ast"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/cli"
)

// commandFiles are where a command of the program is.
type commandFiles struct {
	files    []string      // the one that makes it, then those that have its name before theirs
	shared   []string      // others of internal/cli that these call, directly or over one step
	called   []declaration // what these call there
	reached  []declaration // what these call there over a few steps, in which values of flags are handed on
	packages []string      // that they use, in the order of the layers
	further  []string      // that only what they call uses
	flags    []flagBinding

	readsFlags bool // itself, from the arguments
}

// maker is a function of internal/cli that makes a command.
type maker struct {
	file     string
	word     string          // its name; "": the first argument says it
	raw      bool            // it is given its flags as they are
	children []*ast.CallExpr // what it adds
}

// commandSources finds every command in internal/cli, by its path from the program on.
func commandSources(root fs.FS, typed *typedTree) (map[string]*commandFiles, error) {
	tree := typed.tree
	makers := map[string]*maker{}
	functions := map[types.Object]*ast.FuncDecl{}
	uses := map[string][]string{} // the folders that each file uses
	all := tree.packages["internal/cli"].files
	for _, name := range all {
		f, err := parseSource(root, name)
		if err != nil {
			return nil, err
		}
		for _, decl := range f.Decls {
			if function, ok := decl.(*ast.FuncDecl); ok && function.Body != nil {
				if m := makerOf(f, function); m != nil {
					makers[function.Name.Name] = m
				}
			}
		}
		for _, decl := range typed.files[name].Decls {
			if function, ok := decl.(*ast.FuncDecl); ok && function.Body != nil {
				functions[typed.info.Defs[function.Name]] = function
			}
		}
		f.uses(func(_ token.Position, _, imported, _ string) {
			if folder, ok := tree.folder(imported); ok && !slices.Contains(uses[name], folder) {
				uses[name] = append(uses[name], folder)
			}
		})
	}
	commands := map[string]*commandFiles{}
	var walk func(function, word, above string)
	walk = func(function, word, above string) {
		m := makers[function]
		if m == nil {
			return
		}
		name := strings.TrimSpace(above + " " + m.word + word)
		commands[name] = &commandFiles{files: []string{m.file}, readsFlags: m.raw}
		for _, made := range typed.files[m.file].Decls {
			if made, ok := made.(*ast.FuncDecl); ok && made.Name.Name == function {
				commands[name].flags = typed.flagsOf(made, functions, makers)
			}
		}
		for _, call := range m.children {
			if s, ok := call.Fun.(*ast.SelectorExpr); ok {
				walk(s.Sel.Name, firstText(call), name)
			}
		}
	}
	walk("rootCommand", "", "")
	for _, c := range commands {
		own := strings.TrimSuffix(c.files[0], ".go") + "_"
		for _, name := range all {
			if strings.HasPrefix(name, own) && !belongsElsewhere(commands, c, name) {
				c.files = append(c.files, name)
			}
		}
		c.called, c.reached = typed.calledBy(c.files, makers, 2), typed.calledBy(c.files, makers, textSteps)
		c.shared = filesOf(c.called)
	}
	users := usersOf(commands)
	for _, c := range commands {
		few := slices.DeleteFunc(slices.Clone(c.called), func(p declaration) bool { return len(users[p.file]) > len(commands)/2 })
		for _, line := range layers {
			for _, folder := range line {
				shown := strings.ReplaceAll(folder, ".", "pertain")
				switch {
				case slices.ContainsFunc(c.files, func(name string) bool { return slices.Contains(uses[name], folder) }):
					c.packages = append(c.packages, shown)
				case slices.ContainsFunc(few, func(p declaration) bool { return typed.usesPackage(p, folder) }):
					c.further = append(c.further, shown)
				}
			}
		}
		c.files, c.shared = baseNames(c.files), baseNames(c.shared)
	}
	return commands, nil
}

// calledBy is what some files of internal/cli call of its other files, over at most so many steps. Commands below a command are not what it calls.
func (t *typedTree) calledBy(files []string, makers map[string]*maker, far int) []declaration {
	var found []declaration
	seen := map[types.Object]int{} // the steps that were left
	var visit func(at declaration, steps int)
	visit = func(at declaration, steps int) {
		for _, u := range t.within[at] {
			called, ok := u.object.(*types.Func)
			if !ok || called.Pkg() != t.packages["internal/cli"] || seen[called] >= steps || makers[called.Name()] != nil {
				continue
			}
			seen[called] = steps
			for _, to := range t.declarations(funcName(called)) { // more than one if systems differ
				if slices.Contains(files, to.file) {
					continue
				}
				if !slices.Contains(found, to) {
					found = append(found, to)
				}
				if steps > 1 {
					visit(to, steps-1)
				}
			}
		}
	}
	for _, name := range files {
		for _, decl := range t.files[name].Decls {
			visit(declaration{name, declared(decl)}, far)
		}
	}
	return found
}

// declarations are the functions of internal/cli that have a name, one for each system.
func (t *typedTree) declarations(name string) []declaration {
	var found []declaration
	for _, file := range t.tree.packages["internal/cli"].files {
		for _, decl := range t.files[file].Decls {
			if _, ok := decl.(*ast.FuncDecl); ok && declared(decl) == name {
				found = append(found, declaration{file, name})
			}
		}
	}
	return found
}

// usesPackage tells whether a declaration uses a package of this module.
func (t *typedTree) usesPackage(at declaration, folder string) bool {
	return slices.ContainsFunc(t.within[at], func(u nameUse) bool {
		of, ok := u.object.(*types.PkgName)
		return ok && of.Imported() == t.packages[folder]
	})
}

// funcName is the name that declared gives a function.
func funcName(f *types.Func) string {
	receiver := f.Signature().Recv()
	if receiver == nil {
		return f.Name()
	}
	of := receiver.Type()
	if pointer, ok := of.(*types.Pointer); ok {
		of = pointer.Elem()
	}
	if named, ok := of.(*types.Named); ok {
		return named.Obj().Name() + "." + f.Name()
	}
	return f.Name()
}

func baseNames(files []string) []string {
	out := make([]string, len(files))
	for i, name := range files {
		out[i] = path.Base(name)
	}
	return out
}

// belongsElsewhere tells whether a file is that of a command with a longer name.
func belongsElsewhere(commands map[string]*commandFiles, c *commandFiles, name string) bool {
	for _, other := range commands {
		first := path.Join("internal/cli", path.Base(other.files[0]))
		if len(first) > len(path.Join("internal/cli", path.Base(c.files[0]))) && (name == first || strings.HasPrefix(name, strings.TrimSuffix(first, ".go")+"_")) {
			return true
		}
	}
	return false
}

// makerOf reads a function that makes a command; nil for any other.
func makerOf(f *sourceFile, function *ast.FuncDecl) *maker {
	var m *maker
	ast.Inspect(function.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			if s, ok := n.Type.(*ast.SelectorExpr); ok && s.Sel.Name == "Command" && m == nil {
				m = &maker{file: f.name, word: useWord(n), raw: setsField(n, "DisableFlagParsing")}
			}
		case *ast.CallExpr:
			if s, ok := n.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == "AddCommand" && m != nil {
				for _, arg := range n.Args {
					if call, ok := arg.(*ast.CallExpr); ok {
						m.children = append(m.children, call)
					}
				}
			}
			if s, ok := n.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == "helpCommand" && m != nil {
				m.children = append(m.children, n)
			}
		}
		return true
	})
	return m
}

// useWord is the first word of a command's usage line, as far as it is written there.
func useWord(command *ast.CompositeLit) string {
	for _, element := range command.Elts {
		field, ok := element.(*ast.KeyValueExpr)
		if name, isName := field.Key.(*ast.Ident); !ok || !isName || name.Name != "Use" {
			continue
		}
		value := field.Value
		if sum, ok := value.(*ast.BinaryExpr); ok {
			value = sum.X
		}
		if text, ok := value.(*ast.BasicLit); ok {
			line, _ := strconv.Unquote(text.Value)
			word, _, _ := strings.Cut(line, " ")
			return word
		}
	}
	return ""
}

// setsField tells whether a literal gives a field a value.
func setsField(literal *ast.CompositeLit, name string) bool {
	return slices.ContainsFunc(literal.Elts, func(element ast.Expr) bool {
		pair, ok := element.(*ast.KeyValueExpr)
		if !ok {
			return false
		}
		key, ok := pair.Key.(*ast.Ident)
		return ok && key.Name == name
	})
}

// firstText is the first argument of a call, if it is a text.
func firstText(call *ast.CallExpr) string {
	if len(call.Args) > 0 {
		if text, ok := call.Args[0].(*ast.BasicLit); ok && text.Kind == token.STRING {
			word, _ := strconv.Unquote(text.Value)
			return word
		}
	}
	return ""
}

// programFlags are the commands of the program itself and their flags, by its manual pages; the library does not count help, and adds those for
// shells, which have no file here.
func programFlags(t *testing.T) map[string][]string {
	t.Helper()
	dir := t.TempDir()
	var errs bytes.Buffer
	if code := cli.Main(context.Background(), cli.Invocation{Args: []string{"man", "--dir", dir}, Stdin: strings.NewReader(""), Stdout: &errs, Stderr: &errs, Dir: dir}); code != 0 {
		t.Fatalf("man: %s", errs.String())
	}
	pages, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	flags := map[string][]string{"pertain help": nil}
	flag := regexp.MustCompile(`(?m)^(?:.*, )?\\fB--([a-z-]+)`)
	for _, page := range pages {
		name := strings.ReplaceAll(strings.TrimSuffix(page.Name(), ".1"), "-", " ")
		if strings.HasPrefix(name, "pertain completion") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, page.Name()))
		if err != nil {
			t.Fatal(err)
		}
		flags[name] = nil
		own, _, _ := strings.Cut(string(text), ".SH OPTIONS INHERITED")
		for _, found := range flag.FindAllStringSubmatch(own, -1) {
			if found[1] != "help" { // the library's
				flags[name] = append(flags[name], found[1])
			}
		}
		slices.Sort(flags[name])
	}
	return flags
}
