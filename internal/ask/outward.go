package ask

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"syscall"
	"time"
)

// Why there is no answer, or no more of it.
var (
	errSilent     = errors.New("the upstream was silent for too long")
	errRedirect   = errors.New("the upstream redirects elsewhere")
	errElsewhere  = errors.New("the request is for another address")
	errUnfinished = errors.New("the upstream ended without the end of its answer")
	errForm       = errors.New("the upstream answers with something else")
	errNotHere    = errors.New("the address is not on this machine")
)

// outward asks the upstream, and nobody else.
type outward struct {
	upstream  Upstream
	transport *http.Transport

	mu    sync.Mutex
	fault error // why the last request has failed
}

// newOutward goes through the proxy that the environment names.
func newOutward(u Upstream) *outward {
	dialer := &net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}
	if u.URL.Scheme == "http" { // a name of this machine may still stand for another one
		dialer.ControlContext = func(_ context.Context, _, address string, _ syscall.RawConn) error {
			to, err := netip.ParseAddrPort(address)
			if err != nil || !to.Addr().Unmap().IsLoopback() {
				return errNotHere
			}
			return nil
		}
	}
	return &outward{upstream: u, transport: &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         dialer.DialContext,
		ForceAttemptHTTP2:   true,
		TLSHandshakeTimeout: 15 * time.Second,
		DisableCompression:  true, // what is compressed cannot be watched
	}}
}

// RoundTrip sends a request. Redirects are refused, not handed on.
func (o *outward) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme != o.upstream.URL.Scheme || r.URL.Host != o.upstream.URL.Host {
		return nil, o.failed(errElsewhere)
	}
	ctx, stop := context.WithCancelCause(r.Context())
	silence := time.AfterFunc(o.upstream.Silence, func() { stop(errSilent) })
	end := func() {
		silence.Stop()
		stop(nil)
	}
	response, err := o.transport.RoundTrip(r.WithContext(ctx))
	if err != nil {
		if cause := context.Cause(ctx); errors.Is(cause, errSilent) {
			err = cause
		}
		end()
		return nil, o.failed(err)
	}
	switch {
	case response.StatusCode >= 300 && response.StatusCode < 400:
		err = errRedirect
	case response.StatusCode == http.StatusOK && !isEvents(response.Header):
		err = errForm
	}
	if err != nil {
		_ = response.Body.Close()
		end()
		return nil, o.failed(err)
	}
	response.Body = &spoken{response.Body, o, ctx, silence, end}
	return response, nil
}

func (o *outward) failed(err error) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.fault = err
	return err
}

func (o *outward) why() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.fault
}

// spoken is a body that must not be silent for long.
type spoken struct {
	io.ReadCloser

	way     *outward
	ctx     context.Context
	silence *time.Timer
	end     func()
}

func (s *spoken) Read(p []byte) (int, error) {
	n, err := s.ReadCloser.Read(p)
	if n > 0 {
		s.silence.Reset(s.way.upstream.Silence)
	}
	if err != nil && errors.Is(context.Cause(s.ctx), errSilent) {
		err = s.way.failed(errSilent)
	}
	return n, err
}

func (s *spoken) Close() error {
	err := s.ReadCloser.Close()
	s.end()
	return err
}
