package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// chosen is the variable of the environment that says which fault is planted in
// a binary that holds many of them.
const chosen = "PERTAIN_MUTANT"

// perBinary is how many faults one binary holds: the compiler has to read a
// function once more for each.
const perBinary = 1000

// together finds out what becomes of each mutant, with few builds: a binary holds
// the functions with each of their faults, and the environment says which one is
// called. All of them are in functions.
func (r *runner) together(ctx context.Context, dir string, all []mutant, tell func(*mutant, outcome)) error {
	if len(all) == 0 {
		return nil
	}
	reached, err := r.reached(ctx, dir)
	if err != nil {
		return err
	}
	for some := range slices.Chunk(all, perBinary) {
		if err := r.batch(ctx, dir, some, reached, tell); err != nil {
			return err
		}
	}
	return nil
}

// batch is together for the mutants of one binary.
func (r *runner) batch(ctx context.Context, dir string, some []mutant, reached *reach, tell func(*mutant, outcome)) error {
	out := make([]bool, len(some)) // which do not compile
	var binaries map[string]string // by the folder of their tests
	for len(binaries) == 0 {
		overlay, err := r.overlay(dir, some, out)
		if err != nil {
			return err
		}
		binaries = map[string]string{}
		for i, s := range r.counting(dir) {
			if binaries[s.dir] != "" {
				continue
			}
			binary := filepath.Join(r.work, fmt.Sprintf("together%d.exe", i))
			output, err := r.build(ctx, s, overlay, binary, "-gcflags=-e")
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err == nil {
				binaries[s.dir] = binary
				continue
			}
			if !drop(output, out) {
				return fmt.Errorf("the faults of ./%s cannot be built together:\n%s", dir, output)
			}
			binaries = nil
			break
		}
	}
	for i := range some {
		m, result := &some[i], invalid
		if !out[i] {
			result = survived
			suites, all := reached.suites(m)
			if !all {
				suites = append(suites, r.counting(dir)...)
			}
			for _, s := range suites {
				var err error
				if result, _, err = r.execute(ctx, s, binaries[s.dir], chosen+"="+strconv.Itoa(i+1)); err != nil {
					return err
				}
				if result != survived {
					break
				}
			}
		}
		tell(m, result)
	}
	return nil
}

// blamed finds the fault whose copy a message of the compiler is about.
var blamed = regexp.MustCompile(`mutant(\d+)\.go:`)

// drop notes which faults do not compile; false means that the compiler complains
// of something else.
func drop(output string, out []bool) bool {
	found := false
	for _, m := range blamed.FindAllStringSubmatch(output, -1) {
		if n, err := strconv.Atoi(m[1]); err == nil && n > 0 && n <= len(out) && !out[n-1] {
			out[n-1], found = true, true
		}
	}
	return found
}

// overlay writes the package's files with those faults that are not left out.
func (r *runner) overlay(dir string, some []mutant, out []bool) (string, error) {
	byFile := map[string]map[int]*mutant{}
	for i := range some {
		m := &some[i]
		if byFile[m.path] == nil {
			byFile[m.path] = map[int]*mutant{}
		}
		if !out[i] {
			byFile[m.path][i+1] = m
		}
	}
	replace := map[string]string{}
	write := func(name string, data []byte) error {
		changed := filepath.Join(r.work, "together_"+path.Base(name))
		replace[filepath.Join(r.root, filepath.FromSlash(name))] = changed
		return os.WriteFile(changed, data, 0o600)
	}
	var pkg string
	for name, numbered := range byFile {
		data, err := os.ReadFile(filepath.Join(r.root, filepath.FromSlash(name)))
		if err != nil {
			return "", err
		}
		held, err := hold(name, data, numbered)
		if err != nil {
			return "", err
		}
		if err := write(name, held.text); err != nil {
			return "", err
		}
		pkg = held.pkg
	}
	choice := "package " + pkg + "\n\nimport (\n\t\"os\"\n\t\"strconv\"\n)\n\nvar chosenMutant, _ = strconv.Atoi(os.Getenv(\"" + chosen + "\"))\n"
	if err := write(path.Join(dir, "chosen_mutant.go"), []byte(choice)); err != nil {
		return "", err
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	file := filepath.Join(r.work, "together.json")
	return file, os.WriteFile(file, overlay, 0o600)
}

// heldFile is a file that holds faults, and the name of its package.
type heldFile struct {
	text []byte
	pkg  string
}

// hold makes a file whose functions call the copy of themselves with the chosen
// fault, or the one without.
func hold(name string, data []byte, numbered map[int]*mutant) (heldFile, error) {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, name, data, parser.SkipObjectResolution)
	if err != nil {
		return heldFile{}, err
	}
	offset := func(at token.Pos) int { return set.Position(at).Offset }
	var text, copies bytes.Buffer
	last := 0
	for _, decl := range tree.Decls {
		d, ok := decl.(*ast.FuncDecl)
		if !ok || d.Body == nil {
			continue
		}
		from, to := offset(d.Pos()), offset(d.End())
		var numbers []int
		for n, m := range numbered {
			if from <= m.start && m.end <= to {
				numbers = append(numbers, n)
			}
		}
		if len(numbers) == 0 {
			continue
		}
		text.Write(data[last:from])
		last = to
		f := held{decl: d, data: data, offset: offset}
		text.WriteString(f.dispatcher(numbers))
		copies.WriteString("\n//line " + path.Base(name) + ":" + strconv.Itoa(set.Position(d.Pos()).Line) + "\n")
		copies.Write(f.copied(0, data, 0))
		for _, n := range numbers {
			m := numbered[n]
			fmt.Fprintf(&copies, "\n//line mutant%d.go:1\n", n)
			copies.Write(f.copied(n, m.apply(data), len(m.text)-(m.end-m.start)))
		}
	}
	text.Write(data[last:])
	text.WriteByte('\n')
	text.Write(copies.Bytes())
	text.WriteByte('\n')
	return heldFile{text.Bytes(), tree.Name.Name}, nil
}

