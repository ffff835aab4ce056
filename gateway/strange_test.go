package gateway_test

import (
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/gateway"
	"github.com/pertain-dev/pertain/internal/modeltest"
)

// saying are an event and a document with some text, after a field and with a key of that text.
var saying = map[modeltest.API]struct{ event, document, last string }{
	modeltest.Messages: {
		`{%[1]s"type":"content_block_delta","index":0,"delta":{"type":"text_delta","%[2]s":"%[3]s"}}`,
		`{%[1]s"type":"message","content":[{"type":"text","%[2]s":"%[3]s"}]}`, "text",
	},
	modeltest.Chat: {
		`{%[1]s"id":"c","choices":[{"index":0,"delta":{"%[2]s":"%[3]s"}}]}`,
		`{%[1]s"id":"c","choices":[{"index":0,"message":{"%[2]s":"%[3]s"},"finish_reason":"stop"}]}`, "content",
	},
	modeltest.Responses: {
		`{%[1]s"type":"response.output_text.delta","output_index":0,"content_index":0,"%[2]s":"%[3]s"}`,
		`{%[1]s"id":"r","output":[{"type":"message","content":[{"type":"output_text","text":"%[3]s"}]}]}`, "delta",
	},
	modeltest.Gemini: {
		`{%[1]s"candidates":[{"content":{"role":"model","parts":[{"%[2]s":"%[3]s"}]}}]}`,
		`{%[1]s"candidates":[{"content":{"role":"model","parts":[{"%[2]s":"%[3]s"}]},"finishReason":"STOP"}]}`, "text",
	},
}

// strangeFields are what no strict reader takes, but some client's does.
func strangeFields() map[string]string {
	return map[string]string{
		"NaN": `"x":NaN,`, "infinity": `"x":[-Infinity,Infinity],`, "control characters": "\"x\":\"a\x01\tb\",", "a comment": `/* x */`, "no quotes": `x:1,`, "other quotes": `'x':'{',`,
		"a bad escape": `"x":"\a",`, "deep": `"x":` + strings.Repeat("[", 12_000) + strings.Repeat("]", 12_000) + `,`,
		"deep objects": `"x":` + strings.Repeat(`{"x":`, 12_000) + `1` + strings.Repeat("}", 12_000) + `,`,
	}
}

// TestStrangeJSON: what the client's parser may read and a strict one does not is watched, in events, of which two may have the
// violation together, and in documents. Where nothing fires, it is passed on as it came.
func TestStrangeJSON(t *testing.T) {
	half := len(violation) / 2 / 2 * 2 // letters of two bytes
	for api, form := range saying {
		events := map[string]func(text string) string{}
		documents := map[string]func(text string) string{}
		for name, field := range strangeFields() {
			events[name] = func(text string) string { return fmt.Sprintf(form.event, field, form.last, text) }
			documents[name] = func(text string) string { return fmt.Sprintf(form.document, field, form.last, text) }
		}
		events["case"] = func(text string) string { return fmt.Sprintf(form.event, "", strings.ToUpper(form.last), text) }
		documents["case"] = func(text string) string { return fmt.Sprintf(form.document, "", strings.ToUpper(form.last), text) }
		events["more"] = func(text string) string { return fmt.Sprintf(form.event, "", form.last, text) + " x" }
		documents["more"] = func(text string) string { return fmt.Sprintf(form.document, "", form.last, text) + "{}" }
		documents["cut"] = func(text string) string {
			return strings.TrimRight(fmt.Sprintf(form.document, "", form.last, text), "}]")
		}
		for name, event := range events {
			calm := data(event("so"), event("fine"), lastEvents[api])
			for _, pieces := range [][]string{{event(violation)}, {event(violation[:half]), event(violation[half:])}} {
				address, asked := scripted(t, []string{data(append(pieces, lastEvents[api])...), calm}, fire)
				if r := ask(t, address, api, true, nil, ">hello"); *asked != 2 || r.hasViolation() || strings.Contains(r.raw, violation[half:]) {
					t.Errorf("%s, %s: asked %d times, %.300q", api, name, *asked, r.raw)
				}
			}
			address, asked := scripted(t, []string{calm}, fire)
			if r := ask(t, address, api, true, nil, ">hello"); *asked != 1 || r.raw != calm {
				t.Errorf("%s, %s: asked %d times, other bytes: %.300q", api, name, *asked, r.raw)
			}
		}
		for name, document := range documents {
			address, asked := scripted(t, []string{document(violation), document("so")}, fire)
			if r := ask(t, address, api, false, nil, ">hello"); *asked != 2 || r.hasViolation() {
				t.Errorf("%s, %s, whole: asked %d times, %.300q", api, name, *asked, r.raw)
			}
			address, asked = scripted(t, []string{document("so")}, fire)
			if r := ask(t, address, api, false, nil, ">hello"); *asked != 1 || r.raw != document("so") {
				t.Errorf("%s, %s, whole: asked %d times, other bytes: %.300q", api, name, *asked, r.raw)
			}
		}
	}
}

