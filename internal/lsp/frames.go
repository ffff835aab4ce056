package lsp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/creachadair/jrpc2"
)

// Limits of messages.
const (
	maxMessage = 32 << 20 // bytes: a document of the largest size, written in escapes
	maxHeader  = 8 << 10  // bytes of all lines before a message
)

// frames is the channel to an editor: messages after headers with their length. Of
// those that come it hands out one at a time: the next when the one before is done. So
// requests see the documents as they were when they were sent. Only what must not wait
// passes: cancellations, and answers to requests of the server.
type frames struct {
	out io.Writer

	mu        sync.Mutex
	changed   sync.Cond
	queue     []frame
	urgent    []frame
	held      int             // bytes of both
	busy      bool            // what was handed out last is not done
	awaited   string          // the id of that request; empty: a notification, or several messages
	cancelled map[string]bool // ids of requests that still wait
	ended     error           // why no more comes
	stopped   bool
}

type frame struct {
	data   []byte
	id     string // of a request
	waited bool   // something tells when it is done
}

func newFrames(in io.Reader, out io.Writer) *frames {
	f := &frames{out: out, cancelled: map[string]bool{}}
	f.changed.L = &f.mu
	go f.pump(bufio.NewReader(in))
	return f
}

// pump reads until the end. It waits while too much is held.
func (f *frames) pump(in *bufio.Reader) {
	for {
		data, err := readFrame(in)
		f.mu.Lock()
		for err == nil && f.held > 0 && f.held+len(data) > maxMessage && !f.stopped {
			f.changed.Wait()
		}
		if err != nil || f.stopped {
			f.ended = err
			f.changed.Broadcast()
			f.mu.Unlock()
			return
		}
		f.sort(data)
		f.changed.Broadcast()
		f.mu.Unlock()
	}
}

// sort files a message by what it is.
func (f *frames) sort(data []byte) {
	one := frame{data: data}
	f.held += len(data)
	list, err := jrpc2.ParseRequests(data)
	if err != nil || len(list) != 1 || list[0].Batch || list[0].Error != nil { // the library answers what is wrong
		one.waited = err == nil && slices.ContainsFunc(list, func(r *jrpc2.ParsedRequest) bool { return r.Batch && r.Error == nil && r.ID != "" && r.Method != "" })
		f.queue = append(f.queue, one)
		return
	}
	switch method := list[0].Method; method {
	case "":
		f.urgent = append(f.urgent, one)
	case "$/cancelRequest":
		var params cancelParams
		if json.Unmarshal(list[0].Params, &params) == nil {
			id := string(params.ID)
			if slices.ContainsFunc(f.queue, func(other frame) bool { return other.id == id }) {
				f.cancelled[id] = true
			}
		}
		f.urgent = append(f.urgent, one)
	default:
		one.id, one.waited = list[0].ID, true
		f.queue = append(f.queue, one)
	}
}

// Recv is the next message.
func (f *frames) Recv() ([]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for {
		switch {
		case f.stopped:
			return nil, io.EOF
		case len(f.urgent) > 0:
			return f.take(&f.urgent).data, nil
		case !f.busy && len(f.queue) > 0:
			next := f.take(&f.queue)
			f.busy, f.awaited = next.waited, next.id
			return next.data, nil
		case !f.busy && f.ended != nil:
			return nil, f.ended
		}
		f.changed.Wait()
	}
}

func (f *frames) take(from *[]frame) frame {
	next := (*from)[0]
	*from = (*from)[1:]
	f.held -= len(next.data)
	f.changed.Broadcast()
	return next
}

// done lets the next message through, if it is the one that is waited for that is done: what
// is urgent, and what the library answers by itself, has no turn.
func (f *frames) done(id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if id != f.awaited {
		return
	}
	f.busy = false
	f.changed.Broadcast()
}

// wasCancelled tells whether a request was cancelled before its turn came.
func (f *frames) wasCancelled(id string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	was := f.cancelled[id]
	delete(f.cancelled, id)
	return was
}

// Send writes a message. The answer to a request is what its successor waits for.
func (f *frames) Send(data []byte) error {
	var kind struct {
		ID     json.RawMessage `json:"id"`
		Method json.RawMessage `json:"method"`
	}
	var b bytes.Buffer
	b.Grow(len(data) + 32)
	fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n", len(data))
	b.Write(data)
	_, err := f.out.Write(b.Bytes())
	switch {
	case bytes.HasPrefix(data, []byte("[")):
		f.done("")
	case json.Unmarshal(data, &kind) == nil && kind.Method == nil && len(kind.ID) > 0:
		f.done(string(kind.ID))
	}
	return err
}

// Close ends the waiting for messages.
func (f *frames) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.stopped = true
	f.changed.Broadcast()
	return nil
}

// failure is why the messages ended, if not because there are no more.
func (f *frames) failure() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if errors.Is(f.ended, io.EOF) {
		return nil
	}
	return f.ended
}

// A frameError says what is wrong with the headers of a message, after which there
// is no telling where the next one begins.
type frameError string

func (e frameError) Error() string { return "the editor sent " + string(e) }

// readFrame reads one message. What a header claims is not made room for before it is
// there.
func readFrame(in *bufio.Reader) ([]byte, error) {
	length, seen := -1, 0
	for {
		line, err := readLine(in, maxHeader-seen)
		if err != nil {
			if errors.Is(err, io.EOF) && seen > 0 {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
		seen += len(line)
		line = strings.TrimRight(line, "\r\n")
		if line == "" && length >= 0 {
			break
		}
		name, value, ok := strings.Cut(line, ":")
		switch {
		case !ok:
			return nil, frameError("a line that is no header")
		case strings.EqualFold(strings.TrimSpace(name), "Content-Length"):
			length, err = strconv.Atoi(strings.TrimSpace(value))
			if err != nil || length < 0 {
				return nil, frameError("a Content-Length that is no number")
			}
			if length > maxMessage {
				return nil, frameError(fmt.Sprintf("a message of more than %d MiB", maxMessage>>20))
			}
		}
	}
	var b bytes.Buffer
	if _, err := io.CopyN(&b, in, int64(length)); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	return b.Bytes(), nil
}

// readLine reads a line of at most so many bytes.
func readLine(in *bufio.Reader, most int) (string, error) {
	var b strings.Builder
	for b.Len() < most {
		c, err := in.ReadByte()
		if err != nil {
			if b.Len() > 0 && errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return "", err
		}
		b.WriteByte(c)
		if c == '\n' {
			return b.String(), nil
		}
	}
	return "", frameError("headers that do not end")
}
