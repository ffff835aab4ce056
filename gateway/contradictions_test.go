package gateway_test

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/gateway"
	"github.com/pertain-dev/pertain/internal/modeltest"
)

// contradiction is an answer that tells of one thing in several ways, with the violation in one of them.
type contradiction struct {
	name   string
	api    modeltest.API
	events []string
	// harmless is without what the violation is none; "": it is one in any case.
	harmless string
}

// badCall are arguments that break a rule for one kind of file.
const badCall = `{"path":"a.ts","content":"` + violation + `"}`

// within parts the arguments within the violation.
var within = strings.Index(badCall, violation) + len(violation)/2

// items write events of Responses.
type items struct{}

func (items) call(id, name, arguments string) string {
	return fmt.Sprintf(`{"type":"function_call","id":"i%[1]s","call_id":%[1]q,"name":%[2]q,"arguments":%[3]s}`, id, name, strconv.Quote(arguments))
}

func (items) text(text string) string {
	return fmt.Sprintf(`{"type":"message","id":"m","role":"assistant","content":[{"type":"output_text","text":%q}]}`, text)
}

func (items) added(item string) string {
	return `{"type":"response.output_item.added","output_index":0,"item":` + item + `}`
}

func (items) done(item string) string {
	return `{"type":"response.output_item.done","output_index":0,"item":` + item + `}`
}

func (items) ended(how string, output ...string) string {
	return `{"type":"response.` + how + `","response":{"id":"r","output":[` + strings.Join(output, ",") + `]}}`
}

func (items) arguments(text string) string {
	return fmt.Sprintf(`{"type":"response.function_call_arguments.delta","output_index":0,"delta":%s}`, strconv.Quote(text))
}

func (items) delta(text string) string {
	return fmt.Sprintf(`{"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":%q}`, text)
}

// responseContradictions are those of Responses.
func responseContradictions() (list []contradiction) {
	var i items
	add := func(name string, events ...string) {
		list = append(list, contradiction{name: name, api: modeltest.Responses, events: events})
	}
	bad, good := i.call("a", "write", badCall), i.call("a", "write", "{}")
	for _, how := range []string{"completed", "incomplete", "failed"} {
		add("a text that is another in "+how, i.added(i.text("")), i.delta("ok"), i.done(i.text("ok")), i.ended(how, i.text(violation)))
		add("a text that is longer in "+how, i.added(i.text("")), i.delta("ok"), i.done(i.text("ok")), i.ended(how, i.text("ok "+violation)))
		add("arguments that are others in "+how, i.added(good), i.done(good), i.ended(how, bad))
		add("a call in the place of a text in "+how, i.delta("ok"), i.done(i.text("ok")), i.ended(how, bad))
	}
	add("completed twice", i.ended("completed", i.text("ok")), i.ended("completed", i.text(violation)))
	add("done twice, another call", i.added(good), i.done(good), i.done(i.call("b", "write", badCall)), i.ended("completed"))
	add("done twice, the same call", i.added(good), i.done(good), i.done(bad), i.ended("completed"))
	add("done twice, a text", i.delta("ok"), i.done(i.text("ok")), i.done(i.text(violation)), i.ended("completed"))
	add("another name", i.added(i.call("a", "read", "")), i.done(bad), i.ended("completed"))
	add("another name after the arguments", i.added(i.call("a", "read", "")), i.arguments(badCall[:within]), i.done(bad), i.ended("completed"))
	add("another name in completed", i.done(i.call("a", "read", badCall)), i.ended("completed", bad))
	list[len(list)-1].harmless = `"write"`
	add("a name at the end", i.added(i.call("a", "", "")), i.arguments(badCall), i.done(bad), i.ended("completed"))
	add("arguments at the beginning alone", i.added(bad), i.done(i.call("a", "write", "")), i.ended("completed"))
	add("others at the beginning", i.added(bad), i.done(good), i.ended("completed"))
	add("pieces of a text that is a call", fmt.Sprintf(`{"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":%s}`, strconv.Quote(badCall)), i.done(bad), i.ended("completed"))
	add("pieces after the end", i.added(i.call("a", "write", "")), i.arguments(badCall[:within]), i.done(i.call("a", "write", "")), i.arguments(badCall[within:]), i.ended("completed"))
	add("a text after its end", i.delta(violation[:4]), i.done(i.text("")), i.delta(violation[4:]), i.ended("completed"))
	return list
}

