package gateway

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/pertain-dev/pertain/gateway/internal/jsontext"
	"github.com/pertain-dev/pertain/stream"
)

// exchange is one request of a client, and what it is answered with.
type exchange struct {
	gateway   *Gateway
	workspace *Workspace
	to        destination
	path      string // escaped
	w         http.ResponseWriter
	r         *http.Request

	holding holding

	body  []byte // as it is sent on
	ask   *asked // of body
	talk  talk
	steps []Step   // answers that were broken off
	texts []string // what the client has got of them
	heard []heard  // interruptions whose rules are not known to be heeded yet
	// reminders are what fired and went through, to be told with the next request.
	reminders   stream.Verdict
	reminding   reminding       // what they came to last
	interrupted []stream.Fired  // what has broken off answers, and was shown
	passed      map[string]bool // rules that fired and could not, by name
	others      int             // entries of the journal from rules that are not the user's own
}

// heard is an entry of the journal.
type heard struct{ entry, rule string }

func (x *exchange) ctx() context.Context { return x.r.Context() }

// fail answers with an error of the gateway's own.
func (x *exchange) fail(status int, code, why string) {
	x.gateway.seen.refused(code)
	fail(x.w, x.to.form, status, code, why)
}

func (x *exchange) serve() {
	if !x.reads() {
		return
	}
	response, stop, err := x.send() //nolint:bodyclose // stop closes it
	if err != nil {
		x.unreachable(err)
		return
	}
	defer stop()
	if x.ask == nil || !watched(response) {
		x.pass(response)
		return
	}
	live := x.gateway.seen.begin(x)
	defer x.ended(live)
	if x.ask.stream && labelled(response) || x.shape(response, x.ask.stream) != documentShape { // the first without waiting for it
		x.stream(response, stop)
		return
	}
	x.whole(response, stop)
}

// reads reads the request, and finds out what it asks and in which conversation; false: it was answered.
func (x *exchange) reads() bool {
	body, err := readBody(x.w, x.r, x.gateway.limits.Body, &x.holding)
	if err != nil {
		var large *http.MaxBytesError
		switch {
		case errors.Is(err, errBusy):
			x.busy()
		case errors.As(err, &large):
			x.fail(http.StatusRequestEntityTooLarge, "too_large", "the request is larger than "+strconv.FormatInt(x.gateway.limits.Body>>20, 10)+" MiB")
		default:
			x.fail(http.StatusBadRequest, "request", "the request cannot be read")
		}
		return false
	}
	x.body = body
	if x.to.api == nil {
		x.path = x.realAnswer(x.path)
	}
	if x.to.counts != nil {
		x.count()
	}
	if encoding := x.r.Header.Get("Content-Encoding"); x.to.api != nil && encoding != "" && !strings.EqualFold(encoding, "identity") {
		x.fail(http.StatusUnsupportedMediaType, "encoding", "the request is compressed in a way that is not known here; send it as it is, or with gzip or zstd")
		return false
	}
	if x.to.api != nil {
		if root, ok := jsontext.Parse(body); ok && root.Kind() == '{' {
			if x.ask = x.to.api.asks(root, plainPath(x.path)); x.ask != nil {
				x.converse()
			}
		}
	}
	return true
}

// ended is called when a request whose answer was watched is over.
func (x *exchange) ended(l *live) {
	x.gateway.seen.end(l)
	x.gateway.logger.Info("request", "api", l.API, "agent", l.Agent, "workspace", l.Workspace, "conversation", x.talk.id,
		"streamed", l.Streamed, "interrupted", len(x.steps), "ms", time.Since(l.Since).Milliseconds())
}

