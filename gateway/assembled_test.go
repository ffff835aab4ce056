package gateway_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/modeltest"
)

// half and rest are the violation in two pieces.
const half, rest = "ЖЩ", "ЮЯ"

// blocks write events of Messages.
type blocks struct{}

func (blocks) begin(blocks ...string) string {
	return `{"type":"message_start","message":{"id":"m","content":[` + strings.Join(blocks, ",") + `],"usage":{}}}`
}

func (blocks) text(text string) string { return fmt.Sprintf(`{"type":"text","text":%q}`, text) }

func (blocks) call(name string) string {
	return fmt.Sprintf(`{"type":"tool_use","id":"t","name":%q,"input":{}}`, name)
}

func (blocks) start(index int, block string) string {
	return fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":%s}`, index, block)
}

func (blocks) piece(index int, text string) string {
	return fmt.Sprintf(`{"type":"content_block_delta","index":%d,"delta":{"type":"text_delta","text":%q}}`, index, text)
}

func (blocks) arguments(index int, text string) string {
	return fmt.Sprintf(`{"type":"content_block_delta","index":%d,"delta":{"type":"input_json_delta","partial_json":%s}}`, index, strconv.Quote(text))
}

func (blocks) stop(index int) string {
	return fmt.Sprintf(`{"type":"content_block_stop","index":%d}`, index)
}

// displacedBlocks are messages whose blocks are not where their index says.
func displacedBlocks() (list []contradiction) {
	var b blocks
	add := func(name string, events ...string) {
		list = append(list, contradiction{name: name, api: modeltest.Messages, events: append(events, `{"type":"message_stop"}`)})
	}
	add("the first has index 1", b.begin(), b.start(1, b.text(half)), b.piece(0, rest))
	add("the first has index 1, another between", b.begin(), b.start(1, b.text(half)), b.start(0, b.text("x")), b.piece(0, rest))
	add("two of index 0", b.begin(), b.start(0, b.text("x")), b.start(0, b.text(half)), b.piece(1, rest))
	add("one before the first", b.begin(b.text("x")), b.start(0, b.text(half)), b.piece(1, rest))
	add("from the end", b.begin(), b.start(0, b.text("")), b.piece(0, half), b.piece(-1, rest))
	add("from the end, of two", b.begin(), b.start(0, b.text("x")), b.start(1, b.text("")), b.piece(1, half), b.piece(-2, "x"), b.piece(-1, rest))
	add("a piece of none", b.begin(), b.start(0, b.text("")), b.piece(0, half), b.piece(7, rest))
	add("pieces of none, alike", b.begin(), b.start(0, b.text("")), b.piece(0, "x"), b.piece(0, half), b.piece(7, rest), b.piece(7, "x"))
	add("an index that nobody has", b.begin(), b.start(1<<31, b.text(half)), b.piece(0, rest))
	add("a call, from the end", b.begin(), b.start(0, b.call("write")), b.arguments(0, badCall[:within]), b.arguments(-1, badCall[within:]), b.stop(0))
	add("a call of which a piece is of none", b.begin(), b.start(0, b.call("write")), b.arguments(0, badCall[:within]), b.arguments(3, badCall[within:]), b.stop(0))
	add("a call of index 1", b.begin(), b.start(1, b.call("write")), b.arguments(0, badCall), b.stop(0))
	twice := func(event string) string { return strings.Replace(event, `"}}`, `","text":"x"}}`, 1) }
	add("for who takes the first", b.begin(), b.start(1, b.text(half)), twice(b.piece(0, rest)))
	add("for who takes the first, before", b.begin(), twice(b.piece(5, "x")), b.start(1, b.text(half)), twice(b.piece(0, rest)))
	add("for who takes the first, after", b.begin(), b.start(1, b.text(half)), b.start(0, b.text("x")), twice(b.piece(0, rest)))
	return list
}

// chunks write events of Chat.
type chunks struct{}

func (chunks) of(choice int, delta string) string {
	return fmt.Sprintf(`{"id":"c","choices":[{"index":%d,"delta":%s}]}`, choice, delta)
}

// call is a piece of a call; an empty id or name is none.
func (c chunks) call(index int, id, name, arguments string) string {
	head, called := "", ""
	if id != "" {
		head = fmt.Sprintf(`"id":%q,`, id)
	}
	if name != "" {
		called = fmt.Sprintf(`"name":%q,`, name)
	}
	return c.of(0, fmt.Sprintf(`{"tool_calls":[{"index":%d,%s"function":{%s"arguments":%s}}]}`, index, head, called, strconv.Quote(arguments)))
}

// displacedDeltas are answers of Chat whose pieces have an index of nothing.
func displacedDeltas() (list []contradiction) {
	var c chunks
	add := func(name string, events ...string) {
		events = append(events, `{"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`, `[DONE]`)
		list = append(list, contradiction{name: name, api: modeltest.Chat, events: events})
	}
	begin, end := c.call(0, "a", "write", badCall[:within]), badCall[within:]
	add("a piece of no call", begin, c.call(1, "", "", end))
	add("two pieces of no call", c.call(0, "a", "write", badCall[:5]), c.call(1, "", "", badCall[5:within]), c.call(2, "", "", end))
	add("one between", c.call(0, "a", "write", badCall[:5]), c.call(1, "", "", badCall[5:within]), c.call(0, "", "", end))
	add("one before", c.call(1, "", "", end), begin)
	add("one before, in the middle for who waits", c.call(0, "a", "write", badCall[:5]), c.call(1, "", "", end), c.call(0, "", "", badCall[5:within]))
	add("one before another that is named later", c.call(1, "", "", ""), c.call(3, "", "", end), c.call(1, "", "write", badCall[:within]))
	add("the id of another index", begin, c.call(1, "a", "", end))
	add("the id of another index, and its name", begin, c.call(1, "a", "write", end))
	add("another id between", begin, c.call(0, "b", "write", "x"), c.call(0, "a", "", end))
	add("a text that is refused", c.of(0, `{"content":"`+half+`"}`), c.of(0, `{"refusal":"`+rest+`"}`))
	add("a refusal that is none", c.of(0, `{"refusal":"`+half+`"}`), c.of(0, `{"content":"`+rest+`"}`))
	add("both in one", c.of(0, `{"content":"`+half+`","refusal":"`+rest+`"}`))
	add("another refusal between", c.of(0, `{"content":"x"}`), c.of(0, `{"refusal":"`+half+`"}`), c.of(0, `{"content":"`+rest+`"}`))
	add("a choice that nobody asked for", c.of(0, `{"content":"`+half+`"}`), c.of(1, `{"content":"`+rest+`"}`))
	add("a call of another choice", begin, strings.Replace(c.call(0, "", "", end), `[{"index":0`, `[{"index":1`, 1))
	return list
}

