package pertain_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// typedTree is the module's source with its names resolved. Files for all systems are read together, and packages of other modules and of the
// standard library are unknown: names of this module are resolved all the same, and the answer is the same on every machine.
type typedTree struct {
	tree      *sourceTree
	positions *token.FileSet
	files     map[string]*ast.File
	packages  map[string]*types.Package // by folder
	info      types.Info
	uses      map[types.Object][]nameUse
	within    map[place][]nameUse
}

// nameUse is a place where a name of this module is used.
type nameUse struct {
	name     *ast.Ident
	object   types.Object
	file     string
	function string     // the declaration that it is in
	above    []ast.Node // from the declaration down to what holds the name
}

func typeTree(root fs.FS, tree *sourceTree) (*typedTree, error) {
	t := &typedTree{
		tree: tree, positions: token.NewFileSet(), files: map[string]*ast.File{}, packages: map[string]*types.Package{},
		info: types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}},
		uses: map[types.Object][]nameUse{}, within: map[place][]nameUse{},
	}
	for _, folder := range sortedKeys(tree.packages) {
		for _, name := range tree.packages[folder].files {
			text, err := fs.ReadFile(root, name)
			if err != nil {
				return nil, err
			}
			if t.files[name], err = parser.ParseFile(t.positions, name, text, parser.ParseComments|parser.SkipObjectResolution); err != nil {
				return nil, err
			}
		}
	}
	for _, folder := range sortedKeys(tree.packages) {
		_, _ = t.Import(path.Join(tree.module, folder))
	}
	for _, name := range sortedKeys(t.files) {
		for _, decl := range t.files[name].Decls {
			t.note(name, decl)
		}
	}
	return t, nil
}

// Import resolves a package of this module, and refuses any other.
func (t *typedTree) Import(imported string) (*types.Package, error) {
	folder, own := t.tree.folder(imported)
	if !own || t.tree.packages[folder] == nil {
		return nil, errors.New("not of this module")
	}
	if done := t.packages[folder]; done != nil {
		return done, nil
	}
	var files []*ast.File
	for _, name := range t.tree.packages[folder].files {
		files = append(files, t.files[name])
	}
	config := types.Config{Importer: t, Error: func(error) {}} // what is unknown is no fault here
	t.packages[folder], _ = config.Check(imported, t.positions, files, &t.info)
	return t.packages[folder], nil
}

// note collects the uses of this module's names in a declaration.
func (t *typedTree) note(file string, decl ast.Decl) {
	var above []ast.Node
	function := declared(decl)
	ast.Inspect(decl, func(n ast.Node) bool {
		if n == nil {
			above = above[:len(above)-1]
			return true
		}
		if name, ok := n.(*ast.Ident); ok {
			if object := t.info.Uses[name]; object != nil && object.Pkg() != nil {
				u := nameUse{name, origin(object), file, function, slices.Clone(above)}
				t.uses[u.object] = append(t.uses[u.object], u)
				t.within[place{file, function}] = append(t.within[place{file, function}], u)
			}
		}
		above = append(above, n)
		return true
	})
}

// origin is what a generic type's field or method was made of.
func origin(object types.Object) types.Object {
	switch o := object.(type) {
	case *types.Var:
		return o.Origin()
	case *types.Func:
		return o.Origin()
	}
	return object
}

// named is the object that an expression stands for: a variable or a field, also by its address; nil for any other.
func (t *typedTree) named(e ast.Expr) types.Object {
	switch e := e.(type) {
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			return t.named(e.X)
		}
	case *ast.ParenExpr:
		return t.named(e.X)
	case *ast.SelectorExpr:
		return t.named(e.Sel)
	case *ast.CallExpr: // a conversion, such as (*ids)(&s.Disabled)
		if p, ok := e.Fun.(*ast.ParenExpr); ok && len(e.Args) == 1 {
			if _, ok := p.X.(*ast.StarExpr); ok {
				return t.named(e.Args[0])
			}
		}
	case *ast.Ident:
		if object := t.info.Uses[e]; object != nil {
			return origin(object)
		}
		return t.info.Defs[e]
	}
	return nil
}

// place is a declaration of a file.
type place struct{ file, function string }

// farSteps is over how many hands a value is followed, and textSteps a text, which soon becomes part of others. A function that is called more than manyCalls times, and a field that is used more than
// manyUses times, is a tool for everything: what is done there says nothing of the value.
const (
	farSteps  = 6
	textSteps = 4
	manyCalls = 12
	manyUses  = 24
)

