package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
)

// mutant is one small fault: a piece of a file and what stands there instead.
type mutant struct {
	path       string // slash-separated, within the module
	line       int
	function   string // where it is; empty: outside of functions
	source     string // the line, trimmed
	change     string // what was done, in a few words
	start, end int    // byte offsets
	text       string
}

// key finds the mutant again when lines have moved.
func (m *mutant) key() string {
	return strings.Join([]string{m.path, m.function, m.change, m.source}, " :: ")
}

func (m *mutant) String() string {
	return fmt.Sprintf("%s:%d  %s  in `%s`", m.path, m.line, m.change, m.source)
}

// apply is the file with the fault.
func (m *mutant) apply(file []byte) []byte {
	out := make([]byte, 0, len(file)+len(m.text))
	out = append(out, file[:m.start]...)
	out = append(out, m.text...)
	return append(out, file[m.end:]...)
}

// swapped are the operators that are put for each other.
var swapped = map[token.Token][]token.Token{
	token.LSS: {token.LEQ, token.GEQ}, token.LEQ: {token.LSS, token.GTR}, token.GTR: {token.GEQ, token.LEQ}, token.GEQ: {token.GTR, token.LSS},
	token.EQL: {token.NEQ}, token.NEQ: {token.EQL},
	token.ADD: {token.SUB}, token.SUB: {token.ADD}, token.MUL: {token.QUO}, token.QUO: {token.MUL}, token.REM: {token.MUL},
	token.AND: {token.OR}, token.OR: {token.AND}, token.XOR: {token.AND}, token.SHL: {token.SHR}, token.SHR: {token.SHL},
	token.LAND: {token.LOR}, token.LOR: {token.LAND},
	token.ADD_ASSIGN: {token.SUB_ASSIGN}, token.SUB_ASSIGN: {token.ADD_ASSIGN}, token.MUL_ASSIGN: {token.QUO_ASSIGN}, token.QUO_ASSIGN: {token.MUL_ASSIGN},
	token.AND_ASSIGN: {token.OR_ASSIGN}, token.OR_ASSIGN: {token.AND_ASSIGN}, token.SHL_ASSIGN: {token.SHR_ASSIGN}, token.SHR_ASSIGN: {token.SHL_ASSIGN},
	token.INC: {token.DEC}, token.DEC: {token.INC},
}

// finder collects the mutants of one file.
type finder struct {
	path     string
	file     []byte
	lines    []string
	set      *token.FileSet
	function string
	found    []mutant
}

// mutants are all faults that the operators find in a file, in its order.
func mutants(path string, file []byte) ([]mutant, error) {
	f := &finder{path: path, file: file, lines: strings.Split(string(file), "\n"), set: token.NewFileSet()}
	tree, err := parser.ParseFile(f.set, path, file, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for _, decl := range tree.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			f.function = d.Name.Name
			if d.Body != nil {
				ast.Inspect(d.Body, f.visit)
			}
			f.function = ""
		case *ast.GenDecl:
			if d.Tok != token.IMPORT {
				ast.Inspect(d, f.visit)
			}
		}
	}
	f.distinguish()
	return f.found, nil
}

// distinguish numbers changes that look alike, on one line or on several of the same
// text: who lists one of them has judged that one alone.
func (f *finder) distinguish() {
	seen := map[string]int{}
	for i := range f.found {
		m := &f.found[i]
		key := m.key()
		if seen[key]++; seen[key] > 1 {
			m.change += fmt.Sprintf(" (%d)", seen[key])
		}
	}
}

