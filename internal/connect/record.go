package connect

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path/filepath"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/writing"
)

// record is what was done to one settings file, in order. It holds what we inserted, and nothing of the user's.
type record struct {
	Path  string `json:"path"`
	Steps []step `json:"steps"`
}

// step is one change.
type step struct {
	Agent   string   `json:"agent"`
	Part    Part     `json:"part"`
	Before  string   `json:"before"` // a hash of the text; empty: there was no file
	After   string   `json:"after"`
	Splices []splice `json:"splices"`
	Folders []string `json:"folders,omitempty"` // that were made for it, the innermost first
	Kept    []string `json:"kept,omitempty"`    // entries that the file had before: they are the user's
}

// applied is the record without the steps at its end that were not done, or taken back since: the file has the text that was
// before them. A step is noted before it is done, so that whoever is ended in between loses nothing.
func (r record) applied(text string, exists bool) record {
	now := ""
	if exists {
		now = hash(text)
	}
	for len(r.Steps) > 0 {
		last := r.Steps[len(r.Steps)-1]
		if last.Before != now || last.After == now {
			break
		}
		r.Steps = r.Steps[:len(r.Steps)-1]
	}
	return r
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// maxRecord is how much of a record is read, in bytes.
const maxRecord = 4 << 20

func recordPath(state, path string) string {
	return filepath.Join(state, "setup", hash(path)[:20]+".json")
}

// readRecord gives an empty record where there is none, or none that can be read.
func readRecord(state, path string) record {
	r := record{Path: path}
	if state == "" {
		return r
	}
	data, err := files.OS().ReadFile(recordPath(state, path), maxRecord)
	if err != nil || json.Unmarshal(data, &r) != nil || r.Path != path {
		return record{Path: path}
	}
	return r
}

func writeRecord(ctx context.Context, state string, r record) error {
	if state == "" {
		return nil
	}
	target, err := writing.OwnTarget(recordPath(state, r.Path))
	if err != nil {
		return err
	}
	if len(r.Steps) == 0 {
		return target.Remove()
	}
	if err := target.MakeFolder(0o700); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return target.Write(append(data, '\n'), 0o600)
}
