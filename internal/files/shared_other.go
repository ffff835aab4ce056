//go:build !linux

package files

// sharedNotify shares nothing: watchers are not scarce here.
type sharedNotify struct{}

func newSharedNotify() *sharedNotify { return &sharedNotify{} }

func (*sharedNotify) open() (*notifier, error) { return ownNotifier() }
