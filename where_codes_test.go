package pertain_test

import (
	"cmp"
	"go/ast"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	diff "github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/diag"
)

// families are the packages in which what a code means is decided, by its first word, or by the whole code where that is another.
var families = map[string][]string{
	"strategy.invalid_encoding": {"document"},
	"rule.invalid_yaml":         {"document"},

	"strategy":     {"strategy", "."},
	"condition":    {"cond"},
	"regex":        {"cond"},
	"visual":       {"cond"},
	"extra":        {"facts"},
	"match":        {"."},
	"preprocessor": {"plan"},
	"template":     {"plan"},
	"skill":        {"skill"},
	"rule":         {"rule"},
	"context":      {"facts"},
}

// codeReport is a function that tells a code.
type codeReport struct {
	file, function string
	line           int
}

// reportsOf finds who tells each code, in the order of the page.
func reportsOf(root fs.FS, tree *sourceTree) (map[diag.Code][]codeReport, error) {
	constants, err := codeConstants(root)
	if err != nil {
		return nil, err
	}
	told := map[diag.Code][]codeReport{}
	for _, folder := range sortedKeys(tree.packages) {
		if folder == "diag" {
			continue
		}
		for _, name := range tree.packages[folder].files {
			f, err := parseSource(root, name)
			if err != nil {
				return nil, err
			}
			for _, decl := range f.Decls {
				reportsIn(f, decl, tree.module+"/diag", func(line int, constant string) {
					code, known := constants[constant]
					function := declared(decl)
					if list := told[code]; known && (len(list) == 0 || list[len(list)-1].file != name || list[len(list)-1].function != function) {
						told[code] = append(list, codeReport{name, function, line})
					}
				})
			}
		}
	}
	level := map[string]int{}
	for i, line := range layers {
		for _, folder := range line {
			level[folder] = i
		}
	}
	for code, list := range told {
		family := families[string(code)]
		if family == nil {
			first, _, _ := strings.Cut(string(code), ".")
			family = families[first]
		}
		count := map[string]int{}
		for _, r := range list {
			count[r.file]++
		}
		rank := func(r codeReport) int {
			if at := slices.Index(family, path.Dir(r.file)); at >= 0 {
				return at - len(family)
			}
			return level[path.Dir(r.file)]
		}
		slices.SortStableFunc(list, func(a, b codeReport) int {
			return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(count[b.file], count[a.file]), cmp.Compare(namesake(b.file, code), namesake(a.file, code)),
				cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line))
		})
	}
	return told, nil
}

// namesake is 1 for a file whose name has a word of a code, in the singular or the plural.
func namesake(file string, code diag.Code) int {
	_, name, _ := strings.Cut(string(code), ".")
	for _, word := range strings.Split(strings.TrimSuffix(path.Base(file), ".go"), "_") {
		for _, wanted := range strings.Split(name, "_") {
			if strings.TrimSuffix(word, "s") == strings.TrimSuffix(wanted, "s") {
				return 1
			}
		}
	}
	return 0
}

// codeConstants are the codes by the names of their constants.
func codeConstants(root fs.FS) (map[string]diag.Code, error) {
	f, err := parseSource(root, "diag/codes.go")
	if err != nil {
		return nil, err
	}
	constants := map[string]diag.Code{}
	for _, decl := range f.Decls {
		block, ok := decl.(*ast.GenDecl)
		if !ok || block.Tok != token.CONST {
			continue
		}
		for _, spec := range block.Specs {
			value := spec.(*ast.ValueSpec)
			if text, ok := value.Values[0].(*ast.BasicLit); ok {
				constants[value.Names[0].Name] = diag.Code(strings.Trim(text.Value, `"`))
			}
		}
	}
	return constants, nil
}

// reportsIn finds the constants of a package that a declaration uses for more than asking: comparisons, cases, lists and what
// is asked of a constant itself tell nobody anything.
func reportsIn(f *sourceFile, decl ast.Decl, imported string, each func(line int, constant string)) {
	var above []ast.Node
	ast.Inspect(decl, func(n ast.Node) bool {
		if n == nil {
			above = above[:len(above)-1]
			return true
		}
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && f.packages[x.Name] == imported && !asks(above[len(above)-1], s) {
				each(f.positions.Position(s.Pos()).Line, s.Sel.Name)
			}
		}
		above = append(above, n)
		return true
	})
}