// chatContradictions are those of Chat.
func chatContradictions() (list []contradiction) {
	piece := func(head, name, arguments string) string {
		return fmt.Sprintf(`{"id":"c","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,%s"function":{%s"arguments":%s}}]}}]}`, head, name, strconv.Quote(arguments))
	}
	const a, b, read, write = `"id":"a",`, `"id":"b",`, `"name":"read",`, `"name":"write",`
	add := func(name string, events ...string) {
		events = append(events, `{"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`, `[DONE]`)
		list = append(list, contradiction{name: name, api: modeltest.Chat, events: events})
	}
	add("another id within the arguments", piece(a, write, badCall[:within]), piece(b, "", badCall[within:]))
	add("another id before the arguments", piece(a, write, ""), piece(b, "", badCall))
	add("another id twice", piece(a, write, badCall[:5]), piece(b, "", badCall[5:within]), piece(a, "", badCall[within:]))
	add("another id and another name", piece(a, read, badCall[:within]), piece(b, write, badCall[within:]))
	add("another id after a whole call", piece(a, write, "{}"), piece(b, "", badCall))
	add("the name after the arguments", piece(a, "", badCall), piece("", write, ""))
	add("the name within the arguments", piece(a, "", badCall[:within]), piece("", write, badCall[within:]))
	add("the name in pieces", piece(a, "", badCall), piece("", `"name":"wr",`, ""), piece("", `"name":"ite",`, ""))
	add("another name with the arguments", piece(a, read, ""), piece("", write, badCall))
	add("another name after them", piece(a, read, badCall[:within]), piece("", write, badCall[within:]))
	add("after the reason", piece(a, write, "{}"), `{"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`, piece("", "", badCall))
	add("after the last event", piece(a, write, ""), `[DONE]`, piece("", "", badCall))
	return list
}

// messageContradictions are those of Messages.
func messageContradictions() (list []contradiction) {
	start := func(name string) string {
		return `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"` + name + `","input":{}}}`
	}
	piece := func(text string) string {
		return `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":` + strconv.Quote(text) + `}}`
	}
	text := func(text string) string {
		return `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"` + text + `"}}`
	}
	const stop, begin = `{"type":"content_block_stop","index":0}`, `{"type":"message_start","message":{"id":"m","content":[],"usage":{}}}`
	add := func(name string, events ...string) {
		list = append(list, contradiction{name: name, api: modeltest.Messages, events: append(append([]string{begin}, events...), `{"type":"message_stop"}`)})
	}
	add("within the arguments", start("write"), piece(badCall[:within]), stop, piece(badCall[within:]))
	add("before the arguments", start("write"), stop, piece(badCall))
	add("after other arguments", start("write"), piece("{}"), stop, piece(badCall), stop)
	add("begun twice, first without a name", start(""), stop, start("write"), piece(badCall), stop)
	add("begun twice, first by another", start("read"), piece("{"), start("write"), piece(badCall), stop)
	add("begun twice, first in vain", start("write"), piece(`{"content":"`), start("write"), piece(badCall), stop)
	twice := func(event, key string) string {
		return strings.Replace(event, `"}}`, `","`+key+`":"x"}}`, 1)
	}
	add("after its end, for who takes the first", start("write"), piece(badCall[:within]), stop, twice(piece(badCall[within:]), "partial_json"), stop)
	add("a text after its end, for who takes the first", text(violation[:4]), stop, twice(text(violation[4:]), "text"), stop)
	add("a text after its end", text(violation[:4]), stop, text(violation[4:]), stop)
	add("a text after its end, in pieces", text(violation[:4]), stop, text(violation[4:6]), text(violation[6:]), stop)
	return list
}

// geminiSays is a chunk with candidates, each "index parts".
func geminiSays(candidates ...string) string {
	var list []string
	for _, c := range candidates {
		index, parts, _ := strings.Cut(c, " ")
		list = append(list, `{"index":`+index+`,"content":{"role":"model","parts":[`+parts+`]}}`)
	}
	return `{"candidates":[` + strings.Join(list, ",") + `]}`
}

