package writing

import "errors"

// ErrSocketTaken says that another process holds the folder of a socket.
var ErrSocketTaken = errors.New("another process has the socket")
