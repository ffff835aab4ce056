package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/settings"
)

// openCodeSettings are the settings that OpenCode would read here, later ones over earlier ones as it has them. Run with 1.18.33.
type openCodeSettings struct {
	all, own map[string]any // own: without those of projects that are not trusted
	strange  []openCodeFile // these
	env      func(name string) string
}

type openCodeFile struct {
	name string // for people
	tree map[string]any
}

var (
	errOpenCodeFile   = errors.New("it takes names or comments from another file")
	errOpenCodeObject = errors.New("it is no object")
)

// openCodeSettings reads them. Nobody knows where those of a stranger's lead that cannot be read here, since OpenCode may read them.
func (a *app) openCodeSettings(l *leading) (*openCodeSettings, error) {
	s := &openCodeSettings{all: map[string]any{}, own: map[string]any{}, env: l.variable(a.call.Env)}
	folder := a.call.Env("XDG_CONFIG_HOME")
	if folder == "" && a.paths().Home != "" {
		folder = filepath.Join(a.paths().Home, ".config")
	}
	own := func(path string) {
		if text, err := files.OS().ReadFile(path, maxProjectFile); err == nil {
			_ = s.add(text, "") // what OpenCode cannot read either
		}
	}
	if folder != "" {
		for _, name := range []string{"config.json", "opencode.json", "opencode.jsonc"} {
			own(filepath.Join(folder, "opencode", name))
		}
	}
	if path := a.call.Env("OPENCODE_CONFIG"); path != "" {
		own(a.abs(path))
	}
	if off := strings.ToLower(a.call.Env("OPENCODE_DISABLE_PROJECT_CONFIG")); off != "1" && off != "true" {
		for _, dir := range a.openCodeStarts(l.args) {
			in := *a
			in.cwd = dir
			if err := in.openCodeProject(s); err != nil {
				return nil, err
			}
		}
	}
	for _, dir := range []string{filepath.Join(a.paths().Home, ".opencode"), a.call.Env("OPENCODE_CONFIG_DIR")} {
		if dir != "" && dir != ".opencode" {
			own(filepath.Join(a.abs(dir), "opencode.json"))
			own(filepath.Join(a.abs(dir), "opencode.jsonc"))
		}
	}
	_ = s.add([]byte(a.call.Env("OPENCODE_CONFIG_CONTENT")), "")
	return s, nil
}

// openCodeStarts are the folders in which OpenCode may start: the working directory, and those that its arguments name.
func (a *app) openCodeStarts(args []string) []string {
	starts := []string{settings.WorkingDir(files.OS(), a.dir())}
	for i, arg := range args {
		dir, named := strings.CutPrefix(arg, "--dir=")
		if i > 0 && args[i-1] == "--dir" || i == 0 || !slices.Contains([]string{"run", "serve", "web", "acp"}, args[0]) {
			named = true // of the words of a prompt some may be names of folders
		}
		if !named || dir == "" || strings.HasPrefix(dir, "-") {
			continue
		}
		if info, err := files.OS().Stat(a.abs(dir)); err == nil && info.Kind == files.Folder {
			if dir = settings.WorkingDir(files.OS(), a.abs(dir)); !slices.Contains(starts, dir) {
				starts = append(starts, dir)
			}
		}
	}
	return starts
}

// openCodeProject reads the files of a project: first those of its folders, the outermost first, then those of their .opencode, the
// outermost last.
func (a *app) openCodeProject(s *openCodeSettings) error {
	workspace, home := a.workspace(), a.paths().Home
	folders := a.openCodeFolders()
	type projectFile struct{ dir, name string }
	var projectFiles []projectFile
	for _, dir := range slices.Backward(folders) {
		projectFiles = append(projectFiles, projectFile{dir, "opencode.json"}, projectFile{dir, "opencode.jsonc"})
	}
	for _, dir := range folders {
		projectFiles = append(projectFiles, projectFile{dir, ".opencode/opencode.json"}, projectFile{dir, ".opencode/opencode.jsonc"})
	}
	tree, trusted := files.OS(), map[string]bool{}
	for _, dir := range folders {
		inside := files.Inside(workspace, dir)
		trusted[dir] = dir == home || inside && a.trusts(workspace) || !inside && a.trusts(dir)
	}
	for _, p := range projectFiles {
		path, name, bounds := filepath.Join(p.dir, filepath.FromSlash(p.name)), p.name, files.Below(tree, workspace, a.dir())
		if !files.Inside(workspace, p.dir) {
			name, bounds = clean(path), files.Below(tree, p.dir)
		}
		text, _, err := files.ReadWithin(tree, path, bounds, maxProjectFile)
		if missing(err) || errors.Is(err, fs.ErrPermission) {
			continue
		}
		if trusted[p.dir] {
			name = ""
		}
		if err == nil {
			err = s.add(text, name)
		}
		if err != nil && name != "" {
			return usage("the project's settings for OpenCode cannot be read (%s), so that nobody knows where they lead it; mend the file or take it out, or trust the project (`pertain trust`)", name)
		}
	}
	return nil
}

