package writing

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/pertain-dev/pertain/internal/files"
)

// JSONFile is a file of Pertain's own, which people may read and several processes change, one after the other. A file that
// cannot be understood is an error, and is never overwritten.
type JSONFile[T any] struct {
	Path    string        // absolute
	Limit   int64         // bytes that are read
	Newest  int           // the version that is written, and the newest that is understood
	Version func(*T) *int // where a value has its version
	Command string        // what writes the file, as in `pertain ask`
	Remedy  string        // what deleting the file leads to, as in "and agree again"
}

// CorruptError says that a [JSONFile] cannot be understood.
type CorruptError struct {
	Reason  string // why, in words that may follow the file's name in parentheses
	message string
}

func (e *CorruptError) Error() string { return e.message }

// Read is what the file holds; without a file, nothing in the newest version. What cannot be understood is a [*CorruptError].
func (f JSONFile[T]) Read() (T, error) {
	var nothing T
	*f.Version(&nothing) = f.Newest
	data, err := files.OS().ReadFile(f.Path, f.Limit)
	if errors.Is(err, fs.ErrNotExist) {
		return nothing, nil
	}
	if err != nil {
		return nothing, err
	}
	value, err := f.parse(data)
	if err != nil {
		return nothing, err
	}
	return value, nil
}

// parse reads the text of the file. The error is a [*CorruptError].
func (f JSONFile[T]) parse(data []byte) (T, error) {
	var value T
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(&value)
	foreign := fmt.Sprintf("%s is not the JSON that `%s` writes: repair it, or delete it %s", f.Path, f.Command, f.Remedy)
	switch version := *f.Version(&value); {
	case err != nil || version < 1:
		return value, &CorruptError{"it is not the JSON that `" + f.Command + "` writes", foreign}
	case version > f.Newest:
		newer := fmt.Sprintf("%s was written by a newer version of Pertain: use that, or delete the file %s", f.Path, f.Remedy)
		return value, &CorruptError{"a newer version of Pertain wrote it", newer}
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) { // which writing the value back would lose
		return value, &CorruptError{"something follows its end", foreign}
	}
	return value, nil
}

// Change writes what becomes of the value, in the newest version, if do says that anything has. Two calls at once do not lose what
// one of them did: the value is read inside of the lock.
func (f JSONFile[T]) Change(ctx context.Context, do func(*T) (changed bool)) error {
	target, unlock, err := LockOwn(ctx, f.Path)
	if err != nil {
		return err
	}
	defer unlock()
	value, err := f.Read()
	if err != nil || !do(&value) {
		return err
	}
	*f.Version(&value) = f.Newest
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false) // people read the file
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(value); err != nil {
		return err
	}
	return target.Write(b.Bytes(), 0o600)
}
