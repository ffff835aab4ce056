package collect

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/pertain-dev/pertain/facts"
)

// fileItem describes what a file manager shows under a name. What is not a file
// of the folder, such as an entry of the trash, has no path.
func fileItem(folder, name string) facts.Value {
	if folder == "" {
		return itemAt("", name)
	}
	return itemAt(filepath.Join(folder, name), name)
}

// inFolder tells whether a name is that of something in a folder.
func inFolder(folder, name string) bool {
	if folder == "" || name == "" || name == "." || name == ".." || strings.ContainsRune(name, '/') {
		return false
	}
	_, err := os.Lstat(filepath.Join(folder, name))
	return err == nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
