package gateway

import (
	"strconv"

	"github.com/pertain-dev/pertain/gateway/internal/jsontext"
	"github.com/pertain-dev/pertain/gateway/internal/sse"
)

// api is how requests and answers of one API are written.
type api interface {
	name() string
	// asks reads a request; nil: it is one that cannot be asked again with a reminder.
	asks(root jsontext.Value, path string) *asked
	// reminder is an entry that reminds the model, and said those in which it has said
	// something; nil: these blocks make none.
	reminder(text string) []byte
	said(blocks []block) [][]byte
	// without is an entry of the model's without the first of its blocks, and with the next
	// cut short by what stands before a text; nil: nothing is left of it.
	without(e *entry, blocks int, text *string) []byte
	// answers reads and writes the streamed answers to one request of a client.
	answers(a *asked) answers
	// whole reads an answer that is not streamed, and names are the keys that it asks for.
	whole(root jsontext.Value) whole
	names() *jsontext.Names
}

// answers are the streamed answers to one request: mostly one, and several in one stream
// where answers were broken off.
type answers interface {
	// read tells what an event of the upstream says, in memory that may be used for the next. Of one that is odd it reads
	// nothing, unless the event says that it is plain.
	read(e sse.Event) reading
	// names are the keys that it asks for.
	names() *jsontext.Names
	// fork gives answers that read on from here by themselves. They write nothing.
	fork() answers
	// given is told of each event that the client gets, and gives the bytes that it gets;
	// nil: none.
	given(e sse.Event, r *reading) []byte
	// unchanged says that events with a piece of a text and nothing else are given as they are now, and that of several only the
	// last has to be told of.
	unchanged() bool
	// broken says that the upstream's answer was broken off and that another follows. It
	// gives what the client gets in between.
	broken() []byte
	// ended is what ends the answer for a client that has got calls.
	ended() []byte
	// failed is an event that tells the client of an error.
	failed(body []byte) []byte
	// keepAlive is what shows a client that the answer goes on; nil: nothing does.
	keepAlive() []byte
	// repeated are the entries that would repeat what the client has got of the upstream's
	// present answer; nil where requests repeat everything anyway.
	repeated() [][]byte
	// ids are the id of the answer that the client has, and that of the last upstream answer;
	// "" where no request names answers by them.
	ids() (client, real string)
}

// reading is what an event says.
type reading struct {
	said   []said
	last   bool // the answer is complete
	failed bool // it is an error
	// finished says that the answer is as good as complete: some upstreams end without a
	// last event.
	finished bool

	// odd says that parsers read it in several ways, or some not at all, and that nothing was read yet. See strange.
	odd bool

	waits bool // some clients have it, or some of it, as something that has not ended

	opens bool // it opens a text that has nothing in it yet
	idle  bool // it only shows that the answer goes on

	// For whoever read it:
	kind  uint8
	index int64
}

// size is how many bytes of texts an event has.
func (r *reading) size() (n int) {
	for i := range r.said {
		if what := r.said[i].what; (what == textPiece || what == thinkingPiece) && r.said[i].side < looseSide && r.said[i].side&otherSides == 0 { // else it is there twice
			n += len(r.said[i].text)
		}
	}
	return n
}

// said is one thing that an event says.
type said struct {
	what what
	key  int64  // tells the texts and calls of an answer apart
	text string // a piece
	to   int64  // bytes of its text up to its end; the judge counts them
	all  bool   // it is all that was said of the key up to here: nothing is taken over from another side
	// Of the beginning of a call; its names, too, where they are known only at its end:
	tool, id string
	side     side
	// Of the end of thinking: how it is sent back to the model; nil: by its text.
	raw []byte
}

type what uint8

const (
	textPiece     what = iota
	thinkingPiece      // of what the model thinks
	thinkingProof      // a part of the signature of what it thinks
	callBegin
	callName    // another name of a call that has begun
	callPiece   // of the arguments
	callVersion // a call that was told of, whole, with other arguments
	streamEnd   // nothing more comes for the key
)

// side tells what the client reads from what it might read.
type side uint16

