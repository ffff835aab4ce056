package discover

import (
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/agent"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// NearName is a name that people give to a folder or a file of rules by mistake, and the
// right one.
type NearName struct{ Wrong, Right string }

var nearFolders = []NearName{
	{".cursor/rule", ".cursor/rules"},
	{".cursor/Rules", ".cursor/rules"},
	{".cursorrule", ".cursorrules"},
	{".cursor_rules", ".cursorrules"},
	{".windsurf/rule", ".windsurf/rules"},
	{".windsurfrule", ".windsurfrules"},
	{".clinerule", ".clinerules"},
	{".cline_rules", ".clinerules"},
	{".claude/rule", ".claude/rules"},
	{".claude/Claude.md", ".claude/CLAUDE.md"},
	{".claude/claude.md", ".claude/CLAUDE.md"},
	{".github/instruction", ".github/instructions"},
	{".github/copilot-instruction.md", ".github/copilot-instructions.md"},
	{".github/copilot_instructions.md", ".github/copilot-instructions.md"},
	{"copilot-instructions.md", ".github/copilot-instructions.md"},
	{".continue/rule", ".continue/rules"},
	{".kiro/steerings", ".kiro/steering"},
	{".roo/rule", ".roo/rules"},
	{".omp/rule", ".omp/rules"},
	{".pertain/rule", ".pertain/rules"},
}

// NearNames finds files and folders that have nearly the name of one that agents
// load, in the folders from the working directory up to the root of the project.
func NearNames(tree files.Tree, roots RuleRoots) diag.List {
	s := newSearch(tree, roots)
	var list diag.List
	add := func(path, message, hint string) {
		d := diag.At(diag.NewSource(path, ""), diag.NoSpan, diag.RuleNearName, "%s", message)
		list.Add(d.WithHint("%s", hint))
	}
	for _, dir := range append(slices.Clone(s.chain), s.below...) {
		for _, name := range []string{"AGENTS.md", "CLAUDE.md", "GEMINI.md", ".github/copilot-instructions.md"} {
			for _, v := range s.variants(dir, &location{path: name}) {
				add(s.flavor.Join(dir, v.path), LoadedBy(v.path, name), "rename it to `"+name+"`")
			}
		}
		for _, near := range nearFolders {
			parent, name := "", near.Wrong
			if i := strings.LastIndexByte(near.Wrong, '/'); i >= 0 {
				parent, name = near.Wrong[:i], near.Wrong[i+1:]
			}
			if slices.Contains(s.names(s.flavor.Join(dir, parent)), name) {
				add(s.flavor.Join(dir, near.Wrong), "no agent looks for `"+near.Wrong+"`", "rename it to `"+near.Right+"`")
			}
		}
		s.nearEnds(dir, add)
	}
	list.Sort()
	return list
}

// textEnds are the ends of names that people give to rules, the longest first.
var textEnds = []string{".instructions.md", ".instruction.md", ".instructions.mdc", ".instructions.txt", ".markdown", ".mdc", ".txt", ".md"}

// nearEnds finds texts in folders of rules whose names end otherwise than those that are read there.
func (s *search) nearEnds(dir string, add func(path, message, hint string)) {
	type folder struct {
		title string
		exts  []string
	}
	folders := map[string]folder{}
	var order []string
	for _, t := range s.tools {
		for _, p := range t.project {
			if p.exts == nil {
				continue
			}
			f, known := folders[p.path]
			if !known {
				f.title = p.format.Tool
				order = append(order, p.path)
			}
			f.exts = append(f.exts, p.exts...)
			folders[p.path] = f
		}
	}
	for _, path := range order {
		f := folders[path]
		for _, name := range s.names(s.flavor.Join(dir, path)) {
			i := slices.IndexFunc(textEnds, func(end string) bool { return strings.HasSuffix(name, end) && len(name) > len(end) })
			if _, read := ruleName(name, f.exts); read || i < 0 || strings.HasPrefix(name, ".") {
				continue
			}
			base := strings.TrimSuffix(name, textEnds[i])
			if slices.Contains([]string{"readme", "license", "changelog", "contributing"}, strings.ToLower(base)) {
				continue
			}
			if kind, ok := s.kind(dir, path+"/"+name, rule.Project); ok && kind == files.File {
				add(s.flavor.Join(dir, path, name), f.title+" loads only files whose names end in `"+strings.Join(f.exts, "` or `")+"`", "rename it to `"+base+f.exts[0]+"`")
			}
		}
	}
}

// LoadedBy says which agents take a spelling of a file's name.
func LoadedBy(spelling, name string) string {
	var out []string
	for _, a := range agent.All() {
		takes := false
		for _, g := range a.Groups {
			for _, p := range flatten(&g) {
				takes = takes || p.Where&agent.User == 0 && (p.Path == spelling || a.FoldNames && p.Path == name)
			}
		}
		if takes {
			out = append(out, a.Title)
		}
	}
	if len(out) == 0 {
		return "no agent looks for `" + spelling + "`"
	}
	return "`" + spelling + "` is loaded by " + strings.Join(out, ", ") + " alone; the others look for `" + name + "`"
}

// IsRuleFile tells whether some tool would read a file at its path as a rule.
func IsRuleFile(tree files.Tree, roots RuleRoots) func(path string) bool {
	s := newSearch(tree, roots)
	return func(path string) bool {
		f, ok := s.recognize(path)
		return ok && f.origin.Level != rule.User
	}
}
