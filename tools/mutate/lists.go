package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// separator stands between the fields of a line of a list.
const separator = " :: "

// entries are the lines of a list, but for comments and empty ones, each in its
// fields.
func entries(file string, fields int) ([][]string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var out [][]string
	for i, line := range strings.Split(string(data), "\n") {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		parts := strings.Split(line, separator)
		if len(parts) != fields {
			return nil, fmt.Errorf("%s:%d: has %d fields, not %d", file, i+1, len(parts), fields)
		}
		out = append(out, parts)
	}
	return out, nil
}

// readEquivalents reads the faults that change nothing: path, function, change,
// line, and why. A missing file lists none.
func readEquivalents(file string) (map[string]string, error) {
	list, err := entries(file, 5)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	known := map[string]string{}
	for _, e := range list {
		known[strings.Join(e[:4], separator)] = e[4]
	}
	return known, nil
}

// readSuites reads which tests of other packages count for a package: lines of
// the package and PACKAGE:REGEXP. A missing file lists none.
func readSuites(file string) (map[string][]suite, error) {
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	others := map[string][]suite{}
	for i, line := range strings.Split(string(data), "\n") {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		words := strings.Fields(line)
		if len(words) != 2 {
			return nil, fmt.Errorf("%s:%d: has %d words, not a package and PACKAGE:REGEXP", file, i+1, len(words))
		}
		other, err := parseSuite(words[1])
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, i+1, err)
		}
		dir := path.Clean(words[0])
		others[dir] = append(others[dir], other)
	}
	return others, nil
}

// parseSuite reads PACKAGE:REGEXP; without a regexp it is all tests of the package.
func parseSuite(text string) (suite, error) {
	dir, run, _ := strings.Cut(text, ":")
	if dir == "" {
		return suite{}, fmt.Errorf("`%s` names no package", text)
	}
	if _, err := regexp.Compile(run); err != nil {
		return suite{}, err
	}
	return suite{path.Clean(dir), run}, nil
}

// readFaults reads a list of faults: path, the text, what stands there instead,
// and what is wrong then. The text must stand in the file once; \n and \t are
// written as such, and "-" stands for nothing.
func readFaults(file, root string) ([]mutant, error) {
	list, err := entries(file, 4)
	if err != nil {
		return nil, err
	}
	var out []mutant
	for _, e := range list {
		data, err := os.ReadFile(filepath.Join(root, e[0]))
		if err != nil {
			return nil, err
		}
		old, instead := unescape(e[1]), unescape(e[2])
		if e[2] == "-" {
			instead = ""
		}
		if n := bytes.Count(data, []byte(old)); n != 1 {
			return nil, fmt.Errorf("%s: `%s` stands %d times in %s, not once", file, e[1], n, e[0])
		}
		at := bytes.Index(data, []byte(old))
		out = append(out, mutant{
			path: e[0], line: 1 + bytes.Count(data[:at], []byte("\n")), source: e[1], change: e[3],
			start: at, end: at + len(old), text: instead,
		})
	}
	return out, nil
}

func unescape(text string) string { return strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(text) }
