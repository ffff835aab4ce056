//go:build !linux

package menu

import (
	"context"
	"errors"
)

// Notify shows a message for a moment. Only desktops of Linux are known here.
func (d Desk) Notify(context.Context, string, string) error {
	return errors.New("this system's messages are not supported")
}