// actsOn finds who does something by the value of a variable or a field. Where it is only handed on, to a parameter, a variable or a field
// of this module, what is done there counts; if nothing is done there, who hands it on.
func (t *typedTree) actsOn(object types.Object) []place {
	seen := map[types.Object]bool{}
	var found []place
	var follow func(object types.Object, steps int) bool
	follow = func(object types.Object, steps int) bool {
		if seen[object] {
			return true
		}
		seen[object] = true
		acted := false
		for _, u := range t.uses[object] {
			to, reads := t.handedTo(u)
			if !reads {
				continue
			}
			acted = true
			if at := (place{u.file, u.function}); (to == nil || steps == 0 || len(t.uses[to]) > manyUses || !follow(to, steps-1)) && !slices.Contains(found, at) {
				found = append(found, at)
			}
		}
		return acted
	}
	far := farSteps
	if types.Identical(object.Type(), types.Typ[types.String]) {
		far = textSteps
	}
	follow(object, far)
	return found
}

// filesOf are the files of places, each once.
func filesOf(places []place) []string {
	found := map[string]bool{}
	for _, p := range places {
		found[p.file] = true
	}
	return sortedKeys(found)
}

// handedTo tells whether the value is read where a name stands, and what it is handed on to; nil if something else is done with it.
func (t *typedTree) handedTo(u nameUse) (to types.Object, reads bool) {
	var e ast.Node = u.name
	for i := len(u.above) - 1; i >= 0; i-- {
		switch p := u.above[i].(type) {
		case *ast.ParenExpr, *ast.StarExpr:
		case *ast.UnaryExpr:
		case *ast.SelectorExpr:
			if p.Sel != e {
				return nil, true
			}
		case *ast.IndexExpr:
			if p.X != e {
				return nil, true
			}
		case *ast.KeyValueExpr:
			if p.Key == e {
				return nil, false
			}
			if key, ok := p.Key.(*ast.Ident); ok {
				return t.variable(key), true
			}
			return nil, true
		case *ast.AssignStmt:
			if slices.ContainsFunc(p.Lhs, func(l ast.Expr) bool { return l == e }) {
				return nil, false
			}
			if at := slices.IndexFunc(p.Rhs, func(r ast.Expr) bool { return r == e }); at >= 0 && len(p.Lhs) == len(p.Rhs) {
				return t.variable(p.Lhs[at]), true
			}
			return nil, true
		case *ast.CallExpr:
			at := slices.IndexFunc(p.Args, func(a ast.Expr) bool { return a == e })
			if at < 0 {
				return nil, true
			}
			if bindsFlag(p) {
				return nil, false
			}
			return t.parameter(p, at), true
		default:
			return nil, true
		}
		e = u.above[i]
	}
	return nil, true
}

// variable is the variable or the field that is written to.
func (t *typedTree) variable(e ast.Expr) types.Object {
	if v, ok := t.named(e).(*types.Var); ok && v.Name() != "_" {
		return v
	}
	return nil
}

// parameter is that of a function of this module which takes an argument.
func (t *typedTree) parameter(call *ast.CallExpr, at int) types.Object {
	function, ok := t.named(call.Fun).(*types.Func)
	if !ok || len(t.uses[function]) > manyCalls {
		return nil
	}
	signature := function.Type().(*types.Signature)
	if last := signature.Params().Len() - 1; signature.Variadic() && at >= last {
		at = last
	}
	if at >= signature.Params().Len() || signature.Params().At(at).Name() == "" || signature.Params().At(at).Name() == "_" {
		return nil
	}
	return signature.Params().At(at)
}

// callers are the files that use a function.
func (t *typedTree) callers(function types.Object) []string {
	found := map[string]bool{}
	for _, u := range t.uses[function] {
		found[u.file] = true
	}
	return sortedKeys(found)
}

// firstSentence is what the first comment of a file says: that of the package, or of the first type or function that has one; where none has, of
// the first variable or constant.
func firstSentence(f *ast.File) string {
	docs := []*ast.CommentGroup{f.Doc}
	var values []*ast.CommentGroup
	for _, decl := range f.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			docs = append(docs, d.Doc)
		case *ast.GenDecl:
			switch d.Tok {
			case token.TYPE:
				docs = append(docs, d.Doc)
			case token.VAR, token.CONST:
				values = append(values, d.Doc)
			}
		}
	}
	for _, doc := range append(docs, values...) {
		if text := strings.Join(strings.Fields(doc.Text()), " "); text != "" {
			for _, end := range []string{". ", ": ", "; "} {
				text, _, _ = strings.Cut(text, end)
			}
			return strings.TrimSuffix(text, ".")
		}
	}
	return "the same for other systems"
}
