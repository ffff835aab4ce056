package ask

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
)

// Bounds on what an upstream sends.
const (
	maxEvent   = 16 << 20
	maxRefusal = 64 << 10
)

// refusalError is an error that the upstream has told: in the place of an answer, with its status, or within one, with 0.
type refusalError struct {
	status int
	raw    string // JSON, as it came
}

func (*refusalError) Error() string { return "the upstream tells an error" }

// post sends a request and gives each event of the answer to a function, until that or the answer ends.
func post(ctx context.Context, client *http.Client, path string, header http.Header, question any, event func(data []byte) error) error {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(question); err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, inside+path, bytes.NewReader(bytes.TrimSpace(text.Bytes())))
	if err != nil {
		return err
	}
	r.Header = header
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "text/event-stream")
	response, err := client.Do(r)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		raw, _ := io.ReadAll(io.LimitReader(response.Body, maxRefusal)) // what there is of it
		return &refusalError{response.StatusCode, string(raw)}
	}
	return events(response.Body, event)
}

// errTooLong says that an event is more than anybody sends.
var errTooLong = errors.New("an event of the answer is too long")

// events reads a stream of events, of which the gateway leaves fields alone.
func events(source io.Reader, event func(data []byte) error) error {
	lines := bufio.NewReader(source)
	var line, data []byte
	for {
		piece, err := lines.ReadSlice('\n')
		if line = append(line, piece...); len(line)+len(data) > maxEvent {
			return errTooLong
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		whole := strings.TrimRight(string(line), "\r\n")
		line = line[:0]
		if value, ok := strings.CutPrefix(whole, "data:"); ok {
			if len(data) > 0 {
				data = append(data, '\n')
			}
			data = append(data, strings.TrimPrefix(value, " ")...)
		}
		if (whole == "" || err != nil) && len(data) > 0 {
			if err := event(data); err != nil {
				return err
			}
			data = data[:0]
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// tell hands a piece of the answer on.
func tell(to Listener, text string) error {
	if text == "" {
		return nil
	}
	if err := to.Piece(text); err != nil {
		return &heardError{err}
	}
	return nil
}
