package git

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/repository"
	"github.com/pertain-dev/pertain/internal/writing"
)

// keptSettings are the settings of a repository that decide whether a file has changed,
// and start nothing. No other setting of the repository reaches git.
var keptSettings = []string{
	"core.repositoryformatversion", "core.filemode", "core.symlinks", "core.ignorecase", "core.precomposeunicode", "core.protecthfs", "core.protectntfs",
	"core.autocrlf", "core.eol", "core.safecrlf", "core.checkroundtripencoding", "core.trustctime", "core.checkstat", "core.bigfilethreshold",
	"core.sparsecheckout", "core.sparsecheckoutcone", "core.excludesfile", "core.attributesfile",
	"extensions.objectformat", "status.showuntrackedfiles", "index.sparse",
}

// repositoryCopy is a stand-in for what git reads of a repository beside its index and
// objects. Git reads the settings whenever it is started, and who may write the
// repository can change them in between; a copy that only holds what is harmless
// cannot be changed. The user's own settings are copied, too: they may include a
// file of the repository.
type repositoryCopy struct {
	dir    string
	remove func()
	env    []string
}

// copyOf makes the copy.
func (g gitProgram) copyOf(ctx context.Context, r *repository.Repository) (repositoryCopy, error) {
	ref, commit, err := r.Tip()
	if err != nil {
		return repositoryCopy{}, err
	}
	own, theirs, err := g.settings(ctx, r)
	if err != nil {
		return repositoryCopy{}, err
	}
	texts := map[string]string{"config": theirs, "global": own, "refs/": ""}
	if ref != "" && commit != "" {
		texts["packed-refs"] = commit + " " + ref + "\n"
	}
	for _, name := range []string{"exclude", "attributes"} {
		text, err := r.Info(name)
		if err != nil {
			return repositoryCopy{}, err
		}
		texts["info/"+name] = text
	}
	dir, remove, err := writing.Scratch(r.Top, texts)
	if err != nil {
		return repositoryCopy{}, err
	}
	return repositoryCopy{dir, remove, []string{
		"GIT_DIR=" + r.Folder, "GIT_COMMON_DIR=" + dir, "GIT_OBJECT_DIRECTORY=" + filepath.Join(r.Common, "objects"),
		"GIT_CONFIG_GLOBAL=" + filepath.Join(dir, "global"), "GIT_CONFIG_SYSTEM=" + filepath.Join(dir, "global"), "GIT_CONFIG_NOSYSTEM=1",
	}}, nil
}

// settings are the texts of two files of settings: the user's own, and those of
// the repository that are harmless.
func (g gitProgram) settings(ctx context.Context, r *repository.Repository) (own, theirs string, err error) {
	listed, err := g.program.Output(ctx, g.call(r.Top, fixedSettings()), maxOutput, "config", "--null", "--show-scope", "--show-origin", "--list")
	if err != nil {
		return "", "", err
	}
	var mine, kept strings.Builder
	fields := strings.Split(string(listed), "\x00")
	for i := 0; i+2 < len(fields); i += 3 {
		scope, origin := fields[i], fields[i+1]
		key, value, given := strings.Cut(fields[i+2], "\n")
		switch {
		case scope == "command": // ours
		case (scope == "system" || scope == "global") && !g.theirs(r, origin):
			if !strings.HasPrefix(key, "include.") && !strings.HasPrefix(key, "includeif.") { // what they bring is listed
				err = errors.Join(err, writeSetting(&mine, key, value, given))
			}
		case slices.Contains(keptSettings, strings.ToLower(key)):
			err = errors.Join(err, writeSetting(&kept, key, value, given))
		}
	}
	return mine.String(), kept.String(), err
}

// theirs tells whether a setting of the user's comes from a file of the
// repository, by what git calls its origin. One that is not named by its full path
// is taken for such.
func (gitProgram) theirs(r *repository.Repository, origin string) bool {
	path, ok := strings.CutPrefix(origin, "file:")
	if !ok || !filepath.IsAbs(path) {
		return true
	}
	return files.Inside(r.Top, path) || files.Inside(r.Common, path)
}

// writeSetting writes a setting in the form of git's files.
func writeSetting(b *strings.Builder, key, value string, given bool) error {
	section, rest, ok := strings.Cut(key, ".")
	if !ok {
		return fmt.Errorf("a setting of git has no section")
	}
	name, variable := "", rest
	if dot := strings.LastIndexByte(rest, '.'); dot >= 0 {
		name, variable = rest[:dot], rest[dot+1:]
		name = ` "` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(name) + `"`
	}
	if strings.ContainsAny(section+variable, "\n\r[]\"=#; \t") || strings.ContainsAny(name, "\n\x00") {
		return errors.New("a setting of git has an odd name")
	}
	b.WriteString("[" + section + name + "]\n\t" + variable)
	if given { // without a value it is true
		b.WriteString(` = "` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`).Replace(value) + `"`)
	}
	b.WriteString("\n")
	return nil
}
