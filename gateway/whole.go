package gateway

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/pertain-dev/pertain/gateway/internal/jsontext"
	"github.com/pertain-dev/pertain/gateway/internal/sse"
	"github.com/pertain-dev/pertain/stream"
)

// errTooLarge says that an answer is larger than can be watched.
var errTooLarge = errors.New("the answer is too large")

// whole answers with a document.
func (x *exchange) whole(response *http.Response, stop context.CancelFunc) {
	spent := int64(0)
	for {
		body, err := readAll(&heldReader{Reader: response.Body, holding: &x.holding, weight: 2}, x.gateway.limits.Body)
		stop()
		if errors.Is(err, errBusy) {
			x.busy()
			return
		}
		if errors.Is(err, errTooLarge) {
			x.fail(http.StatusBadGateway, "upstream_too_large", "the answer is larger than can be watched")
			return
		}
		if errors.Is(err, errEncoded) {
			x.unreachable(err)
			return
		}
		if err != nil {
			panic(http.ErrAbortHandler) // a cut stays a cut
		}
		answer, readable := x.readWhole(body)
		j := x.newJudge()
		verdict, fired := x.listen(j, &answer)
		if !fired && !j.full && x.ask.stream {
			if as, v, f := x.listenToEvents(body); f || as.full {
				j, verdict, fired = as, v, f
			}
		}
		if j.full {
			x.fail(http.StatusBadGateway, "upstream_too_large", "the answer has more parts than can be watched")
			return
		}
		if !fired {
			if readable {
				x.conclude(j, func() (string, string) { return answer.id, answer.id })
			}
			if spent > 0 && readable {
				body = answer.spent(spent)
			}
			x.document(response, body)
			return
		}
		x.heard = append(x.heard, x.noteAll(verdict, Interrupted)...)
		spent += answer.output
		x.breaks(j, verdict, nil)                       // the client has got nothing of it
		if response, stop, err = x.send(); err != nil { //nolint:bodyclose // stop closes it
			x.unreachable(err)
			return
		}
		if !watched(response) {
			defer stop()
			x.pass(response)
			return
		}
		if x.shape(response, false) != documentShape { // nobody could watch it, nor read it
			stop()
			x.fail(http.StatusBadGateway, "upstream_form", "the upstream streams its second answer")
			return
		}
	}
}

// readWhole reads an answer in each way that a client may read it; readable is false if none can.
func (x *exchange) readWhole(body []byte) (answer whole, readable bool) {
	text := bytes.TrimPrefix(body, mark)
	plain, first, hidden := plainly(text, x.to.api.names())
	if root, ok := jsontext.Parse(plain); ok {
		answer, readable = x.to.api.whole(root), true
	}
	if root, ok := jsontext.Parse(first); ok {
		answer.said = append(answer.said, onSide(x.to.api.whole(root).said, firstSide)...)
	}
	answer.said = append(answer.said, hiddenText(hidden)...)
	return answer, readable
}

// listen watches a whole answer.
func (x *exchange) listen(j *judge, answer *whole) (_ stream.Verdict, fired bool) {
	for i := range answer.said {
		if v := j.take(x.ctx(), &answer.said[i], x.gateway.limits.Text); len(v.Fired) > 0 && x.judged(v) {
			return v, true
		}
	}
	if v := j.finish(x.ctx()); len(v.Fired) > 0 && x.judged(v) {
		return v, true
	}
	return stream.Verdict{}, false
}

// listenToEvents watches a document as those read it who have asked for events, and pass over what is none. A document that is
// nothing but JSON has none: its lines begin with no field.
func (x *exchange) listenToEvents(body []byte) (j *judge, _ stream.Verdict, fired bool) {
	j = x.newJudge()
	if _, ok := jsontext.Parse(bytes.TrimPrefix(body, mark)); ok {
		return j, stream.Verdict{}, false
	}
	_, bare := x.to.api.(geminiAPI)
	s := &streaming{exchange: x, answers: x.to.api.answers(x.ask), judge: j, bare: bare}
	events := sse.NewReader(bytes.NewReader(body), len(body), &x.gateway.buffers)
	var said []said
	for {
		event, err := events.Next()
		if err != nil && s.waiting { // what has not ended ends with the document
			event, err = sse.Event{Rest: true}, nil
		}
		if err != nil {
			break
		}
		if _, ok := s.reads(event); !ok || j.full {
			j.full = true
			return j, stream.Verdict{}, false
		}
		said = append(said[:0], s.now.said...)
		for i := range said {
			if v := j.take(x.ctx(), &said[i], x.gateway.limits.Text); len(v.Fired) > 0 && x.judged(v) {
				return j, v, true
			}
		}
	}
	if v := j.finish(x.ctx()); len(v.Fired) > 0 && x.judged(v) {
		return j, v, true
	}
	return j, stream.Verdict{}, false
}

// document writes a whole answer.
func (x *exchange) document(response *http.Response, body []byte) {
	backward(x.w.Header(), response.Header)
	x.w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	_ = http.NewResponseController(x.w).SetWriteDeadline(time.Now().Add(writeTime))
	x.w.WriteHeader(response.StatusCode)
	_, _ = x.w.Write(body) // a client that is gone needs no answer
}

// readAll reads at most so many bytes.
func readAll(r io.Reader, limit int64) ([]byte, error) {
	var b bytes.Buffer
	if _, err := b.ReadFrom(io.LimitReader(r, limit+1)); err != nil {
		return nil, err
	}
	if int64(b.Len()) > limit {
		return nil, errTooLarge
	}
	return b.Bytes(), nil
}

func isObject(text []byte) bool {
	v, ok := jsontext.Parse(text)
	return ok && v.Kind() == '{'
}
