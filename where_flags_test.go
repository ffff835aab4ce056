package pertain_test

import (
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strconv"
	"strings"
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
func (t *typedTree) asksChanged(flag string) []declaration {
	var found []declaration
	for _, name := range t.tree.packages["internal/cli"].files {
		for _, decl := range t.files[name].Decls {
			ast.Inspect(decl, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok && len(call.Args) == 1 && textOf(call.Args[0]) == flag {
					if s, ok := call.Fun.(*ast.SelectorExpr); ok && (s.Sel.Name == "Changed" || s.Sel.Name == "Lookup") {
						found = append(found, declaration{name, declared(decl)})
					}
				}
				return true
			})
		}
	}
	return found
}

// readsArgument are the declarations that look for a flag among the arguments themselves, as who must answer whatever is wrong with them does.
func (t *typedTree) readsArgument(flag string) []declaration {
	var found []declaration
	for _, name := range sortedKeys(t.files) {
		for _, decl := range t.files[name].Decls {
			ast.Inspect(decl, func(n ast.Node) bool {
				if compared, ok := n.(*ast.BinaryExpr); ok && compared.Op == token.EQL && textOf(compared.Y) == "--"+flag {
					found = append(found, declaration{name, declared(decl)})
				}
				return true
			})
		}
	}
	return found
}

// ownFlags are the flags that a command reads itself: those that the packages which its files use compare arguments with.
func (t *typedTree) ownFlags(c *commandFiles) []flagBinding {
	var flags []flagBinding
	for _, folder := range c.packages {
		if t.tree.packages[folder] == nil {
			continue
		}
		for _, name := range t.tree.packages[folder].files {
			ast.Inspect(t.files[name], func(n ast.Node) bool {
				if compared, ok := n.(*ast.BinaryExpr); ok && compared.Op == token.EQL {
					if flag, ok := strings.CutPrefix(textOf(compared.Y), "--"); ok && !strings.Contains(flag, "=") {
						flags = append(flags, flagBinding{name: flag})
					}
				}
				return true
			})
		}
	}
	return flags
}

// flagFiles are the files that act on a flag of a command, the one that decides first: of internal/cli only by what the command is made of or calls.
func (t *typedTree) flagFiles(flag flagBinding, c *commandFiles) []string {
	counts := func(p declaration) bool {
		return path.Dir(p.file) != "internal/cli" || slices.Contains(c.files, path.Base(p.file)) || slices.Contains(c.reached, p)
	}
	everywhere := func(declaration) bool { return true }
	search := func(counts func(declaration) bool) (acting, asking []declaration) {
		asking = t.asksChanged(flag.name)
		if flag.object == nil || c.files[0] == "root.go" { // which all commands have
			asking = append(asking, t.readsArgument(flag.name)...)
		}
		asking = slices.DeleteFunc(asking, func(p declaration) bool { return !counts(p) })
		if flag.object != nil {
			acting = t.actsOn(flag.object, counts)
		}
		return acting, asking
	}
	acting, asking := search(counts)
	if len(acting)+len(asking) == 0 { // a flag of all commands
		acting, asking = search(everywhere)
	}
	return byDecision(flag.name, acting, asking)
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
func (t *typedTree) settingFiles(name string, field types.Object) []string {
	found := slices.DeleteFunc(t.actsOn(field, nil), func(p declaration) bool { return p.file == "internal/settings/keys.go" })
	return byDecision(name, found, nil)
}

// textOf is a text of the source; "" for anything else.
func textOf(e ast.Expr) string {
	if literal, ok := e.(*ast.BasicLit); ok && literal.Kind == token.STRING {
		text, _ := strconv.Unquote(literal.Value)
		return text
	}
	return ""
}
