package discover

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/glob"
	"github.com/pertain-dev/pertain/rule"
)

// openCodeSettings are the files whose `instructions` name more files.
var openCodeSettings = []string{"opencode.json", "opencode.jsonc"}

// opencode is what only OpenCode reads: CONTEXT.md, and the files that its settings
// name.
func opencode() tool {
	f := plainFormat("OpenCode")
	return tool{
		id: "opencode", priority: morePriority,
		project: []location{{path: "CONTEXT.md", format: f, located: true, always: true}},
		user:    []location{{path: "opencode/AGENTS.md", name: "opencode/AGENTS", format: f, always: true, config: true}},
		find: func(s *search, t *tool) []ruleFile {
			out := s.usual(t)
			for _, at := range s.spots() {
				if at.below {
					continue
				}
				for _, name := range openCodeSettings {
					out = append(out, s.instructed(at, name, f)...)
				}
			}
			if s.ConfigHome != "" {
				out = append(out, s.instructed(spot{dir: s.ConfigHome, level: rule.User}, "opencode/opencode.json", f)...)
			}
			return out
		},
	}
}

// Limits of the settings of one folder: they are a stranger's.
const (
	maxInstructions    = 200         // files, with what is wrong
	maxPatterns        = 1000        // entries
	maxPatternWeight   = 64 << 10    // of all globs
	maxPatternSteps    = 500_000_000 // of comparing them with files
	errManyPatterns    = limitError("its `instructions` are more than can be compared; those at the end are left out")
	errManyInstruction = limitError("its `instructions` stand for more than 200 files; the others are left out")
)

// limitError says what is too much.
type limitError string

func (e limitError) Error() string { return string(e) }

// instructed are the files that `instructions` of a settings file name: paths and globs
// relative to it. Addresses are left alone: nothing is fetched.
func (s *search) instructed(at spot, settings string, f *format) []ruleFile {
	if !s.mayHold(at.dir, settings, at.level) {
		return nil
	}
	path := s.flavor.Join(at.dir, settings)
	within := s.bounds(at.dir, at.level)
	o, err := s.open(path, within)
	if err != nil {
		return nil // it is no rule, and says what is wrong with it to OpenCode's users
	}
	defer o.Close()
	data, err := o.Read(document.MaxBytes)
	if err != nil {
		return nil
	}
	var read struct {
		Instructions []string `json:"instructions"`
	}
	if json.Unmarshal(withoutComments(data), &read) != nil {
		return nil
	}
	n := &instructions{search: s, at: at, dir: s.flavor.Dir(path), within: within, format: f}
	n.find(read.Instructions)
	switch {
	case n.full:
		n.out = append(n.out, s.problem(path, at.level, errManyInstruction))
	case n.overfull:
		n.out = append(n.out, s.problem(path, at.level, errManyPatterns))
	}
	return n.out
}

// instructions are what one settings file names.
type instructions struct {
	*search
	at       spot
	dir      string
	within   files.Bounds
	format   *format
	out      []ruleFile
	full     bool // there are more files than are read
	overfull bool // there are more patterns than are compared
}

func (n *instructions) find(patterns []string) {
	if len(patterns) > maxPatterns {
		patterns, n.overfull = patterns[:maxPatterns], true
	}
	globs := make([]*glob.Path, len(patterns))
	weight := 0
	for i, pattern := range patterns {
		if !strings.ContainsAny(pattern, "*?[{") {
			continue
		}
		g, bad := glob.CompilePath(strings.TrimPrefix(pattern, "./"))
		if bad != nil || n.elsewhere(pattern) != "" {
			continue
		}
		if weight += g.Weight(); weight > maxPatternWeight {
			n.overfull = true
			break
		}
		globs[i] = g
	}
	found := n.matching(globs, weight)
	for i, pattern := range patterns {
		why := n.elsewhere(pattern)
		pattern = strings.TrimPrefix(pattern, "./")
		switch {
		case strings.Contains(pattern, "://"):
		case why != "" && n.at.level == rule.User && !n.at.above:
			n.addOwn(pattern)
		case why != "":
			n.add(n.problem(n.meant(pattern), n.at.level, &files.OutsideError{Path: pattern, Why: why}))
		case globs[i] != nil:
			for _, file := range found[i] {
				n.add(file)
			}
		case !strings.ContainsAny(pattern, "*?[{"):
			kind, err := n.look(n.dir, pattern, n.at.level)
			var outside *files.OutsideError
			if errors.As(err, &outside) {
				n.add(n.problem(n.flavor.Join(n.dir, pattern), n.at.level, err))
			} else if err == nil && kind == files.File {
				n.add(n.file(pattern))
			}
		}
	}
}

