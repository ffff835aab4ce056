package collect

import (
	"fmt"
	"path/filepath"

	"github.com/pertain-dev/pertain/collect/internal/filemanager"
	"github.com/pertain-dev/pertain/facts"
)

// axFinderAnswer is what the Finder says of its window in front.
type axFinderAnswer struct {
	Folder string // addresses
	Items  []struct{ URL, Name string }
	More   int // selected, but not described
}

// part makes the object extra.file_manager.
func (a axFinderAnswer) part() facts.Part {
	var fields []facts.Field
	if folder := axFilePath(a.Folder); folder != "" {
		fields = append(fields, filemanager.FolderField(folder, filepath.Base(folder)))
	}
	items := make([]facts.Value, 0, len(a.Items)+a.More)
	for _, item := range a.Items {
		path := axFilePath(item.URL)
		if item.Name == "" && path != "" {
			item.Name = filepath.Base(path)
		}
		items = append(items, filemanager.ItemAt(path, item.Name))
	}
	for range a.More {
		items = append(items, facts.Fields()) // it counts, and nothing else is known of it
	}
	fields = append(fields, filemanager.SelectionField(items))
	part := facts.Part{}.With("extra.file_manager", facts.Fields(fields...))
	part.Summary = map[string]string{"extra.file_manager": fmt.Sprintf("%d selected", len(items))}
	return part
}
