package revision

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/pertain-dev/pertain/internal/files"
)

// Store is the folder in which a machine keeps what it took of one namespace.
type Store struct{ Dir string } // absolute

// In is the store of a namespace in the state folder.
func In(state, namespace string) Store {
	return Store{Dir: files.Native().Join(state, "revisions", namespace)}
}

// Names in a store.
const (
	currentName   = "current.json"
	checkedName   = "checked.json"
	manifestName  = "manifest.json"
	signatureName = "manifest.json.minisig"
	filesName     = "files"
)

// maxCurrent is how much of the small files is read, in bytes.
const maxCurrent = 64 << 10

// current says which revision is in force on this machine.
type current struct {
	Revision int64     `json:"revision"`
	Manifest string    `json:"manifest"` // sum
	Taken    time.Time `json:"taken"`
	// Seen is the greatest number that each key has signed, as far as this machine knows: what is not greater is old, whoever shows it again. A key that
	// the user no longer lists does not count, so that one that was stolen cannot use up all numbers.
	Seen map[string]int64 `json:"seen"`
}

// folder is where a revision is.
func (c *current) folder() string {
	return fmt.Sprintf("%d-%s", c.Revision, c.Manifest[:12])
}

func (s Store) path(parts ...string) string {
	return files.Native().Join(append([]string{s.Dir}, parts...)...)
}

// Copy is a revision on this machine's disk, checked.
type Copy struct {
	*Checked
	Sealed Sealed
	Dir    string    // holds the files, below [Folders]
	Taken  time.Time // when this machine took it
}

// Folder is where files of one of [Folders] are.
func (c *Copy) Folder(name string) string { return files.Native().Join(c.Dir, name) }

// Open reads the copy and checks it: the signature, and every file. fs.ErrNotExist: there is none. Any other error means that what is there must not be
// used. Reads are noted by the tree, so that who follows them sees the next revision.
func (s Store) Open(ctx context.Context, tree files.Tree, trust Trust) (*Copy, error) {
	for try := 0; ; try++ {
		c, err := s.readCurrent(tree)
		if err != nil {
			return nil, err
		}
		found, err := s.open(ctx, tree, trust, c)
		if err == nil || try == 2 || !errors.Is(err, fs.ErrNotExist) {
			if errors.Is(err, fs.ErrNotExist) {
				err = fmt.Errorf("the copy of revision %d is not whole", c.Revision)
			}
			return found, err
		}
		// Another process may have taken the next revision and removed this one meanwhile.
	}
}

func (s Store) readCurrent(tree files.Tree) (*current, error) {
	data, _, err := files.ReadWithin(tree, s.path(currentName), files.Below(tree, s.Dir), maxCurrent)
	if err != nil {
		if _, statErr := tree.Stat(s.Dir); errors.Is(statErr, fs.ErrNotExist) { // bounds of a folder that is not there hold nothing
			return nil, statErr
		}
		return nil, err
	}
	c := &current{}
	if err := json.Unmarshal(data, c); err != nil || !IsSum(c.Manifest) || c.Revision < 1 || c.Revision > maxNumber {
		return nil, fmt.Errorf("%s cannot be read as Pertain wrote it; remove it, and the next connection writes another", s.path(currentName))
	}
	return c, nil
}

func (s Store) open(ctx context.Context, tree files.Tree, trust Trust, c *current) (*Copy, error) {
	within := files.Below(tree, s.Dir)
	read := func(name string, limit int64) (string, error) {
		data, _, err := files.ReadWithin(tree, s.path(c.folder(), name), within, limit)
		return string(data), err
	}
	manifest, err := read(manifestName, MaxManifest)
	if err != nil {
		return nil, err
	}
	if Sum([]byte(manifest)) != c.Manifest {
		return nil, errors.New("the copy's manifest was changed")
	}
	signature, err := read(signatureName, maxSignature)
	if err != nil {
		return nil, err
	}
	out := &Copy{Sealed: Sealed{Manifest: manifest, Signature: signature}, Dir: s.path(c.folder(), filesName), Taken: c.Taken}
	if out.Checked, err = trust.Check(out.Sealed); err != nil {
		return nil, err
	}
	if out.Revision != c.Revision {
		return nil, errors.New("the copy has another number than its manifest")
	}
	return out, out.compare(ctx, tree)
}

// compare looks at every file on disk: those that are listed must be there as they were signed, and no other.
func (c *Copy) compare(ctx context.Context, tree files.Tree) error {
	within := files.Below(tree, c.Dir)
	if len(c.Files) == 0 {
		return nil
	}
	left := make(map[string]File, len(c.Files))
	for _, f := range c.Files {
		left[f.Path] = f
	}
	err := files.Walk(ctx, tree, c.Dir, files.WalkOptions{MaxDepth: maxDepth + 1, MaxEntries: 2*MaxFiles*maxDepth + 1, Within: &within}, func(step files.Step) error {
		switch {
		case step.Err != nil:
			return step.Err
		case step.Link:
			return fmt.Errorf("the copy of revision %d holds a link", c.Revision)
		case step.Info.Kind == files.Folder:
			return nil
		}
		f, ok := left[step.Rel]
		if !ok {
			return fmt.Errorf("the copy of revision %d holds a file that was not signed", c.Revision)
		}
		delete(left, step.Rel)
		data, _, err := files.ReadWithin(tree, step.Path, within, MaxFile)
		if err != nil {
			return err
		}
		if len(data) != f.Size || Sum(data) != f.Sum {
			return fmt.Errorf("%s of revision %d is not what was signed", f.Path, c.Revision)
		}
		return nil
	})
	if err == nil && len(left) > 0 {
		err = fmt.Errorf("the copy of revision %d is not whole", c.Revision)
	}
	return err
}