// displacedItems are answers of Responses whose pieces have an index of something else than their id.
func displacedItems() (list []contradiction) {
	delta := func(id string, item, part int, text string) string {
		return fmt.Sprintf(`{"type":"response.output_text.delta","item_id":%q,"output_index":%d,"content_index":%d,"delta":%q}`, id, item, part, text)
	}
	arguments := func(id string, item int, text string) string {
		return fmt.Sprintf(`{"type":"response.function_call_arguments.delta","item_id":%q,"output_index":%d,"delta":%s}`, id, item, strconv.Quote(text))
	}
	part := func(item, part int, text string) string {
		return fmt.Sprintf(`{"type":"response.content_part.added","item_id":"m","output_index":%d,"content_index":%d,"part":{"type":"output_text","text":%q}}`, item, part, text)
	}
	var i items
	message, call := strings.Replace(i.text(""), `{"type":"output_text","text":""}`, "", 1), i.call("a", "write", "")
	at := func(index int, event string) string {
		return strings.Replace(event, `"output_index":0`, fmt.Sprintf(`"output_index":%d`, index), 1)
	}
	add := func(name string, events ...string) {
		list = append(list, contradiction{name: name, api: modeltest.Responses, events: append(events, i.ended("completed"))})
	}
	add("an id with two indexes", i.added(message), delta("m", 0, 0, half), delta("m", 1, 0, rest))
	add("an id with two parts", i.added(message), part(0, 0, ""), delta("m", 0, 0, half), delta("m", 0, 1, rest))
	add("an index with two ids", i.added(message), delta("m", 0, 0, half), delta("n", 0, 0, "x"), delta("m", 0, 0, rest))
	add("an id after another", delta("n", 0, 0, "x"), delta("m", 0, 0, half), delta("n", 0, 0, "x"), delta("m", 1, 0, rest))
	add("an item that is the first with index 1", at(1, i.added(i.text(half))), delta("m", 0, 0, rest))
	add("a part that is the first with index 1", i.added(message), part(0, 1, half), delta("", 0, 0, rest))
	add("a call with two indexes", i.added(call), arguments("ia", 0, badCall[:within]), arguments("ia", 1, badCall[within:]))
	add("a call that is the first with index 1", at(1, i.added(call)), arguments("", 0, badCall))
	return list
}

// TestDisplaced: SDKs put the pieces of an answer together by their index, by their id, by the place of what they belong to, or in
// the order in which they come. Of an answer of which these do not say the same, each is watched.
func TestDisplaced(t *testing.T) {
	for _, list := range [][]contradiction{displacedBlocks(), displacedDeltas(), displacedItems()} {
		caught(t, list)
	}
}

// TestInPlace: an answer that is written as it is documented is read in one way: what is in two texts is none.
func TestInPlace(t *testing.T) {
	var b blocks
	var c chunks
	var i items
	second := func(event string) string { return strings.Replace(event, `"output_index":0`, `"output_index":1`, 1) }
	for _, list := range []contradiction{
		{api: modeltest.Messages, events: []string{b.begin(), b.start(0, b.text("")), b.piece(0, half), b.stop(0), b.start(1, b.text("")), b.piece(1, rest), b.stop(1), `{"type":"message_stop"}`}},
		{api: modeltest.Chat, events: []string{c.of(0, `{"content":"`+half+`"}`), c.call(0, "a", "read", `{"a":"`+half+`"}`), c.call(1, "b", "read", `{"a":"`+rest+`"}`), `[DONE]`}},
		{api: modeltest.Responses, events: []string{i.added(i.text("")), i.delta(half), i.done(i.text(half)), second(i.added(i.text(""))), second(i.delta(rest)), second(i.done(i.text(rest))), i.ended("completed")}},
	} {
		all := data(list.events...)
		address, asked := scripted(t, []string{all}, fire)
		if r := ask(t, address, list.api, true, nil, ">hello"); r.raw != all || *asked != 1 {
			t.Errorf("%s: asked %d times, %v %s", list.api, *asked, r.err, r.raw)
		}
	}
}

// TestSeveralChoices: of choices that were asked for, each is a text of its own.
func TestSeveralChoices(t *testing.T) {
	var c chunks
	all := data(c.of(0, `{"content":"`+half+`"}`), c.of(1, `{"content":"`+rest+`"}`), `[DONE]`)
	address, asked := scripted(t, []string{all}, fire)
	body := `{"model":"m","stream":true,"n":2,"messages":[{"role":"user","content":"hello"}]}`
	if r := post(t, address+"/v1/chat/completions", body, modeltest.Chat, nil); r.raw != all || *asked != 1 {
		t.Errorf("asked %d times, %v %s", *asked, r.err, r.raw)
	}
}
