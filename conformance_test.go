package pertain_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// The types below are conformance/README.md in Go; it defines what each field means.
type (
	caseFile struct {
		Theme, Since string
		Define       any
		Cases        []conformanceCase
		Lint         []lintTable
		Conditions   []conditionTable
		Queries      []queryTable

		name string // file name without .yaml
	}
	conformanceCase struct {
		ID          string
		Covers      []string
		Since       string
		Files       map[string]any
		Strategy    any
		Strategies  map[string]any
		Context     any
		Trust       bool
		commandStep `yaml:",inline"`
		Steps       []commandStep
	}
	commandStep struct {
		Args   []string
		Stdin  string
		Env    map[string]string
		Expect expectation
	}
	lintTable struct {
		ID          string
		Covers      []string
		Diagnostics []string
		Rows        []lintRow
	}
	lintRow struct {
		ID          string
		Covers      []string
		Frontmatter string
		Text        any
		Diagnostics []string
		Includes    []string
	}
	conditionTable struct {
		ID      string
		Covers  []string
		Context any
		Rows    []conditionRow
	}
	conditionRow struct {
		ID          string
		Covers      []string
		When        any
		WhenText    string `yaml:"whenText"`
		Options     any
		Context     any
		ContextText any `yaml:"contextText"`
		Result      yaml.Node
		Codes       []string
		Includes    []string
	}
	queryTable struct {
		ID      string
		Covers  []string
		Context any
		Rows    []queryRow
	}
	queryRow struct {
		ID        string
		Covers    []string
		Query     string
		IDs       []string `yaml:"ids"`
		Values    []any
		Error     *string
		Attribute bool
	}
)

// TestConformance runs conformance/cases against this implementation, or
// against the program that PERTAIN_BINARY names.
func TestConformance(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the paths of the data are those of Linux and macOS")
	}
	var codes []string
	if err := loadStrictly(filepath.FromSlash("conformance/codes.yaml"), &codes); err != nil {
		t.Fatal(err)
	}
	run := onlyKnownCodes(conformanceProgram(t), codes)
	commands := listedCommands(t, run)
	for _, file := range loadCases(t) {
		t.Run(file.name, func(t *testing.T) {
			commands.require(t, file.Since)
			for _, c := range file.Cases {
				t.Run(c.ID, func(t *testing.T) {
					commands.require(t, c.Since)
					t.Parallel()
					c.check(t, run)
				})
			}
			for _, table := range file.Lint {
				for _, row := range table.Rows {
					t.Run(table.ID+"/"+row.ID, func(t *testing.T) {
						t.Parallel()
						row.check(t, run, table.Diagnostics)
					})
				}
			}
			for _, table := range file.Conditions {
				for _, row := range table.Rows {
					t.Run(table.ID+"/"+row.ID, func(t *testing.T) {
						t.Parallel()
						row.check(t, run, table.Context)
					})
				}
				t.Run(table.ID+"/together", func(t *testing.T) {
					t.Parallel()
					table.checkTogether(t, run)
				})
			}
			for _, table := range file.Queries {
				for _, row := range table.Rows {
					t.Run(table.ID+"/"+row.ID, func(t *testing.T) {
						t.Parallel()
						row.check(t, run, table.Context)
					})
				}
			}
		})
	}
}

func (c conformanceCase) check(t *testing.T, run program) {
	w := newWorld(t)
	for path, content := range c.Files {
		w.write(path, content)
	}
	for name, content := range c.Strategies {
		w.write(userStrategies+name+".strategy.md", content)
	}
	if c.Strategy != nil {
		w.write(userStrategies+"case.strategy.md", c.Strategy)
	}
	if c.Context != nil {
		w.writeContext(c.Context)
	}
	if c.Trust {
		if o := w.run(run, commandStep{Args: []string{"trust"}}); o.exit != 0 {
			t.Fatalf("trust: %s", o)
		}
	}
	steps := c.Steps
	if steps == nil {
		steps = []commandStep{c.commandStep}
	}
	for _, s := range steps {
		o := w.run(run, s)
		report(t, o, s.Expect.differences(w, o))
	}
}

// report fails the test with everything that differs, and the whole answer.
func report(t *testing.T, o outcome, differences []string) {
	t.Helper()
	if len(differences) > 0 {
		t.Errorf("\n  %s\n%s", strings.Join(differences, "\n  "), o)
	}
}

// commandNames are the commands that the program's help lists.
type commandNames map[string]bool

func listedCommands(t *testing.T, run program) commandNames {
	t.Helper()
	o := newWorld(t).run(run, commandStep{Args: []string{"help"}})
	if o.exit != 0 {
		t.Fatalf("help: %s", o)
	}
	names := commandNames{}
	for _, m := range regexp.MustCompile(`(?m)^[ \t]+([a-z]+)\b`).FindAllStringSubmatch(o.stdout, -1) {
		names[m[1]] = true
	}
	return names
}

// require skips the test while the program does not have the command.
func (n commandNames) require(t *testing.T, name string) {
	t.Helper()
	if name != "" && !n[name] {
		t.Skipf("`pertain help` does not list the command %q", name)
	}
}

// loadCases reads all files of cases, in the order of their names.
func loadCases(t *testing.T) []caseFile {
	t.Helper()
	paths, err := filepath.Glob(filepath.FromSlash("conformance/cases/*.yaml"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases in conformance/cases: %v", err)
	}
	var files []caseFile
	for _, path := range paths {
		file := caseFile{name: strings.TrimSuffix(filepath.Base(path), ".yaml")}
		if err := loadStrictly(path, &file); err != nil {
			t.Fatal(err)
		}
		for _, table := range file.Conditions {
			for _, row := range table.Rows {
				if row.Result.Kind == 0 {
					t.Fatalf("%s: %s/%s has no result", path, table.ID, row.ID)
				}
			}
		}
		files = append(files, file)
	}
	return files
}

// loadStrictly reads a YAML file; an unknown key is an error.
func loadStrictly(path string, into any) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(into); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
