package ax

import "github.com/pertain-dev/pertain/collect/internal/uitree"

// Kept is the tree of the window in front, kept while the desktop is watched.
type Kept = uitree.Kept[Key]