// TestUnreadable: what is no JSON at all is watched as it stands.
func TestUnreadable(t *testing.T) {
	wide := func(text string) string { // as some detect it
		var b strings.Builder
		for _, c := range text {
			b.WriteString(string(c) + "\x00")
		}
		return b.String()
	}
	for name, text := range map[string]string{"words": "it is %s", "escapes": `"\u0020%s`, "two bytes a letter": "so " + wide("%s")} {
		bad := strings.Replace(strings.Replace(text, "%s", "BÄD", 1), "%\x00s", wide("BAD"), 1)
		rule := fire
		rule.Patterns = []string{`\bB[AÄ]D`}
		for _, streamed := range []bool{false, true} {
			answers := []string{bad, "fine"}
			if streamed {
				answers = []string{data(bad, "[DONE]"), data("[DONE]")}
			}
			address, asked := scripted(t, answers, rule)
			if r := ask(t, address, modeltest.Chat, streamed, nil, ">hello"); *asked != 2 || strings.Contains(r.raw, "BÄD") {
				t.Errorf("%s, %v: asked %d times, %q", name, streamed, *asked, r.raw)
			}
		}
	}
}

// TestRepeatedKinds: of several members that say what an event is, each counts, and so does the name of the event where none does.
func TestRepeatedKinds(t *testing.T) {
	delta := func(kind, delta string) string { return `{` + kind + `"index":0,"delta":{` + delta + `}}` }
	text := `"type":"text_delta","text":"` + violation + `"`
	const last = `data: {"type":"message_stop"}` + "\n\n"
	for name, event := range map[string]string{
		"the first kind":     "data: " + delta(`"type":"content_block_delta","type":"ping",`, text),
		"the last kind":      "data: " + delta(`"type":"ping","type":"content_block_delta",`, text),
		"in another case":    "data: " + delta(`"type":"ping","Type":"content_block_delta",`, text),
		"the first piece":    "data: " + delta(`"type":"content_block_delta",`, text+`,"type":"signature_delta"`),
		"parts of each":      "data: " + `{"type":"content_block_delta","index":0,"delta":{"text":"` + violation + `"},"delta":{"type":"text_delta"}}`,
		"the name":           "event: content_block_delta\ndata: " + delta("", text),
		"an unknown piece":   "data: " + delta(`"type":"content_block_delta",`, `"type":"new_delta","text":"`+violation+`"`),
		"a text of thinking": data(`{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"so"}}`) + "data: " + delta(`"type":"content_block_delta",`, text),
	} {
		address, asked := scripted(t, []string{event + "\n\n" + last, last}, fire)
		if r := ask(t, address, modeltest.Messages, true, nil, ">hello"); *asked != 2 || r.hasViolation() {
			t.Errorf("%s: asked %d times, %q", name, *asked, r.raw)
		}
	}
	document := `{"type":"message","content":"` + violation + `"}`
	address, asked := scripted(t, []string{document, `{"type":"message","content":[]}`}, fire)
	if r := ask(t, address, modeltest.Messages, false, nil, ">hello"); *asked != 2 || r.hasViolation() {
		t.Errorf("a text for blocks: asked %d times, %q", *asked, r.raw)
	}
}

