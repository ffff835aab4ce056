package pertain_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"strconv"
)

// sourceFile is one parsed file of the tree.
type sourceFile struct {
	*ast.File
	name      string
	positions *token.FileSet
	packages  map[string]string // import paths by the names that the file uses
}

func parseSource(fsys fs.FS, name string) (*sourceFile, error) {
	text, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, err
	}
	f := &sourceFile{name: name, positions: token.NewFileSet(), packages: map[string]string{}}
	if f.File, err = parser.ParseFile(f.positions, name, text, parser.SkipObjectResolution); err != nil {
		return nil, err
	}
	for _, spec := range f.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		local := path.Base(p)
		if spec.Name != nil {
			local = spec.Name.Name
		}
		f.packages[local] = p
	}
	return f, nil
}

// uses calls back for each `package.Name` in the file.
func (f *sourceFile) uses(each func(at token.Position, local, imported, name string)) {
	ast.Inspect(f.File, func(n ast.Node) bool {
		if selector, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := selector.X.(*ast.Ident); ok && f.packages[x.Name] != "" {
				each(f.positions.Position(selector.Pos()), x.Name, f.packages[x.Name], selector.Sel.Name)
			}
		}
		return true
	})
}

// isSystemCalls tells the packages whose functions are system calls.
func isSystemCalls(imported string) bool {
	return imported == "syscall" || path.Dir(imported) == "golang.org/x/sys"
}
