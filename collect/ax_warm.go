package collect

import "github.com/pertain-dev/pertain/collect/internal/uitree"

// axWarm is the tree of the window in front, kept while the desktop is watched.
type axWarm = uitree.Kept[axKey]
