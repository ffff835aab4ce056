package revision

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/pertain-dev/pertain/internal/files"
)

// Read lists what is in the [Folders] of a folder, and reads it: contents are by sum. Names that begin with a dot are left out; links, and what no machine
// would take, are refused.
func Read(ctx context.Context, tree files.Tree, dir string) (list []File, contents map[string][]byte, err error) {
	if info, err := tree.Stat(dir); err != nil || info.Kind != files.Folder {
		return nil, nil, fmt.Errorf("%s: there is no such folder", dir)
	}
	contents = map[string][]byte{}
	within := files.Below(tree, dir)
	total := 0
	for _, folder := range Folders() {
		options := files.WalkOptions{MaxDepth: maxDepth, MaxEntries: files.RulesEntries, Within: &within}
		err := files.Walk(ctx, tree, tree.Flavor().Join(dir, folder), options, func(step files.Step) error {
			path := folder + "/" + step.Rel
			hidden := strings.HasPrefix(tree.Flavor().Base(step.Path), ".") && step.Rel != "."
			switch {
			case hidden && step.Info.Kind == files.Folder:
				return files.ErrSkipFolder
			case hidden:
				return nil
			case step.Link:
				return fmt.Errorf("%s is a link: put the file itself there", path)
			case step.Err != nil:
				return fmt.Errorf("%s cannot be read: %w", path, step.Err)
			case step.Info.Kind == files.Folder:
				return nil
			case step.Info.Kind != files.File:
				return fmt.Errorf("%s is no regular file", path)
			}
			if err := CheckPath(path); err != nil {
				return err
			}
			data, _, err := files.ReadWithin(tree, step.Path, within, MaxFile)
			var large *files.TooLargeError
			switch {
			case errors.As(err, &large):
				return fmt.Errorf("%s has more than the %d KiB that a file of a fleet may have", path, MaxFile>>10)
			case err != nil:
				return fmt.Errorf("%s cannot be read: %w", path, err)
			}
			if total += len(data); total > MaxBytes {
				return fmt.Errorf("the files have more than the %d MiB that a revision may have", MaxBytes>>20)
			}
			sum := Sum(data)
			list, contents[sum] = append(list, File{Path: path, Size: len(data), Sum: sum}), data
			return nil
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, nil, err
		}
	}
	Sorted(list)
	if len(list) > MaxFiles {
		return nil, nil, fmt.Errorf("there are %d files; a revision has at most %d", len(list), MaxFiles)
	}
	return list, contents, checkFiles(list)
}
