package files

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
)

// Kept is a JSON file of Pertain's own, which people may read and several processes change, one after the other. A file that
// cannot be understood is an error, and is never overwritten.
type Kept[T any] struct {
	Path    string        // absolute
	Limit   int64         // bytes that are read
	Newest  int           // the version that is written, and the newest that is understood
	Version func(*T) *int // where a value has its version
	Command string        // what writes the file, as in `pertain ask`
	Remedy  string        // what deleting the file leads to, as in "and agree again"
}

// Read is what the file holds; without a file, nothing in the newest version.
func (k Kept[T]) Read() (T, error) {
	var nothing, value T
	*k.Version(&nothing) = k.Newest
	data, err := OS().ReadFile(k.Path, k.Limit)
	if errors.Is(err, fs.ErrNotExist) {
		return nothing, nil
	}
	if err != nil {
		return nothing, err
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&value); err != nil || *k.Version(&value) < 1 {
		return nothing, fmt.Errorf("%s is not the JSON that `%s` writes: repair it, or delete it %s", k.Path, k.Command, k.Remedy)
	}
	if *k.Version(&value) > k.Newest {
		return nothing, fmt.Errorf("%s was written by a newer version of Pertain: use that, or delete the file %s", k.Path, k.Remedy)
	}
	return value, nil
}

// Change writes what becomes of the value. Two calls at once do not lose what one of them did.
func (k Kept[T]) Change(ctx context.Context, do func(*T)) error {
	target, unlock, err := LockOwn(ctx, k.Path)
	if err != nil {
		return err
	}
	defer unlock()
	value, err := k.Read()
	if err != nil {
		return err
	}
	do(&value)
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false) // people read the file
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(value); err != nil {
		return err
	}
	return target.Write(b.Bytes(), 0o600)
}
