package pertain_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// flagBinding is a flag, and the variable or the field that holds its value; nil if nothing does.
type flagBinding struct {
	name   string
	object types.Object
}

// flagCall tells whether a call makes a flag of a command, and which of its arguments is the flag's name.
func flagCall(call *ast.CallExpr) (name int, ok bool) {
	s, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return 0, false
	}
	of, ok := s.X.(*ast.CallExpr)
	if !ok {
		return 0, false
	}
	if set, ok := of.Fun.(*ast.SelectorExpr); !ok || set.Sel.Name != "Flags" && set.Sel.Name != "PersistentFlags" {
		return 0, false
	}
	kind := strings.TrimSuffix(s.Sel.Name, "P")
	kind, bound := strings.CutSuffix(kind, "Var")
	if !slices.Contains([]string{"Bool", "String", "Int", "Duration", "StringArray", "StringSlice"}, kind) {
		return 0, false
	}
	if bound {
		return 1, true
	}
	return 0, true
}

// bindsFlag tells whether a call gives a flag the place of its value.
func bindsFlag(call *ast.CallExpr) bool {
	name, ok := flagCall(call)
	return ok && name == 1
}

// flagsOf are the flags that a function of internal/cli adds to a command, in order, and those that the functions which it calls add.
func (t *typedTree) flagsOf(function *ast.FuncDecl, functions map[types.Object]*ast.FuncDecl, makers map[string]*maker) []flagBinding {
	var flags []flagBinding
	ast.Inspect(function.Body, func(n ast.Node) bool {
		var object types.Object
		if assigned, ok := n.(*ast.AssignStmt); ok && len(assigned.Lhs) == 1 && len(assigned.Rhs) == 1 {
			if call, ok := assigned.Rhs[0].(*ast.CallExpr); ok {
				if name, ok := flagCall(call); ok && name == 0 {
					object = t.variable(assigned.Lhs[0])
					flags = append(flags, flagBinding{textOf(call.Args[0]), object})
					return false
				}
			}
		}
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if name, ok := flagCall(call); ok {
			if name == 1 {
				object = t.variable(call.Args[0].(*ast.UnaryExpr).X)
			}
			flags = append(flags, flagBinding{textOf(call.Args[name]), object})
			return true
		}
		if called := functions[t.named(call.Fun)]; called != nil && called != function && makers[called.Name.Name] == nil && takesCommand(called) {
			flags = append(flags, t.flagsOf(called, functions, makers)...)
		}
		return true
	})
	return flags
}

// takesCommand tells whether a function is given a command.
func takesCommand(function *ast.FuncDecl) bool {
	return slices.ContainsFunc(function.Type.Params.List, func(p *ast.Field) bool {
		star, ok := p.Type.(*ast.StarExpr)
		if !ok {
			return false
		}
		s, ok := star.X.(*ast.SelectorExpr)
		return ok && s.Sel.Name == "Command"
	})
}

// asksChanged are the declarations of internal/cli that ask whether a flag was given, by its name.
func (t *typedTree) asksChanged(flag string) []place {
	var found []place
	for _, name := range t.tree.packages["internal/cli"].files {
		for _, decl := range t.files[name].Decls {
			ast.Inspect(decl, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok && len(call.Args) == 1 && textOf(call.Args[0]) == flag {
					if s, ok := call.Fun.(*ast.SelectorExpr); ok && (s.Sel.Name == "Changed" || s.Sel.Name == "Lookup") {
						found = append(found, place{name, declared(decl)})
					}
				}
				return true
			})
		}
	}
	return found
}

