package fleet

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"

	"github.com/pertain-dev/pertain/internal/files"
)

// maxCA is how much of a file of certificates is read, in bytes.
const maxCA = 1 << 20

// Fleet is a connection that is made when it is first needed, and kept. It is safe for several goroutines. Who makes one closes it.
type Fleet struct {
	config Config
	limits Limits

	dialing chan struct{} // holds one token: who takes it dials, the others wait with their own context
	mu      sync.Mutex
	conn    *nats.Conn
	stream  jetstream.JetStream
	closed  bool
	failed  error // of the last try
	retry   time.Time

	silence silence
}

// New makes a fleet without reaching for it: no connection, no goroutine.
func New(config Config) *Fleet {
	f := &Fleet{config: config, limits: config.Limits.filled(), dialing: make(chan struct{}, 1)}
	f.dialing <- struct{}{}
	return f
}

// Config is what the fleet was made with.
func (f *Fleet) Config() Config { return f.config }

// ErrClosed says that a fleet was used after Close.
var ErrClosed = errors.New("the connection to the fleet was closed")

// JetStream is the connection. The first call dials, for at most [Limits.Dial] a server; one that failed is tried again by the next call.
// Once there is a connection, the client keeps it alive by itself, and calls on it fail while the servers are away.
func (f *Fleet) JetStream(ctx context.Context) (jetstream.JetStream, error) {
	if js, err := f.have(); js != nil || err != nil {
		return js, err
	}
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-f.dialing:
	}
	// The dial itself knows no context: who must not wait goes, and the next call finds what became of it.
	done := make(chan struct{})
	go func() {
		defer func() { f.dialing <- struct{}{}; close(done) }()
		if js, err := f.have(); js != nil || err != nil {
			return // somebody was first
		}
		f.keep(f.dial())
	}()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-done:
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return nil, ErrClosed
	}
	return f.stream, f.failed
}

// Connected tells whether a server answers now; nothing is dialled.
func (f *Fleet) Connected() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.conn != nil && f.conn.IsConnected()
}

// Server is the address of the server that is spoken to, or empty.
func (f *Fleet) Server() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.conn == nil {
		return ""
	}
	return f.conn.ConnectedUrlRedacted()
}

// statuses tells when the connection is lost and when there is one again, until it is told to stop. nil: there never was one.
func (f *Fleet) statuses() (changes <-chan nats.Status, stop func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.conn == nil {
		return nil, func() {}
	}
	conn, all := f.conn, f.conn.StatusChanged(nats.RECONNECTING, nats.CONNECTED)
	return all, func() { conn.RemoveStatusListener(all) }
}

// have is the connection if there is one; both nil: somebody must dial.
func (f *Fleet) have() (jetstream.JetStream, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.closed:
		return nil, ErrClosed
	case f.stream != nil:
		return f.stream, nil
	case time.Now().Before(f.retry): // a server that is away is not dialled for each of many questions
		return nil, f.failed
	}
	return nil, nil
}

// retryAfter is how long after a failed try the next one comes at the earliest.
const retryAfter = 250 * time.Millisecond

func (f *Fleet) keep(conn *nats.Conn, js jetstream.JetStream, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err != nil {
		f.failed, f.retry = err, time.Now().Add(retryAfter)
		return
	}
	if f.closed {
		conn.Close()
		return
	}
	f.conn, f.stream, f.failed = conn, js, nil
}

// Close ends the connection and everything that hangs on it.
func (f *Fleet) Close() {
	f.mu.Lock()
	conn := f.conn
	f.closed, f.conn, f.stream = true, nil, nil
	f.mu.Unlock()
	if conn != nil {
		conn.Close()
	}
}

