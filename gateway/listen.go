package gateway

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"time"
)

// drain is how long answers under way may take when the gateway ends.
const drain = 5 * time.Second

// Serve answers on a listener until ctx ends; then it lets answers finish for a moment.
func (g *Gateway) Serve(ctx context.Context, listener net.Listener) error {
	server := &http.Server{
		Handler:           g,
		ReadHeaderTimeout: 15 * time.Second,
		IdleTimeout:       5 * time.Minute,
		MaxHeaderBytes:    256 << 10,
		ErrorLog:          log.New(io.Discard, "", 0), // its lines quote what clients sent
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	var err error
	select {
	case <-ctx.Done():
	case err = <-failed:
	}
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), drain)
	defer cancel()
	if server.Shutdown(ending) != nil {
		_ = server.Close()
	}
	g.Close()
	if errors.Is(err, http.ErrServerClosed) {
		err = nil
	}
	return err
}
