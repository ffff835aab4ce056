package repository

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Marks change whenever another branch is checked out, and with what git writes at a commit or notes of
// the files: they are what the system tells of the files in which [Repository.HasChanges] begins. Finding
// them costs some calls of the system, however large the repository is. That files of the work tree are
// others does not show.
func (r *Repository) Marks() string {
	var marks strings.Builder
	mark := func(path string) {
		info, err := os.Stat(path)
		switch {
		case err != nil:
			marks.WriteString("-\x00")
		case info.IsDir(): // that it is there: what is in it comes and goes all the time
			marks.WriteString("/\x00")
		default:
			changed, inode, _ := identity(info)
			fmt.Fprintf(&marks, "%v %d %d %d %d\x00", info.Mode(), info.Size(), info.ModTime().UnixNano(), changed, inode)
		}
	}
	ref, object, err := r.head()
	fmt.Fprintf(&marks, "%s %s %x %v\x00", r.Folder, ref, object, err)
	mark(filepath.Join(r.Folder, "HEAD"))
	mark(filepath.Join(r.Folder, "index"))
	for _, name := range []string{"objects", "refs", "reftable", "packed-refs", "config", "info/exclude", "info/attributes", "objects/info/alternates"} {
		mark(filepath.Join(r.Common, filepath.FromSlash(name)))
	}
	if ref != "" {
		mark(filepath.Join(r.Common, filepath.FromSlash(ref)))
	}
	return marks.String()
}
