package gateway_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/modeltest"
)

// escaped is a text in JSON with every character as a number.
func escaped(text string) string {
	var b strings.Builder
	for _, r := range text {
		fmt.Fprintf(&b, `\u%04x`, r)
	}
	return b.String()
}

// oddEvents are ways of writing an event that some clients read, and that are none by the letter.
func oddEvents() map[string]func(data string) string {
	after := func(before, data string) string { return before + "data: " + data + "\n\n" }
	out := map[string]func(string) string{
		"each line by itself":     func(data string) string { return after("data: {\"x\":1}\n", data) },
		"a line that is no field": func(data string) string { return "data: {\"x\":1}\n" + data + "\n\n" },
		"over lines":              func(data string) string { return after("", strings.ReplaceAll(data, `":`, "\":\n")) },
		"over returns":            func(data string) string { return after("", strings.ReplaceAll(data, `":`, "\":\r")) },
		"over the end":            func(data string) string { return after("", strings.ReplaceAll(data, `":`, "\":\n\r\n")) },
		"over two returns":        func(data string) string { return after("", strings.ReplaceAll(data, `":`, "\":\r\r")) },
		"white space around":      func(data string) string { return after("", "\u2003\u2028"+data+"\u00a0") },
		"in lines without an end": func(data string) string { return strings.ReplaceAll(data, ",", ",\n") + "\n\n" },
	}
	for name, space := range map[string]string{
		"a mark": "\ufeff", "two marks": "\ufeff\ufeff", "a blank": " ", "a tab": "\t", "a hard blank": "\u00a0", "a separator": "\u2028", "a vertical tab": "\v", "a form feed": "\f",
		"a line of Python's": "id: 1\u2028", "another": "event: x\u0085", "a comment": ": x\x1c", "a name": "x\u2029",
	} {
		out[name] = func(data string) string { return after(space, data) }
	}
	return out
}

// TestOddEvents: what some clients take for an event is watched as they read it, together with what all read, and passes as it came
// if nothing fires.
func TestOddEvents(t *testing.T) {
	first, second := violation[:4], violation[4:]
	for api, form := range saying {
		event := func(text string) string { return fmt.Sprintf(form.event, "", form.last, text) }
		for name, odd := range oddEvents() {
			end := data(lastEvents[api])
			for what, answer := range map[string]string{
				"whole": odd(event(escaped(violation))), "the end": data(event(first)) + odd(event(escaped(second))),
				"all": odd(event(escaped(first))) + odd(event(escaped(second))), "the beginning": odd(event(escaped(first))) + data(event(second)),
			} {
				address, asked := scripted(t, []string{answer + end, end}, fire)
				if r := ask(t, address, api, true, nil, ">hello"); *asked != 2 || strings.Contains(r.raw, escaped(second)) || strings.Contains(r.raw, second) {
					t.Errorf("%s, %s, %s: asked %d times, %q", api, name, what, *asked, r.raw)
				}
			}
			calm := data(event("so")) + odd(event("it")) + data(event("is")) + odd(event("fine")) + end
			address, asked := scripted(t, []string{calm}, fire)
			if r := ask(t, address, api, true, nil, ">hello"); *asked != 1 || r.raw != calm || r.err != nil {
				t.Errorf("%s, %s: asked %d times, %v, other bytes: %q", api, name, *asked, r.err, r.raw)
			}
		}
	}
}

