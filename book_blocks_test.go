package pertain_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/docs/reference"
)

// The pages of docs and the README have examples in fenced blocks. Their first line says what they are:
//
//	console              lines with `$ ` are commands, what follows is what they print
//	markdown NAME        a file that the commands after it find
//	yaml NAME            the same
//	yaml                 the frontmatter of a strategy
//	yaml settings        a settings file
//	go                   compiled with the package
//	json                 valid JSON
//	text, sh             nothing to run; sh is for what needs a terminal, a network or a model
type block struct {
	kind, name string
	lines      []string
	at         int // number of its first line in the page, from 0
}

func (b block) text() string { return strings.Join(b.lines, "\n") + "\n" }

// blocks are the fenced blocks of a page.
func blocks(page string) []block {
	var out []block
	var open *block
	fence := ""
	for i, line := range strings.Split(page, "\n") {
		mark := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		switch {
		case open == nil && len(mark) >= 3:
			kind, name, _ := strings.Cut(strings.TrimSpace(line[len(mark):]), " ")
			open, fence = &block{kind: kind, name: name, at: i + 1}, mark
		case open != nil && line == fence:
			out = append(out, *open)
			open = nil
		case open != nil:
			open.lines = append(open.lines, line)
		}
	}
	return out
}

// table is a table of a page.
type table struct {
	head []string
	rows [][]string
}

// tables are the tables of a page that have this head.
func tables(page string, head ...string) []table {
	var out []table
	lines := strings.Split(page, "\n")
	for i, line := range lines {
		if !strings.HasPrefix(line, "| ") || !slices.Equal(reference.Cells(line), head) || i+1 >= len(lines) || !strings.HasPrefix(lines[i+1], "| ---") {
			continue
		}
		t := table{head: head}
		for _, row := range lines[i+2:] {
			if !strings.HasPrefix(row, "| ") {
				break
			}
			t.rows = append(t.rows, reference.Cells(row))
		}
		out = append(out, t)
	}
	return out
}

// code is a cell without the backticks around it; ok is false if it has none.
func code(cell string) (text string, ok bool) {
	if len(cell) < 2 || !strings.HasPrefix(cell, "`") || !strings.HasSuffix(cell, "`") {
		return cell, false
	}
	return cell[1 : len(cell)-1], true
}

// bookPages are the files with examples.
func bookPages(t *testing.T) []string {
	t.Helper()
	var paths []string
	for _, pattern := range []string{"README.md", "docs/reference/*.md", "docs/guide/*.md"} {
		found, err := filepath.Glob(filepath.FromSlash(pattern))
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: there are none: %v", pattern, err)
		}
		paths = append(paths, found...)
	}
	return paths
}

func readPage(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(data), "\r\n", "\n")
}

type command struct{ text, want string }

func commands(lines []string) []command {
	var out []command
	for _, line := range lines {
		if text, ok := strings.CutPrefix(line, "$ "); ok {
			out = append(out, command{text: text})
		} else if len(out) > 0 {
			out[len(out)-1].want += line + "\n"
		}
	}
	return out
}
