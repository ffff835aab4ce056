package repository

import (
	"bytes"
	"context"
	"fmt"
	"strings"
)

// tree is the name of the tree that a commit of the index would have.
func (x *index) tree(ctx context.Context) ([]byte, error) {
	name, rest, err := x.folderTree(ctx, x.entries, "")
	if err == nil && len(rest) > 0 {
		err = errBadIndex
	}
	return name, err
}

// folderTree is that of a folder, whose entries come first, and the entries
// after them. The order of an index is that of trees.
func (x *index) folderTree(ctx context.Context, entries []entry, prefix string) ([]byte, []entry, error) {
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	var body bytes.Buffer
	for len(entries) > 0 {
		e := &entries[0]
		inner, ok := strings.CutPrefix(e.path, prefix)
		if !ok {
			break
		}
		name, _, deeper := strings.Cut(inner, "/")
		switch {
		case e.kind() == modeFolder && len(name)+1 == len(inner):
			fmt.Fprintf(&body, "40000 %s\x00%s", name, e.object)
			entries = entries[1:]
		case deeper:
			below, rest, err := x.folderTree(ctx, entries, prefix+name+"/")
			if err != nil {
				return nil, nil, err
			}
			fmt.Fprintf(&body, "40000 %s\x00%s", name, below)
			entries = rest
		default:
			fmt.Fprintf(&body, "%o %s\x00%s", e.mode, name, e.object)
			entries = entries[1:]
		}
	}
	h := newHash(x.width)
	fmt.Fprintf(h, "tree %d\x00", body.Len())
	h.Write(body.Bytes())
	return h.Sum(nil), entries, nil
}