// TestOddEventsApart: what one client passes over does not stand between what it reads.
func TestOddEventsApart(t *testing.T) {
	event := func(text string) string { return fmt.Sprintf(saying[modeltest.Gemini].event, "", "text", text) }
	first, second := data(event(violation[:4])), event(violation[4:])
	for name, answer := range map[string]string{
		"another field":            first + "event: x\ndata: " + event("x") + "\n\n" + data(second),
		"a comment":                first + ": x\ndata: " + event("x") + "\n\n" + data(second),
		"a comment that goes on":   first + ": x\n\r\ndata: " + event("x") + "\n\n" + data(second),
		"no field, then a blank":   first + event("x") + "\n\n data: " + second + "\n\n",
		"a blank, then all":        first + " data: " + event("x") + "\n\n" + data(second),
		"each line, then a blank":  "data: " + event(violation[:4]) + "\ndata: " + second + "\n\n data: " + event("x") + "\n\n",
		"open up to the end":       first + event(violation[4:]+"{") + "\n\n",
		"a line up to the end":     first + strings.ReplaceAll("data: "+second, `":`, "\":\r\r") + "\n",
		"a call over several ways": first + "\ufeffdata: " + event("x") + "\n\n" + "data: {}\n" + second + "\n\n",
	} {
		end := data(lastEvents[modeltest.Gemini])
		address, asked := scripted(t, []string{answer + end, end}, fire)
		if r := ask(t, address, modeltest.Gemini, true, nil, ">hello"); *asked != 2 || strings.Contains(r.raw, violation[4:]) {
			t.Errorf("%s: asked %d times, %q", name, *asked, r.raw)
		}
	}
}

// TestEventsAfterBracket: a line before a stream that makes it look like a document hides nothing from who reads events.
func TestEventsAfterBracket(t *testing.T) {
	for api, form := range saying {
		event := func(text string) string { return fmt.Sprintf(form.event, "", form.last, text) }
		for _, line := range []string{"[", "{", "[\"", "{\"a\":1}", "[]", "[1]", "[{}]", "[{\"a\":\"", "\"x\""} {
			for _, events := range []string{data(event(escaped(violation))), data(event(violation[:4]), event(escaped(violation[4:]))), "\ufeff" + data(event(escaped(violation)))} {
				address, asked := scripted(t, []string{line + "\n\n" + events + data(lastEvents[api]), "{}"}, fire)
				r := ask(t, address, api, true, nil, ">hello")
				refused := api == modeltest.Gemini && r.header.Get("X-Pertain-Error") == "upstream_form"
				if strings.Contains(r.raw, escaped(violation[4:])) || *asked != 2 && !refused && r.err == nil {
					t.Errorf("%s after %q: asked %d times, %q", api, line, *asked, r.raw)
				}
			}
			calm := line + "\n\n" + data(event("fine"), lastEvents[api])
			address, asked := scripted(t, []string{calm}, fire)
			if r := ask(t, address, api, true, nil, ">hello"); *asked != 1 || r.raw != calm && (api != modeltest.Gemini || line[0] != '[') {
				t.Errorf("%s after %q: asked %d times, other bytes: %q", api, line, *asked, r.raw)
			}
		}
	}
}

// TestBudgetOfEventsInDocuments: what breaks off a document that is read as events counts, so that the upstream is not asked for ever.
func TestBudgetOfEventsInDocuments(t *testing.T) {
	for api, form := range saying {
		event := func(text string) string { return fmt.Sprintf(form.event, "", form.last, text) }
		first, second := event(violation[:4]), event(violation[4:])
		for name, answer := range map[string]string{
			"lines": first + "\n" + second + "\n", "after an object": "{}\n\n" + data(first, second, lastEvents[api]),
		} {
			address, asked := scripted(t, []string{answer}, fire)
			if r := ask(t, address, api, true, nil, ">hello"); *asked != 4 || r.raw != answer {
				t.Errorf("%s, %s: asked %d times, %q", api, name, *asked, r.raw)
			}
		}
	}
}

// TestHeldForSome: events that never end to some clients are refused when too much is held for them.
func TestHeldForSome(t *testing.T) {
	event := fmt.Sprintf(saying[modeltest.Gemini].event, "", "text", strings.Repeat("a", 1<<10))
	address, _ := scripted(t, []string{strings.Repeat("data: "+event+"\n\r\n", 2<<10) + data(lastEvents[modeltest.Gemini])}, fire)
	if r := ask(t, address, modeltest.Gemini, true, nil, ">hello"); r.header.Get("X-Pertain-Error") != "upstream_too_large" {
		t.Errorf("%v, %d bytes", r.err, len(r.raw))
	}
}
