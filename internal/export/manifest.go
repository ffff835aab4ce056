package export

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/mark"
	"github.com/pertain-dev/pertain/skill"
)

// manifest is what was exported, and the hash of each file's content then: it says where to look for files that are no longer
// needed. Nothing is removed because it stands here: the file's own mark decides.
type manifest struct {
	Version int               `json:"version"`
	Files   map[string]string `json:"files"` // by path, with slashes, relative to the project or `~/…`
}

// manifestPath is where it lies: in the project, or among what is remembered of the user; empty: nowhere.
func (p *Plan) manifestPath() string {
	if p.user {
		if p.folders.State == "" {
			return ""
		}
		return filepath.Join(p.folders.State, "exported.json")
	}
	return filepath.Join(p.folders.Root, ".pertain", "exported.json")
}

// ManifestError says that there is a file where the manifest is kept, and that it is none: nothing is written then.
type ManifestError struct{ Path, Why string }

func (e *ManifestError) Error() string {
	return e.Path + ": " + e.Why + "; `pertain export` keeps a list of its files there, so move this one away or remove it"
}

// readManifest reads the manifest; without one it is empty. The error is a [*ManifestError].
func (p *Plan) readManifest() (manifest, error) {
	empty := manifest{Version: 1, Files: map[string]string{}}
	path := p.manifestPath()
	if path == "" {
		return empty, nil
	}
	bounds := files.Below(p.tree, p.folders.Root)
	if p.user {
		bounds = files.Anywhere()
	}
	data, _, err := files.ReadWithin(p.tree, path, bounds, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return empty, nil
	}
	if err != nil {
		return empty, &ManifestError{p.name(path), reason(err)}
	}
	var read manifest
	in := json.NewDecoder(bytes.NewReader(data))
	in.DisallowUnknownFields()
	if in.Decode(&read) != nil || read.Version != 1 || read.Files == nil {
		return empty, &ManifestError{p.name(path), "it was not written by this version of `pertain export`"}
	}
	if _, err := in.Token(); !errors.Is(err, io.EOF) {
		return empty, &ManifestError{p.name(path), "there is more in it than `pertain export` wrote"}
	}
	return read, nil
}

// with is the manifest after, or before, the plan is carried out. Before it, it names all that is and will be there, so that
// whatever a killed process leaves is found again.
func (m manifest) with(p *Plan, done bool) manifest {
	out := manifest{Version: 1, Files: maps.Clone(m.Files)}
	for _, f := range p.Files {
		name := p.name(f.Path)
		switch f.Change {
		case Created, Changed, Unchanged:
			if sum := sha256.Sum256([]byte(f.text)); done || out.Files[name] == "" {
				out.Files[name] = hex.EncodeToString(sum[:])
			}
		case Refused:
			if done && f.forgotten { // it is told of once
				delete(out.Files, name)
			}
		case Removed:
			if done {
				delete(out.Files, name)
			}
		}
	}
	return out
}

func (p *Plan) writeManifest(m manifest) error {
	path := p.manifestPath()
	have, err := p.readManifest()
	if err != nil || path == "" || maps.Equal(m.Files, have.Files) {
		return err
	}
	target, err := p.target(path)
	if err != nil {
		return err
	}
	if err := target.MakeFolder(0o755); err != nil {
		return err
	}
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	return target.Put(append(data, '\n'), 0o644)
}

// addStale adds the files of these agents that were exported once and are not in the plan: to be removed, or with a word that
// they could be.
func (p *Plan) addStale(ctx context.Context, m manifest, run Run) error {
	planned := map[string]bool{}
	for _, f := range p.Files {
		if f.Change != Skipped || f.own {
			planned[sameFile(f.Path)] = true
		}
	}
	kept := p.kept(run.Source)
	found := candidates{}
	for _, name := range slices.Sorted(maps.Keys(m.Files)) {
		rel, isUser := strings.CutPrefix(name, "~/")
		if isUser != p.user || !filepath.IsLocal(filepath.FromSlash(rel)) {
			continue
		}
		for _, f := range p.forms {
			if f.owns(rel) {
				found[filepath.Join(f.base, filepath.FromSlash(rel))] = candidate{f, f.holdsSeveral(rel)}
			}
		}
	}
	for _, f := range p.forms {
		if err := p.markedBy(ctx, f, found); err != nil {
			return err
		}
	}
	for _, path := range slices.Sorted(maps.Keys(found)) {
		f := found[path]
		exported, intact := p.isExported(path, f.several)
		if _, listed := m.Files[p.name(path)]; listed && !exported && run.Prune && !planned[sameFile(path)] && !kept(path) && p.isFile(path) {
			p.Files = append(p.Files, &File{
				Path: path, Agent: f.Agent, Change: Refused, Rules: []string{}, Losses: []string{}, forgotten: true,
				Why: "no rule becomes this file any longer; it was exported once and has no mark now, so it is a person's and stays",
			})
		}
		if planned[sameFile(path)] || !exported {
			continue
		}
		file := &File{Path: path, Agent: f.Agent, Change: Skipped, Rules: []string{}, Losses: []string{}, Why: "no rule becomes this file any longer; --prune removes it"}
		if !intact {
			file.Why = "no rule becomes this file any longer; it was edited since it was exported, so --prune leaves it"
		}
		switch {
		case kept(path):
			file.Why = "rules are taken from there, so it is not removed"
		case run.Prune: // one that was edited is refused when it is compared
			file.Change, file.Why = Removed, ""
			if f.several {
				file.inner = "\n"
			}
		}
		p.Files = append(p.Files, file)
	}
	return nil
}

