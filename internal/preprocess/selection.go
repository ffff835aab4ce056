package preprocess

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/discover/secret"
	"github.com/pertain-dev/pertain/internal/fileerror"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/plan"
)

// Limits of what is read of the selected files.
const (
	maxFileBytes  = 128 << 10 // of one file
	maxTotalBytes = 512 << 10 // of all files together
	maxFiles      = 100       // that are looked at
)

// Selection is file-manager-selection: the paths of what is selected in the file
// manager, and the text of those selected files that are text. Only what is
// selected itself is opened: a link is not followed, a folder not entered.
type Selection struct {
	Within string // folder that files must be in to be read; empty: they may be anywhere

	// Strange: somebody whom the user does not trust says what is selected. What looks like a secret of whoever works there is not read.
	Strange bool
	Home    string // the user's; empty: there is none
}

// Info is the row of the table.
func (Selection) Info() plan.Info {
	info, _ := plan.BuiltinInfo(plan.FileManagerSelection)
	return info
}

const selectionItems = "extra.file_manager.selection.items"

// Process reads the files. What cannot be read is named with the reason: the
// user selected it and should see that it was not taken.
func (s Selection) Process(ctx context.Context, in plan.Execution) ([]plan.Variable, error) {
	row, _ := facts.Lookup(selectionItems)
	items := in.Snapshot.At(row)
	switch items.Kind() {
	case facts.Array:
	case facts.Absent:
		return nil, plan.Lacking(in.Snapshot, selectionItems, "nothing is known of a selection in the file manager")
	default:
		return nil, &plan.Failure{Path: selectionItems, Reason: "`" + selectionItems + "` is " + items.Kind().String() + ", not an array"}
	}
	var paths []string
	var blocks []string
	total, looked := 0, 0
	for _, item := range items.Items() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		path := item.Field("path").Text()
		if path == "" {
			continue // a virtual item has none
		}
		paths = append(paths, path)
		if looked++; looked > maxFiles {
			continue
		}
		kind := item.Field("kind").Text()
		text, note := s.read(path, kind, min(maxFileBytes, maxTotalBytes-total))
		total += len(text)
		block := "==> " + path + " <=="
		if text != "" {
			block += "\n" + strings.TrimSuffix(text, "\n")
		}
		if note != "" {
			block += "\n(" + note + ")"
		}
		blocks = append(blocks, block)
	}
	if len(paths) == 0 && in.Strategy.Provider == "builtin" { // as with an empty text: of nothing there is nothing to tell
		return nil, &plan.Failure{Code: diag.PreprocessorContextMissing, Path: selectionItems, Reason: "no file is selected in the file manager"}
	}
	if looked > maxFiles {
		blocks = append(blocks, fmt.Sprintf("(%d more files are selected; only the first %d were looked at)", looked-maxFiles, maxFiles))
	}
	return []plan.Variable{
		{Name: "preprocess.file_manager.selection.paths", Value: facts.Texts(paths...)},
		{Name: "preprocess.file_manager.selection.text", Value: facts.Text(strings.Join(blocks, "\n\n"))},
	}, nil
}

// read returns the text of a file, and a note on what was left out.
func (s Selection) read(path, kind string, limit int) (text, note string) {
	switch {
	case kind == "folder":
		return "", "a folder; what is in it was not read"
	case kind == "virtual":
		return "", "not a file on this machine"
	case !filepath.IsAbs(path):
		return "", "not read: the path is not absolute"
	case limit <= 0:
		return "", fmt.Sprintf("not read: the files before it have %d bytes already", maxTotalBytes)
	}
	data, size, err := s.readRegular(path, limit)
	if err != nil {
		return "", "not read: " + fileerror.Reason(err)
	}
	text, ok := decodeText(data, size > int64(len(data)))
	if !ok {
		return "", fmt.Sprintf("not read: not text, %d bytes", size)
	}
	if size > int64(len(data)) {
		return text, fmt.Sprintf("cut after %d of %d bytes", len(data), size)
	}
	if text == "" {
		return "", "empty"
	}
	return text, ""
}

var (
	errOutside = errors.New("it is outside of the workspace")
	errLink    = errors.New("it is a link to another file")
	errFolder  = errors.New("it is a folder")
	errSpecial = errors.New("it is not a regular file")
	errSystem  = errors.New("it lies below /proc or /dev")
	errSecret  = errors.New("it looks like a secret, and the workspace is not trusted")
)

// readRegular reads the beginning of a regular file. The name itself must be the
// file: it is opened once, and what was opened must be where the name says.
func (s Selection) readRegular(path string, limit int) (data []byte, size int64, err error) {
	if s.Strange && isSystem(path) {
		return nil, 0, errSystem
	}
	tree := files.OS()
	folder, err := tree.RealPath(filepath.Dir(path))
	if err != nil {
		return nil, 0, err
	}
	if s.Within != "" && !files.Below(tree, s.Within).Hold(tree.Flavor(), folder) {
		return nil, 0, errOutside
	}
	name := filepath.Join(folder, filepath.Base(path))
	o, err := tree.Open(name, files.BelowReal(folder))
	if outside := (*files.OutsideError)(nil); errors.As(err, &outside) {
		return nil, 0, errLink
	}
	if err != nil {
		return nil, 0, err
	}
	defer o.Close()
	flavor, info := tree.Flavor(), o.Info()
	switch {
	case flavor.Key(o.Real()) != flavor.Key(name):
		return nil, 0, errLink
	case info.Kind == files.Folder:
		return nil, 0, errFolder
	case info.Kind != files.File:
		return nil, 0, errSpecial
	case s.Strange && s.ground().Looks(o.Real()):
		return nil, 0, errSecret
	}
	data, err = o.Append(nil, int64(limit))
	if err != nil {
		return nil, 0, err
	}
	if s.Strange && s.ground().Holds(o.Real(), data) {
		return nil, 0, errSecret
	}
	return data, max(info.Size, int64(len(data))), nil
}

// ground is where the files of whoever says what is selected lie.
func (s Selection) ground() secret.Ground {
	tree := files.OS()
	real := func(folder string) string {
		if found, err := tree.RealPath(folder); folder != "" && err == nil {
			return found
		}
		return folder
	}
	return secret.Ground{Tree: tree, Folder: real(s.Within), Home: real(s.Home)}
}

// isSystem tells whether a path is one of the system about processes and devices: it leads to another file in each process.
func isSystem(path string) bool {
	path = filepath.ToSlash(filepath.Clean(path))
	return slices.ContainsFunc([]string{"/proc", "/dev"}, func(folder string) bool { return path == folder || strings.HasPrefix(path, folder+"/") })
}