// asks tells whether a constant is only compared or looked up where it stands.
func asks(parent ast.Node, constant ast.Expr) bool {
	switch p := parent.(type) {
	case *ast.BinaryExpr:
		return p.Op == token.EQL || p.Op == token.NEQ
	case *ast.CaseClause, *ast.IndexExpr, *ast.SelectorExpr:
		return true
	case *ast.KeyValueExpr:
		return p.Key == constant
	case *ast.CompositeLit:
		_, list := p.Type.(*ast.ArrayType)
		return list
	}
	return false
}

// declared is the name of a declaration: of a method with its receiver's type.
func declared(decl ast.Decl) string {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			return d.Name.Name
		}
		receiver := d.Recv.List[0].Type
		if star, ok := receiver.(*ast.StarExpr); ok {
			receiver = star.X
		}
		if generic, ok := receiver.(*ast.IndexExpr); ok {
			receiver = generic.X
		}
		return receiver.(*ast.Ident).Name + "." + d.Name.Name
	case *ast.GenDecl:
		if value, ok := d.Specs[0].(*ast.ValueSpec); ok {
			return value.Names[0].Name
		}
	}
	return ""
}

// reportFiles are the files of reports, in their order.
func reportFiles(reports []codeReport) []string {
	var files []string
	for _, r := range reports {
		if !slices.Contains(files, r.file) {
			files = append(files, r.file)
		}
	}
	return files
}

// reportCell shows reports file by file, in the order of the files. One that decides without telling stands for itself.
func (t *typedTree) reportCell(files []string, reports []codeReport) string {
	var cells []string
	for _, file := range files {
		var functions []string
		for _, r := range reports {
			if r.file != file {
				continue
			}
			cell := codeList([]string{r.function})
			if callers := t.decidedIn(r); len(callers) > 0 {
				cell += " (for " + fileList(callers) + ")"
			}
			functions = append(functions, cell)
		}
		cells = append(cells, strings.TrimSuffix("`"+fromRoot(file)+"`: "+strings.Join(functions, ", "), ": "))
	}
	return strings.Join(cells, "; ")
}

// decidedIn are the other files that call a function which decides nothing itself: it has no branches.
func (t *typedTree) decidedIn(r codeReport) []string {
	for _, decl := range t.files[r.file].Decls {
		function, ok := decl.(*ast.FuncDecl)
		if !ok || declared(decl) != r.function || function.Body == nil || branches(function.Body) {
			continue
		}
		return slices.DeleteFunc(t.callers(t.info.Defs[function.Name]), func(name string) bool { return name == r.file })
	}
	return nil
}

// branches tells whether a body does one thing or another.
func branches(body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.IfStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.ForStmt, *ast.RangeStmt, *ast.SelectStmt:
			found = true
		}
		return !found
	})
	return found
}

// TestWhereTellsReportsFromQuestions: a code that is only asked for is none that is told.
func TestWhereTellsReportsFromQuestions(t *testing.T) {
	text := `package p

import "example.org/m/diag"

var table = []diag.Code{diag.Listed}

var row = struct{ code diag.Code }{diag.First}

func (s *set[T]) read(code diag.Code) diag.Diagnostic {
	switch {
	case code == diag.Compared, counts[diag.Indexed] > 0, diag.Asked.Severity() > 0:
		return diag.Diagnostic{Code: diag.Field}
	}
	switch code {
	case diag.Case:
		code = diag.Assigned
	}
	return diag.At(diag.Argument)
}
`
	f, err := parseSource(fstest.MapFS{"p.go": {Data: []byte(text)}}, "p.go")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, decl := range f.Decls {
		reportsIn(f, decl, "example.org/m/diag", func(_ int, constant string) {
			if constant != "Code" && constant != "Diagnostic" && constant != "At" {
				got = append(got, declared(decl)+" "+constant)
			}
		})
	}
	want := []string{"row First", "set.read Field", "set.read Assigned", "set.read Argument"}
	if diff := diff.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