// isFile tells whether there is a file.
func (p *Plan) isFile(path string) bool {
	info, err := p.tree.Stat(path)
	return err == nil && info.Kind == files.File
}

// candidate is a file that an agent's rules may have become once.
type candidate struct {
	Form
	several bool // rules stand beside each other in it, or in a section of it
}

// candidates are such files by their paths.
type candidates map[string]candidate

// owns tells whether a path is one that the form writes.
func (f *Form) owns(rel string) bool {
	switch {
	case f.skills.path != "" && strings.HasPrefix(rel, f.skills.path+"/") && strings.HasSuffix(rel, "/"+skill.FileName):
		return true
	case f.holdsSeveral(rel):
		return true
	}
	return !f.IsMemory() && strings.HasPrefix(rel, f.Path+"/") && strings.HasSuffix(rel, f.End)
}

// holdsSeveral tells whether rules stand beside each other in a file.
func (f *Form) holdsSeveral(rel string) bool {
	if f.IsMemory() {
		return rel == f.Path || strings.HasSuffix(rel, "/"+f.Path)
	}
	return slices.Contains(f.Memory, rel)
}

// markedBy finds the files that may have a mark: in a form's folder, its file or files of several rules, and among its skills.
func (p *Plan) markedBy(ctx context.Context, f Form, found candidates) error {
	several := f.Memory
	if f.IsMemory() {
		several = []string{f.Path}
	} else if err := p.markedIn(ctx, f.base, f.Path, f.End, func(path string) { found[path] = candidate{Form: f} }); err != nil {
		return err
	}
	for _, rel := range several {
		found[filepath.Join(f.base, filepath.FromSlash(rel))] = candidate{f, true}
	}
	if f.skills.path == "" {
		return nil
	}
	return p.markedIn(ctx, f.skills.base, f.skills.path, "/"+skill.FileName, func(path string) { found[path] = candidate{Form: f} })
}

// markedIn finds the files of a folder whose paths have an end.
func (p *Plan) markedIn(ctx context.Context, base, rel, end string, found func(path string)) error {
	folder := filepath.Join(base, filepath.FromSlash(rel))
	bounds := files.Below(p.tree, base)
	if info, _, err := files.StatWithin(p.tree, folder, bounds); err != nil || info.Kind != files.Folder {
		return nil //nolint:nilerr // what is not there, or leads out, holds nothing of ours
	}
	return files.Walk(ctx, p.tree, folder, files.WalkOptions{Within: &bounds, MaxDepth: files.RulesDepth, MaxEntries: files.RulesEntries}, func(s files.Step) error {
		if s.Err != nil || s.Info.Kind != files.File || s.Link {
			return nil //nolint:nilerr // it is not ours
		}
		if strings.HasSuffix(filepath.ToSlash(s.Path), end) {
			found(s.Path)
		}
		return nil
	})
}

// isExported tells whether a file, or a section of it, was exported, and whether it is as it was then.
func (p *Plan) isExported(path string, memory bool) (exported, intact bool) {
	bounds := files.Below(p.tree, p.folders.Root)
	if p.user {
		bounds = files.Below(p.tree, p.folders.Home, p.folders.Config)
	}
	data, _, err := files.ReadWithin(p.tree, path, bounds, maxFile)
	if err != nil {
		return false, false
	}
	if m, ok := mark.Find(string(data)); ok {
		return true, m.Intact
	}
	s, ok, err := mark.FindSection(string(data))
	return memory && ok && err == nil && !s.Fresh, s.Intact
}
