package filemanager

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/pertain-dev/pertain/facts"
)

// finderAnswer is what the Finder says of its window in front.
type finderAnswer struct {
	Folder string // addresses
	Items  []struct{ URL, Name string }
	More   int // selected, but not described
}

// part makes the object extra.file_manager.
func (a finderAnswer) part() facts.Part {
	var fields []facts.Field
	if folder := finderPath(a.Folder); folder != "" {
		fields = append(fields, FolderField(folder, filepath.Base(folder)))
	}
	items := make([]facts.Value, 0, len(a.Items)+a.More)
	for _, item := range a.Items {
		path := finderPath(item.URL)
		if item.Name == "" && path != "" {
			item.Name = filepath.Base(path)
		}
		items = append(items, ItemAt(path, item.Name))
	}
	for range a.More {
		items = append(items, facts.Fields()) // it counts, and nothing else is known of it
	}
	fields = append(fields, SelectionField(items))
	part := facts.Part{}.With("extra.file_manager", facts.Fields(fields...))
	part.Summary = map[string]string{"extra.file_manager": fmt.Sprintf("%d selected", len(items))}
	return part
}

// finderPath is the path that the address of a file means; "" if it is none.
func finderPath(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" || !strings.HasPrefix(u.Path, "/") {
		return ""
	}
	if path := strings.TrimRight(u.Path, "/"); path != "" {
		return path
	}
	return "/"
}