const (
	plainSide  side = 0
	firstSide  side = 1 // as those read it who take the first of several members with one key
	hiddenSide side = 2 // what nobody reads as it stands, or only some

	// As those read it who put pieces together in another way; each goes with firstSide. Up to where an answer leaves the order that
	// its API documents all ways are the same, so of an answer that never does nothing is said on these sides.
	joinedSide side = 1 << 2 // Chat: by their index alone, whatever the id
	ownerSide  side = 1 << 3 // Chat: what has no index of its own, to what it may belong to; Gemini: texts without those beside something else
	lateSide   side = 1 << 4 // Chat: the same, when all has come
	flatSide   side = 1 << 5 // Chat, Gemini: the first choice or candidate of each event, whatever its index
	orderSide  side = 1 << 6 // by the number of a text or call, in the order in which they began
	latestSide side = 1 << 7 // Messages: to what has begun last; Responses: by the id

	partingSides = flatSide | orderSide | latestSide // ways of reading all that follows
	partSides    = joinedSide | ownerSide | lateSide // ways of reading one text or call
	otherSides   = partingSides | partSides
)

// looseSide is the first of the sides of those who take other things for events than others do, each of which has a number. They
// go with the others.
const looseSide side = 1 << 8

// name tells sides apart in the names of streams.
func (s side) name() string {
	if s == plainSide {
		return ""
	}
	return " side " + strconv.Itoa(int(s))
}

// whole is an answer that is not streamed.
type whole struct {
	said   []said
	output int64 // tokens
	// spent gives the answer with tokens of earlier answers added to its usage.
	spent func(tokens int64) []byte
	id    string // see answers.ids
}

// asked is a request.
type asked struct {
	root    jsontext.Value
	list    jsontext.Value // of entries: an array, a text, or none
	key     string         // of list
	entries []entry
	model   string
	system  string
	first   string // what the user said first
	stream  bool
	tools   bool
	usage   bool           // Chat: the client wants to know the usage
	before  jsontext.Value // the id of the answer from which the request goes on
	kept    string         // the id of a conversation that the provider keeps, and adds to what is sent; "": none
	chained bool           // later requests may go on from its answer in that way
	prompt  jsontext.Value // the text that the model continues, in the place of a list
}

// entry is one of the list of what was said so far.
type entry struct {
	value  jsontext.Value
	who    speaker
	blocks []block // of the model's entries
	closes bool    // nothing may stand after it
}

type speaker uint8

const (
	other   speaker = iota // whoever sets the agent up
	person                 // the user
	results                // of tools
	model
)

// block is a part of what the model has said.
type block struct {
	value   jsontext.Value // as it stands in the request; none where the whole entry is one text
	kind    blockKind
	text    string
	raw     []byte   // how thinking is sent back; nil: by its text, where that can be
	partial bool     // thinking that was not finished
	calls   []string // names of a call
}

type blockKind uint8

const (
	otherBlock blockKind = iota
	textBlock
	thinkingBlock
	callBlock
)

// personLast tells whether the request begins a turn of the user.
func (a *asked) personLast() bool {
	if a.list.Kind() == '"' {
		return true
	}
	for i := len(a.entries) - 1; i >= 0; i-- {
		if a.entries[i].who != other {
			return a.entries[i].who == person
		}
	}
	return false
}

// answered tells whether the model has said something before.
func (a *asked) answered() bool {
	for i := range a.entries {
		if a.entries[i].who == model {
			return true
		}
	}
	return a.before.Exists() || a.kept != ""
}

// with gives the request with entries added to its end.
func (a *asked) with(text []byte, entries ...[]byte) []byte {
	if a.prompt.Exists() {
		return jsontext.Apply(text, promptWith(a.prompt, entries)...)
	}
	switch a.list.Kind() {
	case '[':
		return jsontext.Apply(text, a.insert(len(a.entries), entries))
	case '"':
		return jsontext.Apply(text, a.list.Replace(array(append([][]byte{a.saidOnce()}, entries...))))
	}
	return jsontext.Apply(text, a.root.Set(a.key, array(entries)))
}

// saidOnce is what the user says as an entry of a list, where the request has a text in
// its place.
func (a *asked) saidOnce() []byte {
	return append(append([]byte(`{"role":"user","content":`), a.list.Raw()...), '}')
}

// array makes an array of JSON texts.
func array(items [][]byte) []byte {
	out := []byte{'['}
	for i, item := range items {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, item...)
	}
	return append(out, ']')
}

// addTo gives an edit that adds to a number of an object; ok is false if it has none.
func addTo(object jsontext.Value, key string, more int64) (_ jsontext.Edit, ok bool) {
	v := object.Get(key)
	if v.Kind() != '0' {
		return jsontext.Edit{}, false
	}
	return v.Replace(number(v.Int() + more)), true
}
