package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// atFirst is how much processor time the tests may take, together, that are run
// first for a fault: most faults are seen by some quick one of those that reach
// them.
const atFirst = 500 * time.Millisecond

// reach says which tests come to which lines of a package. A fault in a line is
// seen by these or by none.
type reach struct {
	blocks map[string][]block // by the base name of a file
	known  map[string]bool    // of the blocks above: several tests tell of the same one
	took   map[named]time.Duration
}

// named is one test.
type named struct{ dir, test string }

// block is some lines that are run together, and a test that has run them; an
// empty name: the lines are there to be run.
type block struct {
	from, to int
	by       named
}

// reached runs each test that counts for a package by itself, and notes which
// lines it comes to.
func (r *runner) reached(ctx context.Context, dir string) (*reach, error) {
	out := &reach{map[string][]block{}, map[string]bool{}, map[named]time.Duration{}}
	binaries := map[string]string{}
	for i, s := range r.counting(dir) {
		binary := binaries[s.dir]
		if binary == "" {
			binary = filepath.Join(r.work, fmt.Sprintf("reached%d.exe", i))
			if output, err := r.build(ctx, s, "", binary, "-cover", "-coverpkg", "./"+dir); err != nil {
				return nil, errors.Join(ctx.Err(), fmt.Errorf("the tests of ./%s cannot be built with coverage:\n%s", s.dir, output))
			}
			binaries[s.dir] = binary
		}
		names, err := r.list(ctx, s, binary)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			test := named{s.dir, name}
			if _, done := out.took[test]; done {
				continue
			}
			if err := r.cover(ctx, out, dir, test, binary); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// list gives the names of the tests of a suite, examples and seeds of fuzz targets among them.
func (r *runner) list(ctx context.Context, s suite, binary string) ([]string, error) {
	run := s.run
	if run == "" {
		run = "."
	}
	cmd := exec.CommandContext(ctx, binary, "-test.list", run)
	cmd.Dir = filepath.Join(r.root, filepath.FromSlash(s.dir))
	output, err := cmd.Output()
	if err != nil {
		return nil, errors.Join(ctx.Err(), err)
	}
	return slices.DeleteFunc(strings.Fields(string(output)), func(name string) bool { return strings.HasPrefix(name, "Benchmark") }), nil
}

// cover runs one test and notes what it comes to.
func (r *runner) cover(ctx context.Context, out *reach, dir string, test named, binary string) error {
	profile := filepath.Join(r.work, "profile")
	cmd := exec.CommandContext(ctx, binary, "-test.run", "^"+test.test+"$", "-test.coverprofile", profile)
	cmd.Dir = filepath.Join(r.root, filepath.FromSlash(test.dir))
	if output, err := cmd.CombinedOutput(); err != nil {
		return errors.Join(ctx.Err(), fmt.Errorf("%s of ./%s fails by itself:\n%s", test.test, test.dir, output))
	}
	out.took[test] = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	data, err := os.ReadFile(profile)
	if err != nil {
		return err
	}
	return out.note(string(data), dir, test)
}

// lineOf reads a line of a profile: a file, where a block begins and ends, how many statements it has, and how often it was run.
var lineOf = regexp.MustCompile(`^(.+):(\d+)\.\d+,(\d+)\.\d+ \d+ (\d+)$`)

// note takes what a profile tells of a package.
func (c *reach) note(profile, dir string, test named) error {
	for line := range strings.Lines(profile) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "mode:") {
			continue
		}
		m := lineOf.FindStringSubmatch(line)
		if m == nil {
			return fmt.Errorf("a profile of %s has a line of another kind: %s", test.test, line)
		}
		if !strings.HasSuffix(path.Dir(m[1]), dir) && dir != "." {
			continue
		}
		from, _ := strconv.Atoi(m[2])
		to, _ := strconv.Atoi(m[3])
		file := path.Base(m[1])
		if key := file + ":" + m[2] + "," + m[3]; !c.known[key] {
			c.known[key] = true
			c.blocks[file] = append(c.blocks[file], block{from: from, to: to})
		}
		if m[4] != "0" {
			c.blocks[file] = append(c.blocks[file], block{from, to, test})
		}
	}
	return nil
}

// suites are the tests that come to the line of a fault, the quick ones first.
// They are not all where profiles do not tell of what is on the line: they tell
// of what follows a case, and not of the case.
func (c *reach) suites(m *mutant) (some []suite, all bool) {
	var tests []named
	for _, b := range c.blocks[path.Base(m.path)] {
		if m.line < b.from || m.line > b.to {
			continue
		}
		all = !strings.HasPrefix(m.source, "case ")
		if b.by.test != "" && !slices.Contains(tests, b.by) {
			tests = append(tests, b.by)
		}
	}
	slices.SortFunc(tests, func(a, b named) int {
		if a, b := c.took[a], c.took[b]; a != b {
			return int(a - b)
		}
		return strings.Compare(a.test, b.test)
	})
	var spent time.Duration
	late := false
	byDir := map[[2]string]int{} // of some, by when and where
	for _, t := range tests {
		spent += c.took[t]
		late = late || spent > atFirst
		key := [2]string{strconv.FormatBool(late), t.dir}
		at, there := byDir[key]
		if !there {
			at = len(some)
			byDir[key] = at
			some = append(some, suite{t.dir, ""})
		}
		if some[at].run != "" {
			some[at].run += "|"
		}
		some[at].run += "^" + t.test + "$"
	}
	return some, all
}
