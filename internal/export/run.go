package export

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/fileerror"
	"github.com/pertain-dev/pertain/internal/mark"
	"github.com/pertain-dev/pertain/internal/patch"
	"github.com/pertain-dev/pertain/internal/writing"
)

// Run says how files are written.
type Run struct {
	DryRun bool   // nothing is written
	Prune  bool   // files of these agents that were exported once, and are no longer, are removed
	Source Source // what the rules were taken from: nothing of it is removed
}

// maxFile is how large a file may be that is compared, in bytes.
const maxFile = 16 << 20

// write is one change of the disk.
type write struct {
	file   *File
	target writing.Target
	before []byte // what was there; nil: nothing
	after  []byte // nil: it is removed
}

// Do compares the plan with the disk and, unless it is a dry run, writes. What becomes of each file stands in it. The error is for
// cancellation and for the manifest, such as a [*ManifestError].
func (p *Plan) Do(ctx context.Context, run Run) error {
	manifest, err := p.readManifest()
	if err != nil {
		return err
	}
	if err := p.addStale(ctx, manifest, run); err != nil {
		return err
	}
	var writes []write
	first := map[string]string{} // files by where they really are
	for _, file := range p.Files {
		if file.Change == Skipped {
			continue
		}
		w, err := p.compare(file)
		if err == nil && w.after != nil {
			key := sameFile(w.target.Path())
			if other := first[key]; other != "" {
				err = fmt.Errorf("it is the same file as %s, by a link or by case", other)
			}
			first[key] = file.Path
		}
		if err != nil {
			file.refuse(err)
			continue
		}
		file.text = string(w.after)
		if file.Change != Unchanged {
			writes = append(writes, w)
		}
	}
	if run.DryRun {
		return nil
	}
	return p.write(ctx, manifest, writes)
}

func (f *File) refuse(err error) {
	f.Change, f.Why, f.Diff = Refused, reason(err), ""
}

// reason is an error in words for people, without the path, which is told beside it.
func reason(err error) string {
	var leaving *writing.LeavingError
	if errors.As(err, &leaving) {
		return leaving.Error()
	}
	return fileerror.Reason(err)
}

// compare decides what becomes of a file.
func (p *Plan) compare(file *File) (write, error) {
	target, err := p.target(file.Path)
	if err != nil {
		return write{}, err
	}
	w := write{file: file, target: target, after: []byte(file.text)}
	if file.Change == Removed {
		w.after = nil
	}
	before, err := target.Read(maxFile)
	switch {
	case errors.Is(err, fs.ErrNotExist) && file.Change == Removed:
		return w, errors.New("somebody removed it meanwhile")
	case errors.Is(err, fs.ErrNotExist):
		if _, gone := os.Lstat(file.Path); gone == nil {
			return w, errors.New("it is a link that leads nowhere")
		}
		if err := folderProblem(filepath.Dir(target.Path())); err != nil {
			return w, err
		}
		file.Change, file.Diff = Created, patch.Unified(p.name(file.Path), "", false, file.text)
		return w, nil
	case err != nil:
		return w, err
	case !utf8.Valid(before):
		return w, errors.New("it is not UTF-8, so a person wrote it")
	}
	w.before = before
	old := string(before)
	m, marked := mark.Find(old)
	switch {
	case marked && !m.Intact:
		return w, errors.New("it was edited since it was exported; move what was changed into its source and remove the file, or take its mark away and keep it")
	case !marked && file.inner == "":
		return w, errors.New("a person wrote it: it has no mark of `pertain export`; remove it, or `pertain import` it first")
	case !marked:
		section, err := inSection(old, file)
		if err != nil {
			return w, err
		}
		w.after = []byte(section)
	case file.Change == Removed:
		file.Diff = patch.Unified(p.name(file.Path), old, true, "")
		return w, nil
	}
	w.after = []byte(sameEnds(old, string(w.after)))
	file.Change = Changed
	if bytes.Equal(w.after, before) {
		file.Change = Unchanged
		return w, nil
	}
	file.Diff = patch.Unified(p.name(file.Path), old, true, string(w.after))
	return w, nil
}

// target is where a file is written: below the project no link may lead out of it; in the user's own folders links are the user's.
func (p *Plan) target(path string) (writing.Target, error) {
	if p.user {
		return writing.OwnTarget(path)
	}
	return writing.NamedTarget(path, p.folders.Root)
}

// folderProblem says why a folder cannot be made: something on the way is no folder.
func folderProblem(dir string) error {
	for at := dir; ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		if err == nil && !info.IsDir() {
			return fmt.Errorf("%s is a file, and a folder is needed there", filepath.Base(at))
		}
		if err == nil || filepath.Dir(at) == at {
			return nil
		}
	}
}

// inSection puts the rules between the two marks of a hand-written file.
func inSection(old string, file *File) (string, error) {
	s, ok, err := mark.FindSection(old)
	switch {
	case err != nil:
		return "", err
	case !ok:
		return "", errors.New("a person wrote it: write the lines `" + mark.Begin + "` and `" + mark.End + "` into it, one below the other, where the rules shall stand")
	case s.Fresh && strings.TrimSpace(s.Inner) != "":
		return "", errors.New("there are lines between its marks that a person wrote; move them out of there")
	case !s.Fresh && !s.Intact:
		return "", errors.New("its section was edited since it was exported; move what was changed into its source, and empty the section")
	case mark.HoldsMark(file.inner):
		return "", errors.New("a rule has a line that is a mark of such a section; it cannot stand in one")
	}
	section := s.Write(file.sources, file.inner+"\n")
	if file.Change == Removed {
		section = mark.Begin + "\n" + mark.End + "\n"
	}
	if !strings.HasSuffix(old[:s.Stop], "\n") { // the file ends in its mark, and so it does afterwards
		section = strings.TrimSuffix(section, "\n")
	}
	return old[:s.Start] + section + old[s.Stop:], nil
}

// sameEnds gives a text the line ends that the file has: version control may have changed them all.
func sameEnds(old, text string) string {
	if n := strings.Count(old, "\r\n"); n > 0 && n == strings.Count(old, "\n") {
		return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")
	}
	return text
}

// write changes the disk, file by file, each whole or not at all.
func (p *Plan) write(ctx context.Context, manifest manifest, writes []write) error {
	if err := p.writeManifest(manifest.with(p, false)); err != nil {
		return err
	}
	for _, w := range writes {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := w.do(); err != nil {
			w.file.refuse(err)
		}
	}
	return p.writeManifest(manifest.with(p, true))
}

// do writes or removes one file, unless somebody changed it meanwhile.
func (w write) do() error {
	if w.before == nil {
		if err := w.target.MakeFolder(0o755); err != nil {
			return err
		}
		err := w.target.Create(w.after, 0o644)
		if errors.Is(err, fs.ErrExist) {
			return errors.New("somebody made it meanwhile")
		}
		return err
	}
	if w.after == nil {
		return w.target.RemoveOnly(w.before)
	}
	return w.target.Replace(w.before, w.after)
}

// name is a file as a diff shows it.
func (p *Plan) name(path string) string {
	return sourceName(path, p.folders.Root, p.folders.Home)
}

// Changes tells whether something is, or would be, written or removed, and whether something was refused.
func (p *Plan) Changes() (changes, refusals bool) {
	for _, f := range p.Files {
		changes = changes || slices.Contains([]Change{Created, Changed, Removed}, f.Change)
		refusals = refusals || f.Change == Refused
	}
	return changes, refusals
}