func (f *Fleet) dial() (*nats.Conn, jetstream.JetStream, error) {
	options, err := f.options()
	if err != nil {
		return nil, nil, err
	}
	conn, err := nats.Connect(strings.Join(f.config.URLs, ","), options...)
	if err != nil {
		return nil, nil, fmt.Errorf("cannot reach the fleet at %s: %w", strings.Join(f.config.URLs, ", "), err)
	}
	js, err := jetstream.New(conn, jetstream.WithDefaultTimeout(f.limits.Ask))
	if err != nil {
		conn.Close()
		return nil, nil, err
	}
	return conn, js, nil
}

func (f *Fleet) options() ([]nats.Option, error) {
	name := f.config.Name
	if name == "" {
		name = "pertain"
	}
	options := []nats.Option{
		nats.Name(name),
		nats.Timeout(f.limits.Dial),
		nats.CustomInboxPrefix("_INBOX_" + f.config.member()), // so that servers can keep answers to one member from others
		nats.MaxReconnects(-1),
		nats.ReconnectWait(200 * time.Millisecond),
		nats.ReconnectJitter(200*time.Millisecond, time.Second),
		nats.PingInterval(10 * time.Second), // a cut cable is noticed after two of them
		nats.MaxPingsOutstanding(2),
		nats.ReconnectBufSize(-1), // what cannot be sent now fails now: callers keep what was missed themselves
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { f.silence.refuse(time.Now(), err) }), // the default prints on standard error
	}
	if f.config.CA != "" {
		config, err := trusting(f.config.CA)
		if err != nil {
			return nil, err
		}
		options = append(options, nats.Secure(config))
	}
	if f.config.Credentials != "" {
		option, err := credentials(f.config.Credentials)
		if err != nil {
			return nil, err
		}
		options = append(options, option)
	}
	return options, nil
}

// trusting is TLS with certificates of a file.
func trusting(path string) (*tls.Config, error) {
	data, err := files.OS().ReadFile(path, maxCA)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(data) {
		return nil, fmt.Errorf("there is no certificate in %s, which `fleet.ca` names", path)
	}
	return &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}, nil
}

// credentials are read once now, so that a mistake is told as such, and again at each connection: files of credentials are renewed.
func credentials(path string) (nats.Option, error) {
	text, err := ReadSecret(path)
	if err != nil {
		return nil, err
	}
	if strings.HasPrefix(strings.TrimSpace(string(text)), "SU") {
		return seeded(path, text)
	}
	if _, err := nkeys.ParseDecoratedJWT(text); err != nil {
		return nil, noCredentials(path)
	}
	pair, err := nkeys.ParseDecoratedUserNKey(text)
	if err != nil {
		return nil, noCredentials(path)
	}
	pair.Wipe()
	return nats.UserJWT(
		func() (string, error) {
			text, err := ReadSecret(path)
			if err != nil {
				return "", err
			}
			return nkeys.ParseDecoratedJWT(text)
		},
		func(nonce []byte) ([]byte, error) { return sign(path, nonce) },
	), nil
}

// noCredentials says nothing of what is in the file.
func noCredentials(path string) error {
	return fmt.Errorf("%s holds neither NATS credentials nor the seed of a user's nkey", path)
}

func seeded(path string, text []byte) (nats.Option, error) {
	pair, err := nkeys.FromSeed([]byte(strings.TrimSpace(string(text))))
	if err != nil {
		return nil, noCredentials(path)
	}
	defer pair.Wipe()
	public, err := pair.PublicKey()
	if err != nil {
		return nil, noCredentials(path)
	}
	return nats.Nkey(public, func(nonce []byte) ([]byte, error) { return sign(path, nonce) }), nil
}

func sign(path string, nonce []byte) ([]byte, error) {
	text, err := ReadSecret(path)
	if err != nil {
		return nil, err
	}
	pair, err := nkeys.ParseDecoratedNKey(text)
	if err != nil {
		if pair, err = nkeys.FromSeed([]byte(strings.TrimSpace(string(text)))); err != nil {
			return nil, noCredentials(path)
		}
	}
	defer pair.Wipe()
	return pair.Sign(nonce)
}
