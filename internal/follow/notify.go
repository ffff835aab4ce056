package follow

import "context"

// Share makes every [Changes] with the returned context, or one made of it, use one watcher of the system. Linux gives a user few of
// them (128, for all programs together), and a server follows many folders for many clients. Elsewhere it changes nothing.
func Share(ctx context.Context) context.Context {
	if ctx.Value(sharedKey{}) != nil {
		return ctx
	}
	return context.WithValue(ctx, sharedKey{}, &notifySystem{})
}

type sharedKey struct{}

// mark is a folder or a file that is watched, as the system knows it: whatever its names are, and whatever becomes of them.
type mark int32

// interest is what is to be told of a folder that is marked: its own end, move and permissions, names in it that come and go, files
// in it that are written to; each with those before. Of a file, content is what is written to it.
type interest uint8

const (
	itself interest = iota
	names
	content
)

// hint is that something happened: to what is marked itself, or to a name in it.
type hint struct {
	mark  mark
	name  string // empty: to itself
	moved bool   // the name came or went; else it was written to, or its permissions are others
}

// notifier is what one follower has of the system's watcher. A hint that came too early to be told, because the follower was busy,
// is told as lost.
type notifier struct {
	hints <-chan hint
	lost  <-chan struct{}

	// add marks what is at a path now. What is marked already keeps its mark.
	add    func(path string, wanted interest) (mark, error)
	remove func(mark)
	close  func()
}

const behind = 512 // hints that a follower may be behind before it is told that some were lost

// openNotifier is a watcher of its own, or a part of the one that ctx shares.
func openNotifier(ctx context.Context) (*notifier, error) {
	if s, ok := ctx.Value(sharedKey{}).(*notifySystem); ok {
		return s.open()
	}
	return new(notifySystem).open()
}