// readBody reads a request to its end before anything is answered: an answer that begins
// while the request is still being sent breaks off connections.
func readBody(w http.ResponseWriter, r *http.Request, limit int64, holding *holding) ([]byte, error) {
	var source io.Reader = http.MaxBytesReader(w, r.Body, limit)
	unpacked, err := unpack(r.Header.Get("Content-Encoding"), source)
	if err != nil {
		return nil, err
	}
	if unpacked != nil {
		defer func() { _ = unpacked.Close() }() // it was read
		r.Header.Del("Content-Encoding")
		source = io.LimitReader(unpacked, limit+1)
	}
	counted := &heldReader{Reader: source, holding: holding, weight: requestWeight}
	var b bytes.Buffer
	if n := r.ContentLength; n > 0 && n <= limit {
		if !holding.take(n * requestWeight) { // before there is memory for it
			return nil, errBusy
		}
		counted.left = n
		b.Grow(int(n) + bytes.MinRead)
	}
	source = counted
	if _, err := b.ReadFrom(source); err != nil {
		return nil, err
	}
	if int64(b.Len()) > limit {
		return nil, &http.MaxBytesError{Limit: limit}
	}
	return b.Bytes(), nil
}

// errEncoded says that an answer is compressed although nobody asked for that, or is written in characters that are not watched.
var errEncoded = errors.New("the upstream compresses its answers in a way that cannot be watched, or writes them in other characters")

// errRedirect says that an upstream sends the client elsewhere. Clients follow that by themselves: to another path of this gateway,
// which need not be watched, or past it.
var errRedirect = errors.New("the upstream sends clients to another address, where nobody would watch the answer")

// redirects tells whether clients go elsewhere for an answer.
func redirects(response *http.Response) bool {
	return response.StatusCode >= 300 && response.StatusCode <= 399 && response.Header.Get("Location") != ""
}

// send sends the request on. The answer ends with stop.
func (x *exchange) send() (_ *http.Response, stop context.CancelFunc, err error) {
	ctx, cancel := context.WithCancel(x.ctx())
	request, err := http.NewRequestWithContext(ctx, x.r.Method, x.to.upstream.at(x.path, x.r.URL.RawQuery).String(), bytes.NewReader(x.body))
	if err != nil {
		cancel()
		return nil, nil, err
	}
	if len(x.body) == 0 {
		request.Body = http.NoBody
	}
	request.Header = onward(x.r.Header)
	response, err := x.gateway.transport.RoundTrip(request)
	if err != nil {
		cancel()
		return nil, nil, err
	}
	end := func() {
		cancel()
		_ = response.Body.Close()
	}
	if x.ask != nil && redirects(response) {
		end()
		return nil, nil, errRedirect
	}
	switch packed(response.Header) {
	case "":
	case "gzip", "x-gzip":
		response.Header.Del("Content-Encoding")
		response.Body = &unpacking{source: response.Body, bounded: x.ask != nil && watched(response)}
	default:
		if x.ask != nil && watched(response) {
			end()
			return nil, nil, errEncoded
		}
	}
	if x.ask != nil && watched(response) && !readableCharset(response.Header) {
		end()
		return nil, nil, errEncoded
	}
	if x.ask != nil && watched(response) {
		response.Body = &lettered{ReadCloser: response.Body}
	}
	return response, end, nil
}

// watched tells whether what an upstream answers with is an answer of the model: clients read every success.
func watched(response *http.Response) bool {
	return response.StatusCode >= 200 && response.StatusCode <= 299 && response.StatusCode != http.StatusNoContent
}

// packed is how an answer is compressed, by all of what it says; "": it is not.
func packed(h http.Header) string {
	var ways []string
	for _, list := range h.Values("Content-Encoding") {
		for way := range strings.SplitSeq(list, ",") {
			if way = strings.ToLower(strings.TrimSpace(way)); way != "" && way != "identity" {
				ways = append(ways, way)
			}
		}
	}
	return strings.Join(ways, ",")
}

// readableCharset tells whether the letters of ASCII are what they are in the characters that an answer says it is written in:
// some clients believe it.
func readableCharset(h http.Header) bool {
	_, parameters, err := mime.ParseMediaType(h.Get("Content-Type"))
	charset := strings.ToLower(parameters["charset"])
	if err != nil || charset == "" {
		return true
	}
	for _, known := range []string{"utf-8", "utf8", "us-ascii", "ascii", "iso-8859-", "iso8859-", "latin", "windows-125"} {
		if strings.HasPrefix(charset, known) {
			return true
		}
	}
	return false
}