// TestFarIndexes: whatever number a choice, a call or an item has, it is watched.
func TestFarIndexes(t *testing.T) {
	for _, index := range []string{"-1", "1048577", "4611686018427387904", "-9223372036854775808"} {
		for api, event := range map[modeltest.API]string{
			modeltest.Messages:  `{"type":"content_block_delta","index":%s,"delta":{"type":"text_delta","text":"` + violation + `"}}`,
			modeltest.Chat:      `{"id":"c","choices":[{"index":%s,"delta":{"content":"` + violation + `"}}]}`,
			modeltest.Responses: `{"type":"response.output_text.delta","output_index":%s,"content_index":0,"delta":"` + violation + `"}`,
			modeltest.Gemini:    `{"candidates":[{"index":%s,"content":{"parts":[{"text":"` + violation + `"}]}}]}`,
		} {
			address, asked := scripted(t, []string{data(fmt.Sprintf(event, index), lastEvents[api]), data(lastEvents[api])}, fire)
			if r := ask(t, address, api, true, nil, ">hello"); *asked != 2 || r.hasViolation() {
				t.Errorf("%s, %s: asked %d times, %q", api, index, *asked, r.raw)
			}
		}
		call := `{"id":"c","choices":[{"index":0,"delta":{"tool_calls":[{"index":` + index + `,"id":"a","function":{"name":"write","arguments":"{\"content\":\"` + violation + `\"}"}}]}}]}`
		rule := fire
		rule.Scope = []string{"tool"}
		address, asked := scripted(t, []string{data(call, `[DONE]`), data(`[DONE]`)}, rule)
		if r := ask(t, address, modeltest.Chat, true, nil, ">hello"); *asked != 2 || r.hasViolation() {
			t.Errorf("a call, %s: asked %d times, %q", index, *asked, r.raw)
		}
	}
}

// TestTooManyParts: an answer of more texts than are told apart is refused, and not passed on unwatched.
func TestTooManyParts(t *testing.T) {
	const many = 1<<16 + 1
	var events, blocks strings.Builder
	for i := range many {
		fmt.Fprintf(&events, "data: {\"type\":\"content_block_delta\",\"index\":%d,\"delta\":{\"type\":\"text_delta\",\"text\":\"a\"}}\n\n", i)
		blocks.WriteString(`{"type":"text","text":"a"},`)
	}
	last := fmt.Sprintf(`{"type":"content_block_delta","index":%d,"delta":{"type":"text_delta","text":%q}}`, many, violation)
	address, _ := scripted(t, []string{events.String() + data(last, `{"type":"message_stop"}`)}, fire)
	if r := ask(t, address, modeltest.Messages, true, nil, ">hello"); r.hasViolation() || r.err == nil || !strings.Contains(r.raw, "event: error") {
		t.Errorf("%v, %.300q", r.err, r.raw[max(len(r.raw)-300, 0):])
	}
	address, _ = scripted(t, []string{`{"type":"message","content":[` + blocks.String() + `{"type":"text","text":"` + violation + `"}]}`}, fire)
	if r := ask(t, address, modeltest.Messages, false, nil, ">hello"); r.hasViolation() || r.status != http.StatusBadGateway || r.header.Get("X-Pertain-Error") != "upstream_too_large" {
		t.Errorf("%d, %.300q", r.status, r.raw)
	}
}

// answering is a gateway before an upstream that answers with a status, headers and a text, the second time with another text.
func answering(t *testing.T, status int, header http.Header, first, second string) (address string, asked *int) {
	t.Helper()
	asked = new(int)
	server := before(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for name, values := range header {
			w.Header()[name] = values
		}
		*asked++
		w.WriteHeader(status)
		_, _ = io.WriteString(w, map[bool]string{true: first, false: second}[*asked == 1])
	}), func(o *gateway.Options) {
		workspace := &gateway.Workspace{Dir: "/w", Triggers: set(t, fire)}
		o.Workspace = func(string) *gateway.Workspace { return workspace }
	})
	return server.URL, asked
}

// TestEverySuccess: every success is watched and keeps its status; errors and what has no body pass as they are.
func TestEverySuccess(t *testing.T) {
	event := func(text string) string {
		return data(`{"id":"c","choices":[{"index":0,"delta":{"content":"`+text+`"}}]}`, `[DONE]`)
	}
	document := func(text string) string {
		return `{"id":"c","choices":[{"index":0,"message":{"content":"` + text + `"},"finish_reason":"stop"}]}`
	}
	for _, status := range []int{200, 201, 202, 203, 205, 206, 226, 299} {
		for _, streamed := range []bool{true, false} {
			say := map[bool]func(string) string{true: event, false: document}[streamed]
			address, asked := answering(t, status, nil, say(violation), say("fine"))
			if r := ask(t, address, modeltest.Chat, streamed, nil, ">hello"); *asked != 2 || r.hasViolation() || r.status != status {
				t.Errorf("%d, %v: asked %d times, %d, %q", status, streamed, *asked, r.status, r.raw)
			}
			address, asked = answering(t, status, nil, say("fine"), "")
			if r := ask(t, address, modeltest.Chat, streamed, nil, ">hello"); *asked != 1 || r.raw != say("fine") || r.status != status {
				t.Errorf("%d, %v: asked %d times, %d, %q", status, streamed, *asked, r.status, r.raw)
			}
		}
	}
	for _, status := range []int{204, 400, 429, 500} {
		address, asked := answering(t, status, nil, event(violation), "")
		if r := ask(t, address, modeltest.Chat, true, nil, ">hello"); *asked != 1 || r.err != nil || r.status != status || status != 204 && r.raw != event(violation) {
			t.Errorf("%d: asked %d times, %d, %q, %v", status, *asked, r.status, r.raw, r.err)
		}
	}
}

