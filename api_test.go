package pertain_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// apiFile lists everything that semantic versioning protects.
const apiFile = "docs/api.txt"

// TestAPI holds the exported API against its golden file, so that a change of it shows in review.
func TestAPI(t *testing.T) {
	tree := ownTree(t)
	var lines []string
	for _, folder := range sortedKeys(tree.packages) {
		if isPublic(folder) {
			found, err := apiOf(tree.module, tree.packages[folder])
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, found...)
		}
	}
	got := strings.Join(lines, "\n") + "\n"
	if *update {
		if err := os.WriteFile(filepath.FromSlash(apiFile), []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	golden, err := os.ReadFile(filepath.FromSlash(apiFile))
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(strings.TrimSuffix(strings.ReplaceAll(string(golden), "\r\n", "\n"), "\n"), "\n")
	if diff := lineDiff(want, lines); diff != "" {
		t.Errorf("the exported API is not what %s says:\n%s\n"+
			"a line with - that a released version has needs a new major version; if the change is meant: go test . -run TestAPI -update",
			apiFile, diff)
	}
}

// ownTypes are the exported names whose types other modules cannot name, and why that is meant.
var ownTypes = map[string]string{
	"pkg skill, field Library.Tree files.Tree": "for tests of this module; everybody else leaves it nil",
}

// TestAPIShowsItsTypes: a type of an internal package in the exported API can neither be named by other modules nor be read about.
func TestAPIShowsItsTypes(t *testing.T) {
	tree := ownTree(t)
	for _, folder := range sortedKeys(tree.packages) {
		if !isPublic(folder) {
			continue
		}
		for _, name := range tree.packages[folder].files {
			file, err := parser.ParseFile(token.NewFileSet(), filepath.FromSlash(name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, line := range hiddenTypes(folder, file) {
				if ownTypes[line] == "" {
					t.Errorf("%s: %s", name, line)
				}
			}
		}
	}
}

// hiddenTypes are the lines of the API of one file that name something of an internal package.
func hiddenTypes(folder string, file *ast.File) []string {
	l := apiLister{prefix: "pkg " + folder}
	l.file(file)
	var hidden []string
	for _, imported := range file.Imports {
		path := strings.Trim(imported.Path.Value, "\"`")
		if isPublic(path) {
			continue
		}
		name := path[strings.LastIndex(path, "/")+1:]
		if imported.Name != nil {
			name = imported.Name.Name
		}
		uses := regexp.MustCompile(`\b` + name + `\.[A-Z]`)
		for _, line := range l.lines {
			if uses.MatchString(line) {
				hidden = append(hidden, line)
			}
		}
	}
	return hidden
}

func TestHiddenTypesAreFound(t *testing.T) {
	const text = `package p
import ("example.org/m/internal/yaml"; other "example.org/m/internal/files"; "example.org/m/diag")
type Node = yaml.Node
type A struct { B diag.List; C []other.Tree; d yaml.Node }
func F(yaml.Node) {}
func g() yaml.Node { return yaml.Node{} }
`
	file, err := parser.ParseFile(token.NewFileSet(), "p.go", text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"pkg p, type Node = yaml.Node", "pkg p, func F(yaml.Node)", "pkg p, field A.C []other.Tree"}
	if diff := cmp.Diff(want, hiddenTypes("p", file)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestExamples: every public package has an example that runs, so that what a reader copies works.
func TestExamples(t *testing.T) {
	for _, folder := range sortedKeys(ownTree(t).packages) {
		if !isPublic(folder) || folder == "collect" || strings.HasPrefix(folder, "examples/") { // what a machine tells is never the same; programs
			continue
		}
		names, err := filepath.Glob(filepath.Join(filepath.FromSlash(folder), "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(names, func(name string) bool {
			text, err := os.ReadFile(name)
			return err == nil && exampleFunction.Match(text) && bytes.Contains(text, []byte("// Output:"))
		}) {
			t.Errorf("%s has no example with an output", folder)
		}
	}
}

var exampleFunction = regexp.MustCompile(`(?m)^func Example\w*\(\) \{$`)

// isPublic reports whether other modules can import a folder's package and are meant to.
func isPublic(folder string) bool {
	parts := strings.Split(folder, "/")
	return parts[0] != "cmd" && !slices.Contains(parts, "internal")
}

// lineDiff returns the lines that only one of the two has; both are sorted, so position says nothing.
func lineDiff(want, got []string) string {
	var diff []string
	for _, line := range want {
		if !slices.Contains(got, line) {
			diff = append(diff, "- "+line)
		}
	}
	for _, line := range got {
		if !slices.Contains(want, line) {
			diff = append(diff, "+ "+line)
		}
	}
	return strings.Join(diff, "\n")
}

// apiOf returns one line for each exported name of a package, sorted. A name that several systems have with the
// same signature is one line.
func apiOf(module string, pkg *sourcePackage) ([]string, error) {
	l := apiLister{prefix: "pkg " + pkg.folder}
	if pkg.folder == "." {
		l.prefix = "pkg " + module[strings.LastIndex(module, "/")+1:]
	}
	for _, name := range pkg.files {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.FromSlash(name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		l.file(file)
	}
	slices.Sort(l.lines)
	return slices.Compact(l.lines), nil
}

type apiLister struct {
	prefix string
	lines  []string
}

func (l *apiLister) add(format string, args ...any) {
	l.lines = append(l.lines, l.prefix+", "+fmt.Sprintf(format, args...))
}

func (l *apiLister) file(file *ast.File) {
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			l.function(decl)
		case *ast.GenDecl:
			var last *ast.ValueSpec // in a const group, a line without a value repeats the one above
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					l.typeSpec(spec)
				case *ast.ValueSpec:
					if last == nil || spec.Type != nil || len(spec.Values) > 0 {
						last = spec
					}
					l.value(decl.Tok, spec, last)
				}
			}
		}
	}
}

func (l *apiLister) function(decl *ast.FuncDecl) {
	if !decl.Name.IsExported() {
		return
	}
	signature := strings.TrimPrefix(oneLine(decl.Type), "func")
	if decl.Recv == nil {
		l.add("func %s%s", decl.Name, signature)
		return
	}
	receiver := oneLine(decl.Recv.List[0].Type)
	if ast.IsExported(strings.TrimLeft(receiver, "*(")) {
		l.add("method (%s) %s%s", receiver, decl.Name, signature)
	}
}

// value lists constants with their literal, which other programs may have stored, and variables with their type alone.
func (l *apiLister) value(kind token.Token, spec, typed *ast.ValueSpec) {
	for i, name := range spec.Names {
		if !name.IsExported() {
			continue
		}
		line := kind.String() + " " + name.Name
		if typed.Type != nil {
			line += " " + oneLine(typed.Type)
		}
		if kind == token.CONST && i < len(spec.Values) {
			if literal, ok := spec.Values[i].(*ast.BasicLit); ok {
				line += " = " + literal.Value
			}
		}
		l.add("%s", line)
	}
}

func (l *apiLister) typeSpec(spec *ast.TypeSpec) {
	if !spec.Name.IsExported() {
		return
	}
	name := spec.Name.Name
	if spec.TypeParams != nil {
		name += "[" + fieldList(spec.TypeParams) + "]"
	}
	if spec.Assign.IsValid() {
		l.add("type %s = %s", name, oneLine(spec.Type))
		return
	}
	switch t := spec.Type.(type) {
	case *ast.StructType:
		l.add("type %s struct", name)
		l.fields(spec.Name.Name, t.Fields, "field")
	case *ast.InterfaceType:
		l.add("type %s interface", name)
		l.fields(spec.Name.Name, t.Methods, "interface method")
	default:
		l.add("type %s %s", name, oneLine(spec.Type))
	}
}

func (l *apiLister) fields(owner string, list *ast.FieldList, kind string) {
	for _, field := range list.List {
		tag := ""
		if field.Tag != nil {
			tag = " " + field.Tag.Value
		}
		if len(field.Names) == 0 {
			l.add("%s %s embeds %s%s", strings.Fields(kind)[0], owner, oneLine(field.Type), tag)
		}
		for _, name := range field.Names {
			switch {
			case name.IsExported() && kind == "field":
				l.add("%s %s.%s %s%s", kind, owner, name, oneLine(field.Type), tag)
			case kind != "field": // an unexported method matters: nobody else can meet the interface
				l.add("%s %s.%s%s", kind, owner, name, strings.TrimPrefix(oneLine(field.Type), "func"))
			}
		}
	}
}

func fieldList(list *ast.FieldList) string {
	var parts []string
	for _, field := range list.List {
		var names []string
		for _, name := range field.Names {
			names = append(names, name.Name)
		}
		parts = append(parts, strings.Join(names, ", ")+" "+oneLine(field.Type))
	}
	return strings.Join(parts, ", ")
}

var blanks = regexp.MustCompile(`\s+`)

// oneLine prints an expression on one line.
func oneLine(node ast.Node) string {
	var b bytes.Buffer
	if err := printer.Fprint(&b, token.NewFileSet(), node); err != nil {
		return err.Error()
	}
	return blanks.ReplaceAllString(b.String(), " ")
}

func TestAPIListsEveryKind(t *testing.T) {
	const text = `package p
type T struct { A, b int; C string ` + "`json:\"c\"`" + `; U; *v }
type U[K comparable, V any] map[K]V
type I interface { M(x int) (n int, err error); hidden(); error }
type F func(a int,
	b string) error
type A = T
type x struct{ Y int }
func (x) Lost() {}
func (t *T) M(a, b int) (string, error) { return "", nil }
func (u *U[K, V]) N() {}
func New(options ...func(*T)) *T { return nil }
func Map[E any](list []E, f func(E) bool) []E { return nil }
func lost() {}
const (
	One Kind = iota
	Two
	three
)
const Code, Other = "a.b", 1 << 3
var Err, lostErr error = nil, nil
var Table = []int{1}
`
	name := filepath.Join(t.TempDir(), "p.go")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := apiOf("example.org/m", &sourcePackage{folder: "p", files: []string{filepath.ToSlash(name), filepath.ToSlash(name)}})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`pkg p, const Code = "a.b"`,
		`pkg p, const One Kind`,
		`pkg p, const Other`,
		`pkg p, const Two Kind`,
		`pkg p, field T embeds *v`,
		`pkg p, field T embeds U`,
		`pkg p, field T.A int`,
		"pkg p, field T.C string `json:\"c\"`",
		`pkg p, func Map[E any](list []E, f func(E) bool) []E`,
		`pkg p, func New(options ...func(*T)) *T`,
		`pkg p, interface I embeds error`,
		`pkg p, interface method I.M(x int) (n int, err error)`,
		`pkg p, interface method I.hidden()`,
		`pkg p, method (*T) M(a, b int) (string, error)`,
		`pkg p, method (*U[K, V]) N()`,
		`pkg p, type A = T`,
		`pkg p, type F func(a int, b string) error`,
		`pkg p, type I interface`,
		`pkg p, type T struct`,
		`pkg p, type U[K comparable, V any] map[K]V`,
		`pkg p, var Err error`,
		`pkg p, var Table`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := lineDiff([]string{"a", "b"}, []string{"b", "c"}); got != "- a\n+ c" {
		t.Errorf("lineDiff = %q", got)
	}
}
