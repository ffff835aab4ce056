package revision

import (
	"context"
	"errors"
	"fmt"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/writing"
)

// ErrLacking says that a file of a revision is neither at hand nor in the copy of this machine.
var ErrLacking = errors.New("a file of the revision is missing, or is not what was signed")

// Listed are the sums of files that the copy in force should have. Nothing is checked, since Keep does that: it tells what need not be fetched. nil: there is no copy.
func (s Store) Listed(trust Trust) map[string]bool {
	tree := files.OS()
	c, err := s.readCurrent(tree)
	if err != nil {
		return nil
	}
	k, ok := s.newest(tree, trust, c)
	if !ok {
		return nil
	}
	sealed, err := s.sealed(tree, k)
	if err != nil {
		return nil
	}
	list, err := decode([]byte(sealed.Manifest))
	if err != nil {
		return nil
	}
	sums := make(map[string]bool, len(list.Files))
	for _, f := range list.Files {
		sums[f.Sum] = true
	}
	return sums
}

// put makes the folder of a revision. Who calls it holds the lock, so that the copy in force stays meanwhile.
func (s Store) put(ctx context.Context, trust Trust, folder string, shown *Checked, sealed Sealed, contents map[string][]byte) error {
	texts := map[string][]byte{manifestName: []byte(sealed.Manifest), signatureName: []byte(sealed.Signature)}
	var before *Copy
	var had map[string]File // by sums
	links, linked := map[string]string{}, map[string]File{}
	for _, f := range shown.Files {
		name := filesName + "/" + f.Path
		if data, ok := contents[f.Sum]; ok {
			if len(data) != f.Size || Sum(data) != f.Sum {
				return fmt.Errorf("%s: %w", f.Path, ErrLacking)
			}
			texts[name] = data
			continue
		}
		if had == nil {
			var err error
			if before, err = s.Open(ctx, files.OS(), trust); err != nil { // what is broken is no source of files
				return fmt.Errorf("%s: %w", f.Path, ErrLacking)
			}
			had = make(map[string]File, len(before.Files))
			for _, old := range before.Files {
				had[old.Sum] = old
			}
		}
		old, ok := had[f.Sum]
		if !ok {
			return fmt.Errorf("%s: %w", f.Path, ErrLacking)
		}
		links[name], linked[name] = before.path(old), old
	}
	err := writing.PutFolder(s.path(folder), texts, links)
	if err == nil || len(links) == 0 {
		return err
	}
	for name, old := range linked { // not every disk knows links
		data, err := before.File(files.OS(), old)
		if err != nil {
			return err
		}
		texts[name] = data
	}
	return writing.PutFolder(s.path(folder), texts, nil)
}