// File reads one file of the copy.
func (c *Copy) File(tree files.Tree, f File) ([]byte, error) {
	data, _, err := files.ReadWithin(tree, files.Native().Join(c.Dir, f.Path), files.Below(tree, c.Dir), MaxFile)
	if err == nil && Sum(data) != f.Sum {
		err = fmt.Errorf("%s is not what was signed", f.Path)
	}
	return data, err
}

// OldError says that a revision is not newer than one that this machine has seen.
type OldError struct{ Have, Shown int64 }

func (e *OldError) Error() string {
	if e.Have == e.Shown {
		return fmt.Sprintf("there are two revisions with the number %d; the one that is here stays", e.Have)
	}
	return fmt.Sprintf("revision %d is older than %d, which this machine has seen; going back needs a signed rollback", e.Shown, e.Have)
}

// Newest is the greatest number that this machine has seen of keys that are listed still, and the sum of the revision in force, if there is one.
func (s Store) Newest(trust Trust) (number int64, sum string) {
	c, err := s.readCurrent(files.OS())
	if err != nil {
		return 0, ""
	}
	for _, key := range trust.Keys {
		number = max(number, c.Seen[key.ID()])
	}
	return number, c.Manifest
}

// Wants tells whether a revision is one to take. same: it is the one in force. The error says why it must not be taken.
func (s Store) Wants(trust Trust, shown *Checked) (same bool, err error) {
	number, sum := s.Newest(trust)
	switch {
	case shown.Sum == sum:
		return true, nil
	case shown.Revision <= number:
		return false, &OldError{Have: number, Shown: shown.Revision}
	}
	return false, nil
}

// Keep puts a revision in force on this machine, whole: sealed was checked by trust, contents has every file of it by its sum. A revision that is not newer is
// refused with an [*OldError]; one that is there already is left.
func (s Store) Keep(ctx context.Context, trust Trust, sealed Sealed, contents map[string][]byte, now time.Time) error {
	shown, err := trust.Check(sealed)
	if err != nil {
		return err
	}
	texts := map[string][]byte{manifestName: []byte(sealed.Manifest), signatureName: []byte(sealed.Signature)}
	for _, f := range shown.Files {
		data, ok := contents[f.Sum]
		if !ok || len(data) != f.Size || Sum(data) != f.Sum {
			return fmt.Errorf("%s is missing, or is not what was signed", f.Path)
		}
		texts[filesName+"/"+f.Path] = data
	}
	target, unlock, err := files.LockOwn(ctx, s.path(currentName))
	if err != nil {
		return err
	}
	defer unlock()
	same, err := s.Wants(trust, shown)
	if err != nil {
		return err
	}
	if same {
		if _, err := s.Open(ctx, files.OS(), trust); err == nil {
			return nil // another process was first
		}
	}
	next := current{Revision: shown.Revision, Manifest: shown.Sum, Taken: now.UTC(), Seen: map[string]int64{}}
	keep := []string{next.folder()}
	if before, err := s.readCurrent(files.OS()); err == nil {
		for id, n := range before.Seen {
			next.Seen[id] = n
		}
		keep = append(keep, before.folder()) // who has just begun to read it may end
	}
	next.Seen[shown.KeyID] = max(next.Seen[shown.KeyID], shown.Revision)
	if err := files.PutFolder(s.path(next.folder()), texts); err != nil {
		return err
	}
	data, err := json.Marshal(next)
	if err != nil {
		return err
	}
	if err := target.Write(append(data, '\n'), 0o600); err != nil {
		return err
	}
	return files.RemoveFolders(s.Dir, func(name string) bool { return slices.Contains(keep, name) })
}

// checked says when the fleet was last asked, and what it said.
type checked struct {
	Time    time.Time `json:"time"`
	Refused string    `json:"refused,omitempty"`
}

// NoteChecked notes that the fleet answered, and why what it showed was not taken; empty: it was.
func (s Store) NoteChecked(ctx context.Context, now time.Time, refused string) error {
	target, unlock, err := files.LockOwn(ctx, s.path(checkedName))
	if err != nil {
		return err
	}
	defer unlock()
	data, err := json.Marshal(checked{Time: now.UTC(), Refused: refused})
	if err != nil {
		return err
	}
	return target.Write(append(data, '\n'), 0o600)
}

// LastChecked is when the fleet last answered, and why what it showed then was not taken. The zero time: never, as far as is known.
func (s Store) LastChecked() (at time.Time, refused string) {
	data, err := files.OS().ReadFile(s.path(checkedName), maxCurrent)
	if err != nil {
		return time.Time{}, ""
	}
	var c checked
	if json.Unmarshal(data, &c) != nil {
		return time.Time{}, ""
	}
	return c.Time, c.Refused
}