// TestOtherEncodings: an answer is refused that says of itself, in whatever place, that it has to be unpacked or is in other characters.
func TestOtherEncodings(t *testing.T) {
	for _, header := range []http.Header{
		{"Content-Encoding": {"identity", "br"}},
		{"Content-Encoding": {"gzip, gzip"}},
		{"Content-Encoding": {"", "deflate"}},
		{"Content-Type": {"application/json; charset=utf-7"}},
		{"Content-Type": {"application/json; charset=UTF-16LE"}},
	} {
		address, asked := answering(t, http.StatusOK, header, "{}", "")
		if r := ask(t, address, modeltest.Chat, false, nil, ">hello"); *asked != 1 || r.status != http.StatusBadGateway || r.header.Get("X-Pertain-Error") != "upstream_encoding" {
			t.Errorf("%v: %d, %q", header, r.status, r.raw)
		}
	}
	for _, header := range []http.Header{{"Content-Encoding": {"identity"}}, {"Content-Type": {"application/json; charset=ISO-8859-1"}}, {"Content-Type": {"application/json;charset=UTF-8"}}} {
		address, _ := answering(t, http.StatusOK, header, "{}", "")
		if r := ask(t, address, modeltest.Chat, false, nil, ">hello"); r.status != http.StatusOK || r.raw != "{}" {
			t.Errorf("%v: %d, %q", header, r.status, r.raw)
		}
	}
}

// TestOtherCharacters: an answer in UTF-16 or UTF-32, with a mark or without, is refused whatever it says of itself, the first and
// one after an interruption, as a document and as a stream; one that begins with a mark of UTF-8, or is empty, is not.
func TestOtherCharacters(t *testing.T) {
	for _, api := range apis {
		form := saying[api]
		for _, streamed := range []bool{false, true} {
			text, bad := fmt.Sprintf(form.document, "", form.last, "fine"), fmt.Sprintf(form.document, "", form.last, violation)
			if streamed {
				text, bad = data(fmt.Sprintf(form.event, "", form.last, "fine"), lastEvents[api]), data(fmt.Sprintf(form.event, "", form.last, violation), lastEvents[api])
			}
			for _, kind := range []string{"application/json", "text/plain", "text/event-stream", "application/json; charset=utf-8"} {
				header := http.Header{"Content-Type": {kind}}
				refused := func(what, first, second string, times int) {
					t.Helper()
					address, asked := answering(t, http.StatusOK, header, first, second)
					r := ask(t, address, api, streamed, nil, ">hello")
					if *asked != times || r.status != http.StatusBadGateway || r.header.Get("X-Pertain-Error") != "upstream_encoding" {
						t.Errorf("%s, %v, %s, %s: asked %d times, %d %q", api, streamed, kind, what, *asked, r.status, r.raw)
					}
				}
				for name, wide := range widely(text) {
					refused(name, wide, "", 1)
				}
				refused("a list", widely("[" + text + "]")["UTF-16LE"], "", 1)
				refused("the second", bad, widely(text)["UTF-16BE"], 2)
				for _, body := range []string{text, "\ufeff" + text} {
					address, asked := answering(t, http.StatusOK, header, body, "")
					if r := ask(t, address, api, streamed, nil, ">hello"); *asked != 1 || r.status != http.StatusOK || r.raw != body {
						t.Errorf("%s, %v, %s: asked %d times, %d %q, not %q", api, streamed, kind, *asked, r.status, r.raw, body)
					}
				}
			}
		}
	}
}

// widely writes a text in characters of two and of four bytes.
func widely(text string) map[string]string {
	out := map[string]string{}
	for mark, with := range map[string]string{"": "", " with a mark": "\ufeff"} {
		var b [4][]byte
		for _, r := range with + text {
			b[0], b[1] = binary.LittleEndian.AppendUint16(b[0], uint16(r)), binary.BigEndian.AppendUint16(b[1], uint16(r))
			b[2], b[3] = binary.LittleEndian.AppendUint32(b[2], uint32(r)), binary.BigEndian.AppendUint32(b[3], uint32(r))
		}
		for i, name := range []string{"UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"} {
			out[name+mark] = string(b[i])
		}
	}
	return out
}