// held is a function that is there several times.
type held struct {
	decl   *ast.FuncDecl
	data   []byte
	offset func(token.Pos) int
}

func (f held) source(n ast.Node) string { return string(f.data[f.offset(n.Pos()):f.offset(n.End())]) }

func (f held) name(n int) string { return fmt.Sprintf("mutant%d_%s", n, f.decl.Name.Name) }

// copied is the function with a fault, by which its file has grown.
func (f held) copied(n int, data []byte, grown int) []byte {
	name := f.offset(f.decl.Name.Pos())
	out := append([]byte{}, data[f.offset(f.decl.Pos()):name]...)
	out = append(out, f.name(n)...)
	return append(out, data[f.offset(f.decl.Name.End()):f.offset(f.decl.End())+grown]...)
}

// dispatcher has the function's signature and calls the chosen copy.
func (f held) dispatcher(numbers []int) string {
	var b, call strings.Builder
	b.WriteString("func ")
	if f.decl.Recv != nil {
		fmt.Fprintf(&b, "(receiver %s) ", f.source(f.decl.Recv.List[0].Type))
	}
	b.WriteString(f.decl.Name.Name)
	if list := f.decl.Type.TypeParams; list != nil {
		b.WriteString(f.source(list))
		var names []string
		for _, field := range list.List {
			for _, name := range field.Names {
				names = append(names, name.Name)
			}
		}
		fmt.Fprintf(&call, "[%s]", strings.Join(names, ", "))
	}
	var params, args, results []string
	for _, field := range f.decl.Type.Params.List {
		for range max(1, len(field.Names)) {
			arg := fmt.Sprintf("arg%d", len(args))
			params = append(params, arg+" "+f.source(field.Type))
			if _, variadic := field.Type.(*ast.Ellipsis); variadic {
				arg += "..."
			}
			args = append(args, arg)
		}
	}
	if list := f.decl.Type.Results; list != nil {
		for _, field := range list.List {
			for range max(1, len(field.Names)) {
				results = append(results, f.source(field.Type))
			}
		}
	}
	fmt.Fprintf(&call, "(%s)", strings.Join(args, ", "))
	fmt.Fprintf(&b, "(%s) (%s) {\n\tswitch chosenMutant {\n", strings.Join(params, ", "), strings.Join(results, ", "))
	one := func(n int) {
		b.WriteString("\t\t")
		if len(results) > 0 {
			b.WriteString("return ")
		}
		if f.decl.Recv != nil {
			b.WriteString("receiver.")
		}
		b.WriteString(f.name(n) + call.String() + "\n")
	}
	for _, n := range numbers {
		fmt.Fprintf(&b, "\tcase %d:\n", n)
		one(n)
	}
	b.WriteString("\tdefault:\n")
	one(0)
	b.WriteString("\t}\n}")
	return b.String()
}
