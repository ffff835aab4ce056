package strategy

import (
	"cmp"
	"context"

	"github.com/pertain-dev/pertain/diag"
)

// Provider finds strategy files in one source, such as a folder. Providers do not read conditions;
// they only say which files there are and what is in them.
type Provider interface {
	// ID is the namespace of the strategies: builtin, user, workspace, plugin.NAME.
	ID() string
	// Roots are the folders to watch for changes; none for what cannot change.
	Roots() []string
	// List returns all files in the order of [Entry.Compare]. Folders that do not exist are empty.
	List(ctx context.Context) ([]Entry, error)
	// Find returns the entry of one path that may have appeared since; ok is
	// false if the provider would not list it.
	Find(path string) (entry Entry, ok bool)
	// Read returns what is in a file.
	Read(ctx context.Context, entry Entry) ([]byte, error)
}

// Entry is one file of a provider.
type Entry struct {
	Name    string // absolute path, or what stands for it
	Origin  Origin
	Root    int    // which of the provider's folders it is in
	Problem string // not empty: why the file must not be read

	// Code is what kind of problem that is; empty: the file is no text that can be read.
	Code diag.Code
}

// Compare is the order of a provider's files: folder by folder, in byte order of
// the paths below.
func (e Entry) Compare(other Entry) int {
	return cmp.Or(cmp.Compare(e.Root, other.Root), cmp.Compare(e.Origin.Path, other.Origin.Path))
}