// geminiContradictions are those of Gemini: what is one text to SDKs, whatever stands between its pieces or beside them.
func geminiContradictions() (list []contradiction) {
	const code, call = `{"executableCode":{"code":"x"}},{"codeExecutionResult":{"output":"y"}}`, `"functionCall":{"name":"f","args":{}}`
	head, rest := `{"text":"`+violation[:4]+`"}`, `{"text":"`+violation[4:]+`"}`
	add := func(name string, events ...string) {
		list = append(list, contradiction{name: name, api: modeltest.Gemini, events: append(events, lastEvents[modeltest.Gemini])})
	}
	add("a text beside a call", geminiSays(`0 {"text":"`+violation+`",`+call+`}`))
	add("a text beside a result", geminiSays(`0 {"text":"`+violation+`","functionResponse":{"name":"f","response":{}}}`))
	add("a text beside a piece of a call", geminiSays(`0 {"text":"`+violation+`","functionCall":{"name":"f","willContinue":true}}`))
	add("half of a text beside a call", geminiSays("0 "+head), geminiSays(`0 {"text":"`+violation[4:]+`",`+call+`}`))
	for _, other := range []string{call, `"executableCode":{"code":"x"}`, `"inlineData":{"mimeType":"a/b","data":"aa"}`} {
		add("within a text another beside "+other[:12], geminiSays("0 "+head), geminiSays(`0 {"text":"a",`+other+`}`), geminiSays("0 "+rest))
	}
	add("code within a text", geminiSays("0 "+head+","+code), geminiSays("0 "+code+","+rest))
	add("the second candidate first", geminiSays("1 "+head), geminiSays("0 "+rest))
	add("candidates in another order", geminiSays("1 "+head, `0 {"text":"q"}`), geminiSays("0 "+rest, `1 {"text":"q"}`))
	add("another candidate, code within", geminiSays("0 "+head+","+code), geminiSays("1 "+rest))
	add("another candidate, a text beside a call within", geminiSays("0 "+head+`,{"text":"a",`+call+`}`), geminiSays("1 "+rest))
	add("a call in the pieces of two candidates", geminiSays(`0 {"functionCall":{"name":"write","willContinue":true,"partialArgs":[{"jsonPath":"$.path","stringValue":"a.ts"},{"jsonPath":"$.content","stringValue":"`+violation[:4]+`"}]}}`),
		geminiSays(`1 {"functionCall":{"partialArgs":[{"jsonPath":"$.content","stringValue":"`+violation[4:]+`"}]}}`))
	return list
}

// TestGeminiCandidates: several candidates that were asked for are texts of their own, in whatever order they come.
func TestGeminiCandidates(t *testing.T) {
	events := data(geminiSays(`0 {"text":"`+violation[:4]+`"}`), geminiSays(`1 {"text":"`+violation[4:]+`"}`), lastEvents[modeltest.Gemini])
	address, asked := scripted(t, []string{events}, fire)
	path, body := request(modeltest.Gemini, true, ">hello")
	r := post(t, address+path, `{"generationConfig":{"candidateCount":2},`+body[1:], modeltest.Gemini, nil)
	if r.raw != events || *asked != 1 {
		t.Errorf("asked %d times, %v %q", *asked, r.err, r.raw)
	}
}

// TestGeminiDocumentParts: a document is watched as a stream is: texts beside calls, and with code between them.
func TestGeminiDocumentParts(t *testing.T) {
	for name, parts := range map[string]string{
		"beside a call": `{"text":"` + violation + `","functionCall":{"name":"f","args":{}}}`,
		"code within":   `{"text":"` + violation[:4] + `"},{"executableCode":{"code":"x"}},{"text":"` + violation[4:] + `"}`,
		"call within":   `{"text":"` + violation[:4] + `"},{"text":"a","functionCall":{"name":"f","args":{}}},{"text":"` + violation[4:] + `"}`,
	} {
		address, asked := scripted(t, []string{geminiSays("0 " + parts), lastEvents[modeltest.Gemini]}, fire)
		if r := ask(t, address, modeltest.Gemini, false, nil, ">hello"); *asked != 2 || r.raw != lastEvents[modeltest.Gemini] {
			t.Errorf("%s: asked %d times, %v %q", name, *asked, r.err, r.raw)
		}
	}
}

