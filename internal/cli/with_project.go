package cli

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/pertain-dev/pertain/internal/files"
)

// projectFile is a file of a project that may name an address of an agent's model.
type projectFile struct {
	path  string // below the project, with slashes
	names func(text []byte) bool
}

// The files of projects that agents read, as far as they can name an address. The gateway's own stands over it: as an argument
// of Codex's, as a file of settings of droid's, as a variable which no .env replaces.
var (
	codexProject  = []projectFile{{".codex/config.toml", tomlAddress}}
	droidProject  = []projectFile{{".factory/settings.json", jsonAddress}, {".factory/settings.local.json", jsonAddress}}
	geminiProject = []projectFile{{".gemini/.env", envAddress(geminiBase.name)}, {".env", envAddress(geminiBase.name)}}
	qwenProject   = []projectFile{{".qwen/settings.json", jsonAddress}, {".qwen/.env", envAddress(openAIBase.name)}, {".env", envAddress(openAIBase.name)}}
)

// addressKeys are the keys by which settings name the address of a model.
var addressKeys = []string{"base_url", "openai_base_url", "chatgpt_base_url", "baseUrl"}

func tomlAddress(text []byte) bool {
	tree := map[string]any{}
	return toml.Unmarshal(text, &tree) == nil && hasAddress(tree)
}

func jsonAddress(text []byte) bool {
	var tree any
	plain, err := standardJSON(text)
	return err == nil && json.Unmarshal(plain, &tree) == nil && hasAddress(tree)
}

// hasAddress tells whether an address stands somewhere in settings.
func hasAddress(tree any) bool {
	switch tree := tree.(type) {
	case map[string]any:
		for key, value := range tree {
			if text, _ := value.(string); text != "" && slices.Contains(addressKeys, key) || hasAddress(value) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(tree, hasAddress)
	}
	return false
}

// envAddress tells of a file of variables whether it sets one.
func envAddress(name string) func(text []byte) bool {
	line := regexp.MustCompile(`(?m)^[ \t]*(?:export[ \t]+)?` + name + `[ \t]*[=:][ \t]*[^\s#]`)
	return line.Match
}

// projectFolders are the working directory and those above it, up to the workspace.
func (a *app) projectFolders() []string {
	workspace := a.workspace()
	var folders []string
	for dir := a.dir(); ; dir = filepath.Dir(dir) {
		folders = append(folders, dir)
		if dir == workspace || filepath.Dir(dir) == dir || !files.Inside(workspace, dir) {
			return folders
		}
	}
}

// maxProjectFile is how much of a project's settings is read, in bytes.
const maxProjectFile = 4 << 20

// tellProject tells which files of a project that is not trusted name an address that is not used.
func (a *app) tellProject(l lead) {
	if len(l.project) == 0 || a.trusts(a.workspace()) {
		return
	}
	var found []string
	tree := files.OS()
	for _, dir := range a.projectFolders() {
		for _, file := range l.project {
			text, _, err := files.ReadWithin(tree, filepath.Join(dir, filepath.FromSlash(file.path)), files.Below(tree, a.workspace(), a.dir()), maxProjectFile)
			if err == nil && file.names(text) && !slices.Contains(found, file.path) {
				found = append(found, file.path)
			}
		}
	}
	a.tellUnused(l.title, found)
}

// tellUnused tells that addresses in a project's files are not used; none: nothing is told.
func (a *app) tellUnused(agent string, files []string) {
	if len(files) > 0 {
		a.tell("the project's settings for " + agent + " name an address of a model (" + strings.Join(files, ", ") + "); it is not used, since the project is not trusted (`pertain trust`)")
	}
}