// lettered is a body that fails with errEncoded if its first bytes show that it is UTF-16 or UTF-32, whatever it says of itself:
// some clients go by them. JSON and events begin with two letters of ASCII, or with a mark (RFC 4627, section 3), so one of the first
// two bytes is zero there, or both are the mark; of UTF-8 neither can be.
type lettered struct {
	io.ReadCloser

	read  int // of these two bytes
	first byte
}

func (l *lettered) Read(p []byte) (int, error) {
	n, err := l.ReadCloser.Read(p)
	for i := 0; i < n && l.read < 2; i++ {
		if p[i] == 0 || l.read == 1 && (l.first == 0xFE && p[i] == 0xFF || l.first == 0xFF && p[i] == 0xFE) {
			return 0, errEncoded
		}
		l.first = p[i]
		l.read++
	}
	return n, err
}

// unpacking unpacks what nobody asked to be packed.
type unpacking struct {
	source  io.ReadCloser
	reader  *gzip.Reader
	bounded bool // it is watched, which costs more than to send it
	packed  int64
	plain   int64
}

// Bounds of what a watched answer may unpack to. No model writes what can be packed so well, event by event.
const (
	maxUnpacked = 16 << 20
	maxPacking  = 100 // bytes for each that was sent
)

func (u *unpacking) Read(p []byte) (n int, err error) {
	if u.reader == nil {
		if u.reader, err = gzip.NewReader(countedReader{u.source, &u.packed}); err != nil {
			return 0, err
		}
	}
	n, err = u.reader.Read(p)
	if u.plain += int64(n); u.bounded && u.plain > max(maxUnpacked, maxPacking*u.packed) {
		return 0, errTooLarge
	}
	return n, err
}

// countedReader counts what is read.
type countedReader struct {
	io.Reader

	bytes *int64
}

func (r countedReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	*r.bytes += int64(n)
	return n, err
}

func (u *unpacking) Close() error { return u.source.Close() }

// unreachable tells the client that there is no answer.
func (x *exchange) unreachable(err error) {
	switch {
	case x.ctx().Err() != nil: // nobody is there
	case errors.Is(err, errEncoded):
		x.fail(http.StatusBadGateway, "upstream_encoding", err.Error())
	case errors.Is(err, errRedirect):
		x.fail(http.StatusBadGateway, "upstream_redirect", err.Error()+"; set gateway."+x.to.name+" to the address that answers itself")
	default:
		x.gateway.logger.Warn("the upstream cannot be reached", "api", x.to.name, "host", x.to.upstream.URL.Host)
		x.fail(http.StatusBadGateway, "upstream_unreachable", "the upstream cannot be reached; the setting gateway."+x.to.name+" says where it is")
	}
}

// pass passes an answer on as it is.
func (x *exchange) pass(response *http.Response) {
	backward(x.w.Header(), response.Header)
	if response.ContentLength >= 0 && !response.Uncompressed && response.Header.Get("Content-Encoding") == "" {
		if _, packed := response.Body.(*unpacking); !packed {
			x.w.Header().Set("Content-Length", strconv.FormatInt(response.ContentLength, 10))
		}
	}
	x.w.WriteHeader(response.StatusCode)
	control := http.NewResponseController(x.w)
	_ = control.Flush()
	buffer := make([]byte, 16<<10)
	for {
		n, err := response.Body.Read(buffer)
		if n > 0 {
			_ = control.SetWriteDeadline(time.Now().Add(writeTime))
			if _, werr := x.w.Write(buffer[:n]); werr != nil {
				panic(http.ErrAbortHandler)
			}
			_ = control.Flush()
		}
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			panic(http.ErrAbortHandler) // a cut stays a cut
		}
	}
}

// writeTime is how long a client may take to take what is written.
const writeTime = 2 * time.Minute