// addOwn adds a file that the user's own settings name, wherever it is.
func (n *instructions) addOwn(pattern string) {
	path := n.meant(pattern)
	if strings.ContainsAny(pattern, "*?[{") {
		n.add(n.problem(path, n.at.level, errOwnPattern))
		return
	}
	info, err := n.tree.Stat(path)
	switch {
	case err != nil:
		n.add(n.problem(path, n.at.level, err))
	case info.Kind != files.File:
		n.add(n.problem(path, n.at.level, &files.NotRegularError{Path: path, Kind: info.Kind}))
	default:
		origin := n.origin(n.at, &location{always: true})
		origin.Name = n.userName(n.at, strings.TrimSuffix(n.flavor.Base(path), ".md"))
		n.add(ruleFile{path: path, within: files.Anywhere(), named: true, chosen: true, origin: origin, format: n.format})
	}
}

var errOwnPattern = errors.New("patterns of your settings are looked for below their folder alone; name the files")

// elsewhere says why an entry leads out of the folder of its settings; empty: it does not.
func (n *instructions) elsewhere(pattern string) string {
	if strings.Contains(pattern, "://") {
		return ""
	}
	if strings.HasPrefix(pattern, "~") || n.flavor.IsAbs(pattern) || strings.HasPrefix(pattern, "/") || slices.Contains(strings.Split(n.flavor.ToSlash(pattern), "/"), "..") {
		return "the `instructions` of a project name files of its own alone"
	}
	return ""
}

// meant is the path of an entry, wherever it leads.
func (n *instructions) meant(pattern string) string {
	rest, home := strings.CutPrefix(pattern, "~")
	switch {
	case home && n.Home != "":
		return n.flavor.Join(n.Home, rest)
	case n.flavor.IsAbs(pattern):
		return pattern
	}
	return n.flavor.Join(n.dir, pattern)
}

func (n *instructions) add(f ruleFile) {
	if len(n.out) >= maxInstructions {
		n.full = true
		return
	}
	n.out = append(n.out, f)
}

func (n *instructions) file(rel string) ruleFile {
	origin := n.origin(n.at, &location{always: true})
	origin.Name = n.userName(n.at, strings.TrimSuffix(rel, ".md"))
	return ruleFile{path: n.flavor.Join(n.dir, rel), within: n.within, chosen: true, origin: origin, format: n.format}
}

// userName is the name of a file that the user's settings name.
func (s *search) userName(at spot, name string) string {
	if at.level == rule.User {
		return "~/" + name
	}
	return name
}

// matching are the files that each of some globs matches, sorted: the folder is walked once for all of them.
func (n *instructions) matching(globs []*glob.Path, weight int) [][]ruleFile {
	out := make([][]ruleFile, len(globs))
	if weight == 0 {
		return out
	}
	steps, found := 0, 0
	visit := func(step files.Step) error {
		base := n.flavor.Base(step.Path)
		if step.Err == nil && step.Info.Kind == files.Folder && (base == "node_modules" || base == ".git") {
			return files.ErrSkipFolder
		}
		var outside *files.OutsideError
		isOut := errors.As(step.Err, &outside)
		if !isOut && (step.Err != nil || step.Info.Kind != files.File) {
			return nil //nolint:nilerr // what cannot be looked at is not there
		}
		if steps += weight; steps > maxPatternSteps || found > maxInstructions*2 {
			n.overfull = n.overfull || steps > maxPatternSteps
			return files.ErrSkipAll
		}
		for i, g := range globs {
			if g == nil || !g.Match(step.Rel) {
				continue
			}
			found++
			file := n.file(step.Rel)
			if isOut {
				file = n.problem(step.Path, n.at.level, step.Err)
			}
			out[i] = append(out[i], file)
		}
		return nil
	}
	_ = files.Walk(context.Background(), n.tree, n.dir, files.WalkOptions{MaxDepth: files.RulesDepth, MaxEntries: files.RulesEntries, Within: &n.within}, visit) // what cannot be looked at is not there
	for _, list := range out {
		slices.SortStableFunc(list, func(a, b ruleFile) int { return strings.Compare(a.path, b.path) })
	}
	return out
}

// withoutComments makes JSON of JSON with comments and commas too many.
func withoutComments(data []byte) []byte {
	out := make([]byte, 0, len(data))
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case c == '"':
			end := i + 1
			for end < len(data) && data[end] != '"' {
				if data[end] == '\\' {
					end++
				}
				end++
			}
			end = min(end, len(data)-1)
			out = append(out, data[i:end+1]...)
			i = end
		case c == '/' && i+1 < len(data) && data[i+1] == '/':
			for i < len(data) && data[i] != '\n' {
				i++
			}
		case c == '/' && i+1 < len(data) && data[i+1] == '*':
			end := bytes.Index(data[i+2:], []byte("*/"))
			if end < 0 {
				return out
			}
			i += 2 + end + 1
		case c == ']' || c == '}':
			out = append(bytes.TrimSuffix(bytes.TrimRight(out, " \t\r\n"), []byte(",")), c)
		default:
			out = append(out, c)
		}
	}
	return out
}
