package pertain_test

import (
	order "cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// declaration is a function, or another thing with a name, that a file declares.
type declaration struct{ file, function string }

// farSteps is over how many hands a value is followed, and textSteps a text, which soon becomes part of others. A function that is called more than manyCalls times, and a field that is used more than
// manyUses times, is a tool for everything: what is done there says nothing of the value.
const (
	farSteps  = 6
	textSteps = 4
	manyCalls = 12
	manyUses  = 32
)

// actsOn finds who does something by the value of a variable or a field, a declaration for each time. Where it is only handed on, to a parameter,
// a variable or a field of this module, what is done there counts; if nothing is done there, who hands it on. What is done in declarations that do
// not count is left out, and so is what these hand on; nil: all count.
func (t *typedTree) actsOn(object types.Object, counts func(declaration) bool) []declaration {
	seen := map[types.Object]bool{}
	var found []declaration
	text := isText(object)
	var follow func(object types.Object, steps int) bool
	follow = func(object types.Object, steps int) bool {
		if seen[object] {
			return true
		}
		seen[object] = true
		acted := false
		for _, u := range t.uses[object] {
			at := declaration{u.file, u.function}
			to, reads := t.handedTo(u, text)
			if !reads || counts != nil && !counts(at) {
				continue
			}
			acted = true
			if to == nil || steps == 0 || len(t.uses[to]) > manyUses || !follow(to, steps-1) {
				found = append(found, at)
			}
		}
		return acted
	}
	far := farSteps
	if text {
		far = textSteps
	}
	follow(object, far)
	return found
}

// filesOf are the files of declarations, each once.
func filesOf(declarations []declaration) []string {
	found := map[string]bool{}
	for _, p := range declarations {
		found[p.file] = true
	}
	return sortedKeys(found)
}

// handedTo tells whether the value is read where a name stands, and what it is handed on to; nil if something else is done with it. What another
// module makes of it, such as a time of a duration, is still the value, but for texts, which become part of others.
func (t *typedTree) handedTo(u nameUse, text bool) (to types.Object, reads bool) {
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
		case *ast.BinaryExpr:
			if text || !slices.Contains([]token.Token{token.ADD, token.SUB, token.MUL, token.QUO, token.LOR, token.LAND}, p.Op) {
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
				if _, returned := u.object.(*types.Func); !returned {
					return nil, true
				}
				break // what the function returns is the value
			}
			if bindsFlag(p) {
				return nil, false
			}
			switch function := t.named(p.Fun).(type) {
			case *types.TypeName: // a conversion
			case *types.Func:
				if to := t.parameter(p, at); !text && to != nil && sameAs(function, to) {
					break // what is returned is the value, tidied up
				}
				if text || t.ownPackage(function.Pkg()) {
					return t.parameter(p, at), true
				}
			default:
				if text {
					return nil, true
				}
			}
		case *ast.ReturnStmt:
			return t.returning(u, p), true
		default:
			return nil, true
		}
		e = u.above[i]
	}
	return nil, true
}

// returning is the function of this module whose only result a statement gives; nil if there are more, or if it is a tool for everything.
func (t *typedTree) returning(u nameUse, at *ast.ReturnStmt) types.Object {
	if len(at.Results) != 1 || slices.ContainsFunc(u.above, func(n ast.Node) bool { _, inner := n.(*ast.FuncLit); return inner }) {
		return nil
	}
	decl, ok := u.above[0].(*ast.FuncDecl)
	if !ok || len(t.uses[t.info.Defs[decl.Name]]) > manyCalls {
		return nil
	}
	return t.info.Defs[decl.Name]
}

// sameAs tells a function whose only result is a list like that of a parameter.
func sameAs(function *types.Func, parameter types.Object) bool {
	results := function.Signature().Results()
	_, list := parameter.Type().Underlying().(*types.Slice)
	return list && results.Len() == 1 && types.Identical(results.At(0).Type(), parameter.Type())
}

// isText tells a variable that holds a text.
func isText(object types.Object) bool { return types.Identical(object.Type(), types.Typ[types.String]) }