// flagFiles are the files that act on a flag of a command: of internal/cli only by what the command is made of or calls.
func (t *typedTree) flagFiles(flag flagBinding, c *commandFiles) []string {
	found := t.asksChanged(flag.name)
	if flag.object != nil {
		found = append(found, t.actsOn(flag.object)...)
	}
	near := slices.DeleteFunc(slices.Clone(found), func(p place) bool {
		return path.Dir(p.file) == "internal/cli" && !slices.Contains(c.files, path.Base(p.file)) && !slices.Contains(c.reached, p)
	})
	if len(near) > 0 {
		found = near
	}
	return inLayers(filesOf(found))
}

// inLayers orders files from the command line down to what it uses.
func inLayers(files []string) []string {
	level := func(name string) int {
		return slices.IndexFunc(layers, func(line []string) bool { return slices.Contains(line, path.Dir(name)) })
	}
	slices.SortStableFunc(files, func(a, b string) int { return level(b) - level(a) })
	return files
}

// settingFields are the keys of the settings, in their order, with the fields that hold them.
func (t *typedTree) settingFields() []flagBinding {
	var fields []flagBinding
	ast.Inspect(t.files["internal/settings/keys.go"], func(n ast.Node) bool {
		row, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		var found flagBinding
		for _, element := range row.Elts {
			pair, ok := element.(*ast.KeyValueExpr)
			if !ok {
				return true
			}
			switch key, _ := pair.Key.(*ast.Ident); {
			case key == nil:
			case key.Name == "key":
				found.name = textOf(pair.Value)
			case key.Name == "field":
				if function, ok := pair.Value.(*ast.FuncLit); ok {
					found.object = t.named(function.Body.List[0].(*ast.ReturnStmt).Results[0])
				}
			}
		}
		if found.name != "" {
			fields = append(fields, found)
		}
		return true
	})
	return fields
}

// settingFiles are the files that act on a setting, those that read it from its file left out.
func (t *typedTree) settingFiles(field types.Object) []string {
	return inLayers(slices.DeleteFunc(filesOf(t.actsOn(field)), func(name string) bool { return path.Base(name) == "keys.go" && path.Dir(name) == "internal/settings" }))
}

// textOf is a text of the source; "" for anything else.
func textOf(e ast.Expr) string {
	if literal, ok := e.(*ast.BasicLit); ok && literal.Kind == token.STRING {
		text, _ := strconv.Unquote(literal.Value)
		return text
	}
	return ""
}

// TestWhereFollowsValues: what only hands a value on does not act on it, unless nobody does.
func TestWhereFollowsValues(t *testing.T) {
	root := fstest.MapFS{
		"go.mod": {Data: []byte("module example.org/m\n")},
		"flags/flags.go": {Data: []byte(`package flags

import "example.org/m/work"

type flags struct{ all, deep, quiet, lost, early bool }

func command(f *flags) {
	outside.Flags().BoolVar(&f.all, "all", false, "")
	if f.early {
		f.early = false
	}
	work.Do(work.Options{Deep: !f.deep}, f.quiet)
	unused := f.lost
}
`)},
		"flags/list.go": {Data: []byte("package flags\n\nfunc (f *flags) list() int { if f.all { return 1 }; return 2 }\n")},
		"work/work.go":  {Data: []byte("package work\n\ntype Options struct{ Deep bool }\n\nfunc Do(o Options, quiet bool) { do(o, quiet) }\n")},
		"work/do.go":    {Data: []byte("package work\n\nfunc do(o Options, still bool) { if o.Deep { print() }; for still { print() } }\n")},
	}
	tree, err := readTree(root)
	if err != nil {
		t.Fatal(err)
	}
	typed, err := typeTree(root, tree)
	if err != nil {
		t.Fatal(err)
	}
	fields := typed.packages["flags"].Scope().Lookup("flags").Type().Underlying().(*types.Struct)
	var got []string
	for field := range fields.Fields() {
		got = append(got, fmt.Sprint(field.Name(), filesOf(typed.actsOn(field))))
	}
	want := []string{"all[flags/list.go]", "deep[work/do.go]", "quiet[work/do.go]", "lost[flags/flags.go]", "early[flags/flags.go]"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
