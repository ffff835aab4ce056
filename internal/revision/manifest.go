package revision

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Bounds on what a revision may hold. A value of NATS has at most 1 MiB, so that a file and a manifest fit into one each.
const (
	MaxFiles    = 2_000
	MaxFile     = 512 << 10 // bytes
	MaxBytes    = 16 << 20  // of all files
	MaxManifest = 768 << 10 // bytes
	maxNumber   = 1 << 40
	maxText     = 200 // bytes of who and why
)

// kind tells a manifest from whatever else a key has signed.
const kind = "pertain.fleet.revision"

// Manifest is what is signed. It is kept as the bytes that were.
type Manifest struct {
	Kind      string    `json:"kind"`
	Format    int       `json:"format"`
	Namespace string    `json:"namespace"`
	Revision  int64     `json:"revision"`           // greater than that of every revision before, also when an older content comes back
	Parent    string    `json:"parent,omitempty"`   // sum of the manifest that it replaced; empty: it is the first
	Rollback  int64     `json:"rollback,omitempty"` // the revision whose content this is; 0: content of its own
	Author    string    `json:"author"`
	Time      time.Time `json:"time"`
	Message   string    `json:"message,omitempty"`
	Files     []File    `json:"files"` // sorted by path
}

// File is one file of a revision.
type File struct {
	Path string `json:"path"` // with slashes; below one of [Folders]
	Size int    `json:"size"` // bytes
	Sum  string `json:"sha256"`
}

// Sum is the name of some content.
func Sum(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// IsSum tells whether a text has the form of one.
func IsSum(text string) bool {
	return len(text) == 2*sha256.Size && strings.Trim(text, "0123456789abcdef") == ""
}

// Encode gives the bytes that are signed.
func (m *Manifest) Encode() ([]byte, error) {
	m.Kind, m.Format = kind, 1
	if m.Files == nil {
		m.Files = []File{}
	}
	if err := m.check(); err != nil {
		return nil, err
	}
	data, err := json.Marshal(m)
	if err == nil && len(data) > MaxManifest {
		err = fmt.Errorf("the list of files has more than %d KiB", MaxManifest>>10)
	}
	return data, err
}

// decode reads a manifest whose signature was checked. Who signed it may be mistaken all the same, or have another idea of paths.
func decode(data []byte) (*Manifest, error) {
	m := &Manifest{}
	if err := json.Unmarshal(data, m); err != nil {
		return nil, errors.New("the manifest is no JSON of the right form")
	}
	return m, m.check()
}

func (m *Manifest) check() error {
	switch {
	case m.Kind != kind:
		return errors.New("what was signed is no revision of a fleet")
	case m.Format != 1:
		return fmt.Errorf("the revision has the format %d, which a newer version of pertain knows", m.Format)
	case m.Revision < 1 || m.Revision > maxNumber:
		return errors.New("the number of the revision is out of bounds")
	case m.Parent != "" && !IsSum(m.Parent):
		return errors.New("the parent of the revision is no sum")
	case m.Rollback < 0 || m.Rollback >= m.Revision:
		return errors.New("the revision goes back to one that is not before it")
	case len(m.Author) > maxText || len(m.Message) > maxText:
		return fmt.Errorf("who pushed it, or why, has more than %d bytes", maxText)
	case len(m.Files) > MaxFiles:
		return fmt.Errorf("the revision has %d files; at most %d are taken", len(m.Files), MaxFiles)
	}
	return checkFiles(m.Files)
}

func checkFiles(all []File) error {
	total := 0
	folded := make(map[string]bool, len(all))
	for i, f := range all {
		switch err := CheckPath(f.Path); {
		case err != nil:
			return err
		case f.Size < 0 || f.Size > MaxFile:
			return fmt.Errorf("%s has more than %d KiB", f.Path, MaxFile>>10)
		case !IsSum(f.Sum):
			return fmt.Errorf("%s has no sum", f.Path)
		case i > 0 && all[i-1].Path >= f.Path:
			return errors.New("the files of the revision are not in order")
		}
		if total += f.Size; total > MaxBytes {
			return fmt.Errorf("the files of the revision have more than %d MiB", MaxBytes>>20)
		}
		folded[fold(f.Path)] = true
	}
	if len(folded) != len(all) {
		return errors.New("two files of the revision differ in the case of their names alone, which not every disk can hold")
	}
	for _, f := range all { // a file that is a folder of another
		for i := range f.Path {
			if f.Path[i] == '/' && folded[fold(f.Path[:i])] {
				return fmt.Errorf("%s would be in a folder that is a file", f.Path)
			}
		}
	}
	return nil
}

// Sorted puts files in the order of a manifest.
func Sorted(all []File) []File {
	slices.SortFunc(all, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return all
}