// ownPackage tells a package of this module.
func (t *typedTree) ownPackage(p *types.Package) bool {
	return p != nil && (p.Path() == t.tree.module || strings.HasPrefix(p.Path(), t.tree.module+"/"))
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

// byDecision orders files by what is done there with the value of a name: a file that has the name comes first; then what the command line uses, since
// that checks more than it does; then whichever does most. Files that only ask whether it was given are last.
func byDecision(name string, acting, asking []declaration) []string {
	count := map[string]int{}
	for _, p := range acting {
		count[p.file]++
	}
	rank := func(file string) int {
		words := strings.Split(strings.TrimSuffix(path.Base(file), ".go"), "_")
		switch {
		case count[file] == 0:
			return 3
		case !slices.ContainsFunc(strings.Split(name, "-"), func(word string) bool { return !slices.Contains(words, word) }):
			return 0
		case path.Dir(file) != "internal/cli":
			return 1
		}
		return 2
	}
	files := filesOf(append(slices.Clone(acting), asking...))
	slices.SortStableFunc(files, func(a, b string) int {
		return order.Or(order.Compare(rank(a), rank(b)), order.Compare(count[b], count[a]))
	})
	return files
}

// TestWhereFollowsValues: what only hands a value on, or returns it, does not act on it, unless nobody does; what another module makes of it is followed.
func TestWhereFollowsValues(t *testing.T) {
	root := fstest.MapFS{
		"go.mod": {Data: []byte("module example.org/m\n")},
		"flags/flags.go": {Data: []byte(`package flags

import (
	"time"

	"example.org/m/work"
)

type flags struct {
	all, deep, quiet, lost, early bool
	since                         time.Duration
	size, most                    int
}

func command(f *flags) {
	outside.Flags().BoolVar(&f.all, "all", false, "")
	if f.early {
		f.early = false
	}
	work.Do(work.Options{Deep: !f.deep && f.all, Since: time.Now().Add(-f.since), Size: int64(f.size) * 1024}, f.quiet)
	unused := f.lost
}
`)},
		"flags/list.go": {Data: []byte("package flags\n\nfunc (f *flags) list() int { if f.all { return 1 }; return f.limit() }\n\nfunc (f *flags) limit() int { return f.most * 2 }\n")},
		"flags/over.go": {Data: []byte("package flags\n\nfunc (f *flags) over() bool { return f.limit() > 3 }\n")},
		"work/work.go":  {Data: []byte("package work\n\ntype Options struct{ Deep bool; Since time.Time; Size int64 }\n\nfunc Do(o Options, quiet bool) { do(o, quiet) }\n")},
		"work/do.go":    {Data: []byte("package work\n\nfunc do(o Options, still bool) { if o.Deep { print() }; for still { print() } }\n")},
		"work/since.go": {Data: []byte("package work\n\nfunc since(o Options) bool { return later.After(o.Since) && o.Size > 2 }\n")},
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
		got = append(got, fmt.Sprint(field.Name(), filesOf(typed.actsOn(field, nil))))
	}
	want := []string{
		"all[flags/list.go work/do.go]", "deep[work/do.go]", "quiet[work/do.go]", "lost[flags/flags.go]", "early[flags/flags.go]", "since[work/since.go]", "size[work/since.go]", "most[flags/list.go flags/over.go]",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	early := fields.Field(4)
	if got := typed.actsOn(early, func(p declaration) bool { return p.file != "flags/flags.go" }); len(got) > 0 {
		t.Errorf("what is done in declarations that do not count: %v", got)
	}
}

// TestWhereOrdersByDecision: the name of a file counts first, then that it is below the command line, then how much is done there.
func TestWhereOrdersByDecision(t *testing.T) {
	acting := []declaration{
		{"internal/cli/rules.go", "a"},
		{"internal/cli/rules.go", "b"},
		{"internal/cli/rules.go", "c"},
		{"engine.go", "a"},
		{"rule/read.go", "a"},
		{"rule/read.go", "b"},
		{"rule/keep_going.go", "a"},
		{"rule/going.go", "a"},
	}
	asking := []declaration{{"internal/cli/keep_going.go", "a"}, {"rule/read.go", "a"}}
	want := []string{"rule/keep_going.go", "rule/read.go", "engine.go", "rule/going.go", "internal/cli/rules.go", "internal/cli/keep_going.go"}
	if diff := cmp.Diff(want, byDecision("keep-going", acting, asking)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
