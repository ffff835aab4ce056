package revision

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/pertain-dev/pertain/internal/files"
)

// Store is the folder in which a machine keeps what it took of one namespace. Fleets that share its name are told apart by who signs for them: what one
// key has signed is never replaced by what another one did, so that who goes from one fleet to another and back finds what was there.
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
		k, ok := s.newest(tree, trust, c)
		if !ok {
			if len(trust.Keys) == 0 {
				return nil, ErrNoKeys
			}
			return nil, ErrSignature
		}
		found, err := s.open(ctx, tree, trust, k)
		if err == nil || try == 2 || !errors.Is(err, fs.ErrNotExist) {
			if errors.Is(err, fs.ErrNotExist) {
				err = fmt.Errorf("the copy of revision %d is not whole", k.Revision)
			}
			return found, err
		}
		// Another process may have taken the next revision and removed this one meanwhile.
	}
}

func (s Store) open(ctx context.Context, tree files.Tree, trust Trust, k kept) (*Copy, error) {
	sealed, err := s.sealed(tree, k)
	if err != nil {
		return nil, err
	}
	out := &Copy{Sealed: sealed, Dir: s.path(k.folder(), filesName), Taken: k.Taken}
	if out.Checked, err = trust.Check(out.Sealed); err != nil {
		return nil, err
	}
	if out.Revision != k.Revision {
		return nil, errors.New("the copy has another number than its manifest")
	}
	return out, out.compare(ctx, tree)
}

// sealed reads what was signed.
func (s Store) sealed(tree files.Tree, k kept) (Sealed, error) {
	within := files.Below(tree, s.Dir)
	manifest, _, err := files.ReadWithin(tree, s.path(k.folder(), manifestName), within, MaxManifest)
	if err != nil {
		return Sealed{}, err
	}
	if Sum(manifest) != k.Manifest {
		return Sealed{}, errors.New("the copy's manifest was changed")
	}
	signature, _, err := files.ReadWithin(tree, s.path(k.folder(), signatureName), within, maxSignature)
	return Sealed{Manifest: string(manifest), Signature: string(signature)}, err
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
	err := files.Walk(ctx, tree, c.Dir, files.WalkOptions{MaxDepth: maxDepth + 1, MaxEntries: maxEntries, Within: &within}, func(step files.Step) error {
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

func (c *Copy) path(f File) string { return files.Native().Join(c.Dir, f.Path) }

// File reads one file of the copy.
func (c *Copy) File(tree files.Tree, f File) ([]byte, error) {
	data, _, err := files.ReadWithin(tree, c.path(f), files.Below(tree, c.Dir), MaxFile)
	if err == nil && Sum(data) != f.Sum {
		err = fmt.Errorf("%s is not what was signed", f.Path)
	}
	return data, err
}
