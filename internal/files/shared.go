package files

import (
	"context"

	"github.com/fsnotify/fsnotify"
)

// Share makes every [Watch] with the returned context, or one made of it, use one watcher of the system. Linux gives a user few of
// them (128, for all programs together), and a server follows many folders for many clients. Elsewhere it changes nothing.
func Share(ctx context.Context) context.Context {
	if ctx.Value(sharedKey{}) != nil {
		return ctx
	}
	return context.WithValue(ctx, sharedKey{}, newSharedNotify())
}

type sharedKey struct{}

// notifier tells a watcher what happens in folders, not below them. Its fields are those of [fsnotify.Watcher].
type notifier struct {
	Events <-chan fsnotify.Event
	Errors chan error
	Add    func(folder string) error
	Remove func(folder string) error
	Close  func() error
}

// openNotifier is the system's own, or a part of the one that ctx shares.
func openNotifier(ctx context.Context) (*notifier, error) {
	if s, ok := ctx.Value(sharedKey{}).(*sharedNotify); ok {
		return s.open()
	}
	return ownNotifier()
}

func ownNotifier() (*notifier, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	return &notifier{w.Events, w.Errors, w.Add, w.Remove, w.Close}, nil
}
