package filemanager

import (
	"os"
	"path/filepath"

	"github.com/pertain-dev/pertain/facts"
)

// FolderField is the object current_folder of extra.file_manager.
func FolderField(path, name string) facts.Field {
	return facts.Field{Name: "current_folder", Value: facts.Fields(
		facts.Field{Name: "path", Value: facts.Text(path)},
		facts.Field{Name: "displayName", Value: facts.Text(name)},
	)}
}

// SelectionField is the object selection of extra.file_manager.
func SelectionField(items []facts.Value) facts.Field {
	return facts.Field{Name: "selection", Value: facts.Fields(facts.Field{Name: "items", Value: facts.List(items...)})}
}

// ItemAt describes a file; without a path, or where nothing is there, it is a
// virtual item.
func ItemAt(path, name string) facts.Value {
	fields := []facts.Field{{Name: "path"}, {Name: "displayName", Value: facts.Text(name)}, {Name: "kind", Value: facts.Text("virtual")}}
	info, err := os.Stat(path)
	if err != nil {
		info, err = os.Lstat(path) // a link to nothing is a file, too
	}
	if path == "" || err != nil {
		return facts.Fields(fields...)
	}
	fields[0].Value = facts.Text(path)
	switch {
	case info.IsDir():
		fields[2].Value = facts.Text("folder")
	case info.Mode().IsRegular() || info.Mode()&os.ModeSymlink != 0:
		fields[2].Value = facts.Text("file")
		fields = append(fields,
			facts.Field{Name: "extension", Value: facts.Text(filepath.Ext(path))},
			facts.Field{Name: "size", Value: facts.Num(float64(info.Size()))})
	default:
		fields[2].Value = facts.Text("unknown") // a device, a socket
	}
	return facts.Fields(fields...)
}