// openCodeFolders are the folders of which OpenCode reads settings, the nearest first: up to what git takes for the top of the
// repository, and all of them where git takes nothing for one, as with a `.git` that is broken or another user's.
func (a *app) openCodeFolders() []string {
	tree := files.OS()
	_, foreign := settings.ForeignWorkspace(tree, a.dir())
	var folders []string
	for dir := a.dir(); ; dir = filepath.Dir(dir) {
		folders = append(folders, dir)
		if !foreign && files.IsRepository(tree, dir) && !movedWorkTree(tree, dir) || filepath.Dir(dir) == dir {
			return folders
		}
	}
}

// movedWorkTree tells whether a repository's settings may say that its files are elsewhere, so that what is above is a part of it.
func movedWorkTree(tree files.Tree, dir string) bool {
	folder := filepath.Join(dir, ".git")
	if target, ok := files.GitPointer(tree, dir, folder, "gitdir:"); ok {
		folder = target
	}
	for _, name := range []string{"config", "config.worktree"} {
		text, _, err := files.ReadWithin(tree, filepath.Join(folder, name), files.Anywhere(), maxProjectFile)
		if err != nil && !missing(err) || bytes.Contains(bytes.ToLower(text), []byte("worktree")) || bytes.Contains(bytes.ToLower(text), []byte("[include")) {
			return true
		}
	}
	return false
}

// add puts a file over what was read before; name is that of a stranger's, and "" the user's own.
func (s *openCodeSettings) add(text []byte, name string) error {
	plain, err := s.plain(text, name != "")
	if err != nil || len(plain) == 0 {
		return err
	}
	tree := func() map[string]any { // each has its own, since what is put over it changes it
		out := map[string]any{}
		_ = json.Unmarshal(plain, &out)
		return out
	}
	overlay(s.all, tree())
	if name == "" {
		overlay(s.own, tree())
		return nil
	}
	s.strange = append(s.strange, openCodeFile{name, tree()})
	return nil
}

var (
	openCodeVariable = regexp.MustCompile(`\{env:([^}]+)\}`)
	openCodeInsert   = regexp.MustCompile(`\{file:[^}]+\}`)
)

// insertedText stands where OpenCode puts the text of another file. After a backslash it is no JSON.
const insertedText = "Pertain:file"

// plain is a text as OpenCode reads it, which puts variables and files in before it knows what is a name, a text or a comment. Of
// strangers' an inserted file may be a text alone: as a name, or at the end of a comment, it would change what everything else is.
func (s *openCodeSettings) plain(text []byte, strange bool) ([]byte, error) {
	text = bytes.TrimSpace(plainText(text))
	if len(text) == 0 {
		return nil, nil
	}
	own := true
	filled := openCodeVariable.ReplaceAllStringFunc(string(text), func(match string) string {
		name := match[len("{env:") : len(match)-1]
		own = own && name != "OPENCODE_CONFIG_CONTENT" // which is still to be made
		return s.env(name)
	})
	filled, inserted := withInserted(filled)
	filled = strings.ReplaceAll(strings.ReplaceAll(filled, "\r\n", "\n"), "\r", "\n") // either ends a comment
	plain, err := standardJSON([]byte(filled))
	if err != nil {
		return nil, err
	}
	var tree map[string]any
	if err := json.Unmarshal(plain, &tree); err != nil || tree == nil {
		return nil, errOpenCodeObject
	}
	if strange && (!own || insertedTexts(tree) != inserted) {
		return nil, errOpenCodeFile
	}
	return plain, nil
}

// withInserted puts insertedText where OpenCode puts files, but for lines of comments, which it leaves as they are.
func withInserted(text string) (_ string, n int) {
	var out strings.Builder
	end := 0
	for _, at := range openCodeInsert.FindAllStringIndex(text, -1) {
		line := text[strings.LastIndexByte(text[:at[0]], '\n')+1 : at[0]]
		if strings.HasPrefix(strings.TrimLeft(line, " \t"), "//") {
			continue
		}
		out.WriteString(text[end:at[0]] + insertedText)
		end = at[1]
		n++
	}
	return out.String() + text[end:], n
}

// insertedTexts counts the texts that are inserted in values.
func insertedTexts(tree any) int {
	n := 0
	switch tree := tree.(type) {
	case string:
		n = strings.Count(tree, insertedText)
	case map[string]any:
		for _, value := range tree {
			n += insertedTexts(value)
		}
	case []any:
		for _, value := range tree {
			n += insertedTexts(value)
		}
	}
	return n
}