// TestContradictions: whatever an answer says first and whatever it says later of the same, a client that goes by either reads no
// violation. Where there is none, the client gets all bytes as they came.
func TestContradictions(t *testing.T) {
	for _, list := range [][]contradiction{responseContradictions(), chatContradictions(), messageContradictions(), geminiContradictions()} {
		caught(t, list)
	}
}

// caught checks that no client gets the violation of a contradiction, and what is none as it came.
func caught(t *testing.T, list []contradiction) {
	t.Helper()
	rule := fire
	rule.Scope = []string{"text", "tool:write(*.ts)"}
	for _, c := range list {
		t.Run(string(c.api)+"/"+c.name, func(t *testing.T) {
			address, asked := scripted(t, []string{data(c.events...), data(lastEvents[c.api])}, rule)
			r := ask(t, address, c.api, true, nil, ">hello")
			if strings.Contains(r.raw, violation[4:]) && (c.harmless == "" || strings.Contains(r.raw, c.harmless)) || *asked > 2 {
				t.Errorf("asked %d times, %v %s", *asked, r.err, r.raw)
			}
			calm := strings.NewReplacer(violation, "fine", violation[:4], "fi", violation[4:], "ne", violation[4:6], "n", violation[6:], "e").Replace(data(c.events...))
			address, asked = scripted(t, []string{calm}, rule)
			if r := ask(t, address, c.api, true, nil, ">hello"); r.raw != calm || *asked != 1 {
				t.Errorf("asked %d times, %v %q, not %q", *asked, r.err, r.raw, calm)
			}
		})
	}
}

// TestToldAgain: an answer that is told once more at its end, without some of its items, is watched once.
func TestToldAgain(t *testing.T) {
	var i items
	at := func(event string) string { return strings.Replace(event, `"output_index":0`, `"output_index":1`, 1) }
	call := i.call("a", "write", `{"path":"a.ts","content":"x"}`)
	calm := data(i.done(`{"type":"reasoning","id":"q","summary":[]}`), at(i.delta("ok")), at(i.done(i.text("ok"))),
		strings.Replace(i.done(call), `"output_index":0`, `"output_index":2`, 1), i.ended("completed", i.text("ok"), call))
	var told releases
	server := before(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, calm)
	}), func(o *gateway.Options) { o.Release = told.add })
	if r := ask(t, server.URL, modeltest.Responses, true, nil, ">hello"); r.raw != calm {
		t.Errorf("%v %q, not %q", r.err, r.raw, calm)
	}
	var got []string
	for _, r := range told.list {
		got = append(got, r.Tool+r.Arguments+strings.Join(r.Texts, "|"))
	}
	same(t, "releases", got, []string{`write{"path":"a.ts","content":"x"}`, "ok"})
}

// TestTooManyReadings: an answer that begins a call again and again, or goes on after its end, is refused: each costs all of it.
func TestTooManyReadings(t *testing.T) {
	start := `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"write","input":{}}}`
	piece := `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{}"}}`
	text := `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}}`
	const stop = `{"type":"content_block_stop","index":0}`
	for name, events := range map[string][]string{"begun": {start, piece}, "reopened": {piece, stop}, "a text": {text, stop}} {
		var all []string
		for range 100 {
			all = append(all, events...)
		}
		address, _ := scripted(t, []string{data(append(all, `{"type":"message_stop"}`)...)}, fire)
		if r := ask(t, address, modeltest.Messages, true, nil, ">hello"); r.err == nil && r.header.Get("X-Pertain-Error") != "upstream_too_large" {
			t.Errorf("%s: %v %.300q", name, r.err, r.raw)
		}
	}
}

// TestTooManyIDs: a call that is begun under ever new ids is refused.
func TestTooManyIDs(t *testing.T) {
	var all []string
	for i := range 100 {
		all = append(all, fmt.Sprintf(`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t%d","name":"write","input":{}}}`, i))
	}
	address, _ := scripted(t, []string{data(append(all, lastEvents[modeltest.Messages])...)}, fire)
	if r := ask(t, address, modeltest.Messages, true, nil, ">hello"); r.header.Get("X-Pertain-Error") != "upstream_too_large" {
		t.Errorf("%v %.300q", r.err, r.raw)
	}
}
