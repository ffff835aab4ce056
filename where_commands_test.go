package pertain_test

import (
	"bytes"
	"context"
	"go/ast"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/cli"
)

// commandFiles are where a command of the program is.
type commandFiles struct {
	files    []string // the one that makes it, then those that have its name before theirs
	packages []string // that they use, in the order of the layers
}

// maker is a function of internal/cli that makes a command.
type maker struct {
	file     string
	word     string          // its name; "": the first argument says it
	children []*ast.CallExpr // what it adds
}

// commandSources finds every command in internal/cli, by its path from the program on.
func commandSources(root fs.FS, tree *sourceTree) (map[string]*commandFiles, error) {
	makers := map[string]*maker{}
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
		commands[name] = &commandFiles{files: []string{m.file}}
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
		for _, line := range layers {
			for _, folder := range line {
				if slices.ContainsFunc(c.files, func(name string) bool { return slices.Contains(uses[name], folder) }) {
					c.packages = append(c.packages, strings.ReplaceAll(folder, ".", "pertain"))
				}
			}
		}
		for i := range c.files {
			c.files[i] = path.Base(c.files[i])
		}
	}
	return commands, nil
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
				m = &maker{file: f.name, word: useWord(n)}
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

// programCommands are the commands of the program itself, by its manual pages; the library does not count help, and adds those for
// shells, which have no file here.
func programCommands(t *testing.T) []string {
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
	names := []string{"pertain help"}
	for _, page := range pages {
		name := strings.ReplaceAll(strings.TrimSuffix(page.Name(), ".1"), "-", " ")
		if !strings.HasPrefix(name, "pertain completion") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
