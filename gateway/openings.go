package gateway

import "github.com/pertain-dev/pertain/gateway/internal/sse"

// openings are events that open something that has nothing in it yet. The client gets them with the first event that is
// about more than that: where an answer is broken off before, an empty text would stay with the client, and providers refuse
// requests that repeat one.
type openings []opening

type opening struct {
	event   sse.Event
	reading reading
}

// Bounds of what is kept of an answer that opens much and says nothing. Beyond them the client gets it as it comes.
const (
	maxOpened      = 256
	maxOpenedBytes = 64 << 10
)

// takes tells whether one more may be kept.
func (o openings) takes(e sse.Event) bool {
	size := len(e.Raw)
	for i := range o {
		size += len(o[i].event.Raw)
	}
	return len(o) < maxOpened && size <= maxOpenedBytes
}

// given gives the bytes that the client gets with an event; nil: none yet. passed gives those of one event alone. Signs of
// life do not let go what was opened before them.
func (o *openings) given(e sse.Event, r *reading, passed func(sse.Event, *reading) []byte) []byte {
	if (r.opens || len(*o) > 0 && r.idle) && o.takes(e) {
		kept := *r
		kept.said = append([]said(nil), r.said...)
		*o = append(*o, opening{e.Clone(), kept})
		return nil
	}
	if len(*o) == 0 {
		return passed(e, r)
	}
	var out []byte
	for i := range *o {
		out = append(out, passed((*o)[i].event, &(*o)[i].reading)...)
	}
	*o = nil
	return append(out, passed(e, r)...)
}
