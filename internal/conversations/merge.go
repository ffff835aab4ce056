package conversations

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/pertain-dev/pertain/gateway"
	"github.com/pertain-dev/pertain/stream"
)

// merge makes one of two conversations that went on apart. Nothing that a model was told is forgotten, so that no reminder is lost and no
// rule is told twice.
func merge(first, second []byte) []byte {
	a, b := decode(first), decode(second)
	out := gateway.Conversation{
		Record:   mergeRecords(a.Record, b.Record),
		Openings: union(a.Openings, b.Openings),
		Began:    began(a.Began, b.Began),
		Waiting:  union(a.Waiting, b.Waiting),
		Answer:   a.Answer,
	}
	if out.Answer == nil {
		out.Answer = b.Answer
	}
	if more := len(out.Openings) - maxOpenings; more > 0 {
		out.Openings = out.Openings[more:]
	}
	known := map[string]bool{}
	for _, s := range slices.Concat(a.Splices, b.Splices) {
		text, err := json.Marshal(s)
		if err == nil && !known[string(text)] {
			known[string(text)] = true
			out.Splices = append(out.Splices, s)
		}
	}
	text, err := json.Marshal(out)
	if err != nil { // it was JSON before
		return first
	}
	return text
}

// maxOpenings is how many a gateway keeps.
const maxOpenings = 8

// mergeRecords takes the later turn, and of each rule the last time that it was injected.
func mergeRecords(a, b stream.Record) stream.Record {
	out, other := a, b
	if b.Turn > a.Turn {
		out, other = b, a
	}
	out.Injected = maps.Clone(out.Injected)
	for name, turn := range other.Injected {
		if out.Injected == nil {
			out.Injected = map[string]int64{}
		}
		out.Injected[name] = max(out.Injected[name], turn)
	}
	if a.Turn == b.Turn { // of one budget
		out.Interrupted, out.Foreign = max(a.Interrupted, b.Interrupted), max(a.Foreign, b.Foreign)
	}
	return out
}

// began is how the requests of both begin; of what both have, the shorter, which both go on with.
func began(a, b []gateway.Beginning) []gateway.Beginning {
	out := slices.Clone(a)
	for _, one := range b {
		at := slices.IndexFunc(out, func(known gateway.Beginning) bool { return known.First == one.First })
		if at < 0 {
			out = append(out, one)
		} else {
			out[at].Size = min(out[at].Size, one.Size)
		}
	}
	return out[max(len(out)-maxOpenings, 0):]
}

// union is one list and what another one has beside it.
func union[T comparable](a, b []T) []T {
	out := slices.Clone(a)
	for _, item := range b {
		if !slices.Contains(out, item) {
			out = append(out, item)
		}
	}
	return out
}
