package discover

import (
	"bytes"
	"context"
	"encoding/json"
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

// maxInstructions is how many files the settings of one folder may name.
const maxInstructions = 200

// instructed are the files that `instructions` of a settings file name: paths and globs
// relative to it. Addresses are left alone: nothing is fetched.
func (s *search) instructed(at spot, settings string, f *format) []ruleFile {
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
	dir := s.flavor.Dir(path)
	var out []ruleFile
	add := func(rel string) {
		if len(out) >= maxInstructions {
			return
		}
		full := s.flavor.Join(dir, rel)
		origin := s.origin(at, &location{always: true})
		origin.Name = s.userName(at, strings.TrimSuffix(rel, ".md"))
		out = append(out, ruleFile{path: full, within: within, origin: origin, format: f})
	}
	for _, pattern := range read.Instructions {
		if strings.Contains(pattern, "://") || strings.HasPrefix(pattern, "~") || s.flavor.IsAbs(pattern) {
			continue
		}
		pattern = strings.TrimPrefix(pattern, "./")
		g, bad := glob.CompilePath(pattern)
		switch {
		case bad != nil:
		case !strings.ContainsAny(pattern, "*?[{"):
			if kind, ok := s.kind(dir, pattern, at.level); ok && kind == files.File {
				add(pattern)
			}
		default:
			for _, rel := range s.matching(dir, g, within) {
				add(rel)
			}
		}
	}
	return out
}

// userName is the name of a file that the user's settings name.
func (s *search) userName(at spot, name string) string {
	if at.level == rule.User {
		return "~/" + name
	}
	return name
}

// matching are the files below a folder that a glob matches, sorted.
func (s *search) matching(dir string, g *glob.Path, within files.Bounds) []string {
	var out []string
	visit := func(step files.Step) error {
		base := s.flavor.Base(step.Path)
		if step.Err == nil && step.Info.Kind == files.Folder && (base == "node_modules" || base == ".git") {
			return files.ErrSkipFolder
		}
		if step.Err == nil && step.Info.Kind == files.File && g.Match(step.Rel) {
			out = append(out, step.Rel)
		}
		return nil
	}
	_ = files.Walk(context.Background(), s.tree, dir, files.WalkOptions{MaxDepth: maxFolderDepth, MaxEntries: maxFolderEntries, Within: &within}, visit) // what cannot be looked at is not there
	slices.Sort(out)
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
			end := bytes.Index(data[i:], []byte("*/"))
			if end < 0 {
				return out
			}
			i += end + 1
		case c == ']' || c == '}':
			out = append(bytes.TrimSuffix(bytes.TrimRight(out, " \t\r\n"), []byte(",")), c)
		default:
			out = append(out, c)
		}
	}
	return out
}
