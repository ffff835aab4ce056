package gateway

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/pertain-dev/pertain/gateway/internal/jsontext"
	"github.com/pertain-dev/pertain/gateway/internal/sse"
)

// TestReadAlike: an event says the same, whether it was read by how the one before it was written or all of it.
func TestReadAlike(t *testing.T) {
	texts := []string{`"a"`, `" so"`, `""`, `"\n"`, `"é\u00e9"`, `"\"}"`, `null`, `7`, "\"\xff\"", `"x" , "y":"z"`, `"`, `["b"]`}
	forms := map[string][]string{
		"messages": {
			`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":%s}}`,
			`{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":%s}}`,
			`{"type":"content_block_delta","index":1,"delta":{"type":"thinking_delta","thinking":%s}}`,
			`{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":%s}}`,
			`{"type":"content_block_delta","index":2,"delta":{"type":"signature_delta","signature":%s}}`,
			`{"type":"content_block_stop","index":0,"more":%s}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a","text":%s}}`,
		},
		"chat": {
			`{"id":"c1","choices":[{"index":0,"delta":{"content":%s},"finish_reason":null}]}`,
			`{"id":"c2","choices":[{"index":0,"delta":{"content":%s}}]}`,
			`{"choices":[{"index":1,"delta":{"role":"assistant","content":%s}}]}`,
			`{"id":"c1","choices":[{"index":0,"delta":{"content":%s},"finish_reason":"stop"}]}`,
			`{"id":"c1","choices":[{"index":0,"delta":{"content":%s,"refusal":"no"}}]}`,
			`{"id":"c1","choices":[{"index":0,"delta":{"reasoning_content":%s}}],"usage":{"completion_tokens":3}}`,
			`{"id":"c1","choices":[{"index":0,"delta":{"content":%s}},{"index":1,"delta":{"content":"b"}}]}`,
			`{"id":"c1","choices":[{"index":0,"delta":{"content":%s}}],"error":{"message":"no"}}`,
			`{"id":"c1","choices":[{"index":0,"delta":{"content":"b","content":%s}}]}`,
		},
	}
	for name, list := range forms {
		for seed := range uint64(300) {
			r := rand.New(rand.NewPCG(seed, 3))
			alike, whole := answers(&messagesAnswers{}), answers(&messagesAnswers{})
			forget := func() { whole.(*messagesAnswers).usual.template = jsontext.Template{} }
			if name == "chat" {
				alike, whole = &chatAnswers{}, &chatAnswers{}
				forget = func() { whole.(*chatAnswers).usual.template = jsontext.Template{} }
			}
			form := list[0]
			for range 20 {
				if r.IntN(3) == 0 {
					form = list[r.IntN(len(list))]
				}
				e := sse.Event{Data: fmt.Appendf(nil, form, texts[r.IntN(len(texts))])}
				forget()
				got, want := alike.read(e), whole.read(e)
				if !reflect.DeepEqual(got, want) {
					t.Fatalf("%s, seed %d: %s says %+v, not %+v", name, seed, e.Data, got, want)
				}
				if a, ok := alike.(*chatAnswers); ok && (a.id != whole.(*chatAnswers).id || a.bytes != whole.(*chatAnswers).bytes) {
					t.Fatalf("seed %d: %s leaves %q, %d", seed, e.Data, a.id, a.bytes)
				}
				if a, ok := alike.(*messagesAnswers); ok && a.bytes != whole.(*messagesAnswers).bytes {
					t.Fatalf("seed %d: %s leaves %d", seed, e.Data, a.bytes)
				}
			}
		}
	}
}