func (f *finder) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		f.operator(n.OpPos, n.Op)
		if n.Op == token.LAND || n.Op == token.LOR {
			f.add(n.X.Pos(), n.End(), f.text(n.X), "without the right side of "+n.Op.String())
			f.add(n.X.Pos(), n.End(), f.text(n.Y), "without the left side of "+n.Op.String())
		}
	case *ast.UnaryExpr:
		if n.Op == token.NOT || n.Op == token.SUB {
			f.add(n.OpPos, n.End(), f.text(n.X), "without "+n.Op.String())
		}
	case *ast.BasicLit:
		f.literal(n)
	case *ast.Ident:
		switch n.Name {
		case "true":
			f.add(n.Pos(), n.End(), "false", "true → false")
		case "false":
			f.add(n.Pos(), n.End(), "true", "false → true")
		}
	case *ast.IfStmt:
		f.condition(n.Cond)
	case *ast.BlockStmt:
		f.statements(n.List)
	case *ast.CaseClause:
		f.statements(n.Body)
	case *ast.CommClause:
		f.statements(n.Body)
	case *ast.SwitchStmt:
		f.branches(n.Body)
	case *ast.TypeSwitchStmt:
		f.branches(n.Body)
	case *ast.AssignStmt:
		f.operator(n.TokPos, n.Tok)
	case *ast.IncDecStmt:
		f.operator(n.TokPos, n.Tok)
	case *ast.ImportSpec, *ast.ArrayType:
		return false
	}
	return true
}

func (f *finder) operator(at token.Pos, op token.Token) {
	for _, other := range swapped[op] {
		f.add(at, at+token.Pos(len(op.String())), other.String(), op.String()+" → "+other.String())
	}
}

func (f *finder) literal(n *ast.BasicLit) {
	if n.Kind != token.INT {
		return
	}
	v, err := strconv.ParseInt(n.Value, 0, 64)
	if err != nil {
		return
	}
	f.add(n.Pos(), n.End(), strconv.FormatInt(v+1, 10), n.Value+" → "+strconv.FormatInt(v+1, 10))
	if v > 0 {
		f.add(n.Pos(), n.End(), strconv.FormatInt(v-1, 10), n.Value+" → "+strconv.FormatInt(v-1, 10))
	}
}

// condition turns the condition of an if around, and decides it. It is still
// evaluated, so that what it names stays in use.
func (f *finder) condition(cond ast.Expr) {
	text := f.text(cond)
	f.add(cond.Pos(), cond.End(), "!("+text+")", "condition negated")
	f.add(cond.Pos(), cond.End(), "(("+text+") || true)", "condition always true")
	f.add(cond.Pos(), cond.End(), "(("+text+") && false)", "condition never true")
}

// statements leaves out each statement that can be left out.
func (f *finder) statements(list []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.ExprStmt, *ast.IncDecStmt, *ast.DeferStmt, *ast.BranchStmt:
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE {
				continue
			}
		default:
			continue
		}
		f.add(s.Pos(), s.End(), "", "statement removed")
	}
}

// branches gives neighbouring cases of a switch each other's bodies.
func (f *finder) branches(body *ast.BlockStmt) {
	for i := 0; i+1 < len(body.List); i++ {
		a, okA := body.List[i].(*ast.CaseClause)
		b, okB := body.List[i+1].(*ast.CaseClause)
		if !okA || !okB {
			continue
		}
		first, second := string(f.file[f.offset(a.Colon)+1:f.offset(a.End())]), string(f.file[f.offset(b.Colon)+1:f.offset(b.End())])
		between := string(f.file[f.offset(a.End()) : f.offset(b.Colon)+1])
		f.add(a.Colon, b.End(), ":"+second+"\n"+between+first, "branches swapped")
	}
}

func (f *finder) offset(at token.Pos) int { return f.set.Position(at).Offset }

func (f *finder) text(n ast.Node) string { return string(f.file[f.offset(n.Pos()):f.offset(n.End())]) }

func (f *finder) add(from, to token.Pos, text, change string) {
	at := f.set.Position(from)
	f.found = append(f.found, mutant{
		path: f.path, line: at.Line, function: f.function, source: strings.TrimSpace(f.lines[at.Line-1]),
		change: change, start: at.Offset, end: f.offset(to), text: text,
	})
}
