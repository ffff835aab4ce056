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
	within    map[declaration][]nameUse
}

// nameUse is a use of a name of this module.
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
		uses: map[types.Object][]nameUse{}, within: map[declaration][]nameUse{},
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
				t.within[declaration{file, function}] = append(t.within[declaration{file, function}], u)
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
