package mcpserver_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/internal/mcpserver"
)

// hello begins a session.
const hello = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"%s","capabilities":%s,"clientInfo":{"name":"x","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

// ping must be answered, whatever was sent before.
const ping = `{"jsonrpc":"2.0","id":"ping","method":"ping"}` + "\n"

type written struct {
	mu sync.Mutex
	bytes.Buffer
}

func (w *written) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.Buffer.Write(p)
}

func (*written) Close() error { return nil }

// send has a server read an input to its end, and returns the answers by id, as
// JSON: those without one under null, the last one.
func send(t *testing.T, dir, input string) map[string]string {
	t.Helper()
	b, out := &bench{}, &written{}
	if err := mcpserver.New(b.options(t, dir)).Serve(t.Context(), io.NopCloser(strings.NewReader(input)), out); err != nil {
		t.Errorf("the server ended with %v", err)
	}
	answers := map[string]string{}
	for line := range strings.Lines(out.String()) {
		var answer struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
			Result json.RawMessage `json:"result"`
			Error  *struct {
				Code    int    `json:"code"`
				Message string `json:"message"`
			} `json:"error"`
		}
		if strings.HasPrefix(line, "[") {
			answers["batch"] = strings.TrimSpace(line)
			continue
		}
		if err := json.Unmarshal([]byte(line), &answer); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		switch id := string(answer.ID); {
		case answer.Method != "":
		case answer.Error != nil:
			answers[id] = fmt.Sprintf("%d %s", answer.Error.Code, answer.Error.Message)
		default:
			answers[id] = string(answer.Result)
		}
	}
	return answers
}

// TestMistakesCostOneMessage sends lines that are none of the protocol's: each is
// answered as JSON-RPC says, and the session goes on.
func TestMistakesCostOneMessage(t *testing.T) {
	dir := everything(t)
	for _, c := range []struct{ line, id, want string }{
		{"garbage", "null", "-32700"},
		{"{", "null", "-32700"},
		{"\xff\xfe\x00", "null", "-32700"},
		{`{"jsonrpc":"2.0","id":94,"method":"ping"} trailing`, "null", "-32700"},
		{`{"jsonrpc":"2.0","id":94,"method":"ping"}{"jsonrpc":"2.0","id":93,"method":"ping"}`, "null", "-32700"},
		{"Content-Length: 50\r", "null", "-32700"},
		{"[]", "null", "-32600"},
		{"null", "null", "-32600"},
		{"5", "null", "-32600"},
		{`{"jsonrpc":"2.0"}`, "null", "-32600"},
		{`{"jsonrpc":"1.0","id":99,"method":"ping"}`, "99", "-32600"},
		{`{"id":99,"method":"ping"}`, "99", "-32600"},
		{`{"jsonrpc":"2.0","id":92,"METHOD":"ping"}`, "92", "-32600"},
		{`{"jsonrpc":"2.0","id":92,"method":5}`, "92", "-32600"},
		{`{"jsonrpc":"2.0","id":null,"method":"ping"}`, "null", "-32600"},
		{`{"jsonrpc":"2.0","id":{},"method":"ping"}`, "null", "-32600"},
		{`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, "1.5", "-32600"},
		{`{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`, "9007199254740993", "-32600"},
		{`{"jsonrpc":"2.0","id":1e0,"method":"ping"}`, "1", "{}"},
		{`{"jsonrpc":"2.0","id":"é","method":"ping"}`, `"é"`, "{}"},
		{`[{"jsonrpc":"2.0","id":97,"method":"ping"},{"jsonrpc":"2.0","id":96,"method":"ping"}]`, "null", "-32600"},
		{strings.Repeat("[", 100_000), "null", "-32600"},
		{`{"jsonrpc":"2.0","id":95,"method":"ping","params":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + "}", "95", "-32600"},
		{`{"jsonrpc":"2.0","id":98,"method":"tools/call","params":[]}`, "98", "-32602"},
		{`{"jsonrpc":"2.0","id":98,"method":"tools/call","params":"secret"}`, "98", "-32602"},
		{`{"jsonrpc":"2.0","id":98,"method":"tools/call","params":{"name":{"secret":1}}}`, "98", "-32602 the params have not the form"},
		{`{"jsonrpc":"2.0","id":98,"method":"initialize","params":{"protocolVersion":5,"clientInfo":{"name":"secret"}}}`, "98", "-32602 the params have not the form"},
		{`{"jsonrpc":"2.0","id":"s","method":"nope"}`, `"s"`, "-32601"},
		{`{"jsonrpc":"2.0","id":"s","method":""}`, `"s"`, "-32601"},
		{`{"jsonrpc":"2.0","id":"again","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`, `"again"`, "-32600"},
		{`{"jsonrpc":"2.0","method":"notifications/nope"}`, "", ""},
		{`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":777}}`, "", ""},
		{`{"jsonrpc":"2.0","method":"notifications/cancelled","params":[]}`, "", ""},
		{`{"jsonrpc":"2.0","id":98,"result":{}}`, "", ""},
		{`{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}`, "", ""},
		{`{"jsonrpc":"2.0","id":98,"error":"x"}`, "", ""},
		{"", "", ""},
		{"   \r", "", ""},
	} {
		name := c.line[:min(len(c.line), 60)]
		begin := fmt.Sprintf(hello, "2025-06-18", "{}")
		// Twice: what follows a mistake is read from its own beginning.
		answers := send(t, dir, begin+c.line+"\n"+c.line+"\n"+ping)
		if answers[`"ping"`] != "{}" {
			t.Errorf("%q: the session did not go on: %v", name, answers)
		}
		if got := answers[c.id]; c.id != "" && !strings.HasPrefix(got, c.want) || strings.Contains(got, "secret") || strings.Contains(got, "mcp.") {
			t.Errorf("%q: got %v", name, answers)
		}
		if c.id == "" && len(answers) > 2 {
			t.Errorf("%q was answered: %v", name, answers)
		}
	}
}

// TestBatches holds that versions with batches have them.
func TestBatches(t *testing.T) {
	answers := send(t, everything(t), fmt.Sprintf(hello, "2024-11-05", "{}"))
	if !strings.Contains(answers[`"hello"`], "2024-11-05") {
		t.Fatalf("%v", answers)
	}
	// The version is agreed upon by the answer, so what follows must wait for it.
	in, feed := io.Pipe()
	out, done := &written{}, make(chan error, 1)
	b := &bench{}
	go func() { done <- mcpserver.New(b.options(t, everything(t))).Serve(t.Context(), in, out) }()
	_, _ = fmt.Fprintf(feed, hello, "2025-03-26", "{}")
	for began := time.Now(); ; time.Sleep(time.Millisecond) {
		out.mu.Lock()
		begun := bytes.Contains(out.Bytes(), []byte("protocolVersion"))
		out.mu.Unlock()
		if begun {
			break
		}
		if time.Since(began) > 20*time.Second {
			t.Fatal("the server does not answer")
		}
	}
	_, _ = io.WriteString(feed, `[{"jsonrpc":"2.0","id":1,"method":"ping"},5,{"jsonrpc":"2.0","method":"notifications/nope"},{"jsonrpc":"2.0","id":2,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]`+"\n[5]\n[]\n")
	feed.Close()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	lines := slices.Collect(strings.Lines(out.String()))
	slices.Sort(lines)
	var sizes []int
	for _, l := range lines {
		var list []any
		if json.Unmarshal([]byte(l), &list) == nil {
			sizes = append(sizes, len(list))
		}
	}
	slices.Sort(sizes)
	if len(lines) != 4 || !slices.Equal(sizes, []int{1, 4}) {
		t.Errorf("got %q", lines)
	}
}

// TestLongMessages holds that what is documented to be taken is, and that more is
// refused by its id, wherever that stands.
func TestLongMessages(t *testing.T) {
	dir := everything(t)
	check := func(text string) string {
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		return `{"jsonrpc":"2.0","method":"tools/call","params":{"name":"check_text","arguments":{"text":` + string(quoted) + `}},"id":"long"}` + "\n"
	}
	for _, c := range []struct{ name, line, id, want string }{
		{"1 MiB", check(strings.Repeat("x", 1<<20)), `"long"`, `{"content"`},
		{"1 MiB of control characters", check(strings.Repeat("\x01", 1<<20)), `"long"`, `{"content"`},
		{"4 MiB", check(strings.Repeat("x", 4<<20)), `"long"`, `{"content"`}, // the tool says what it takes
		{"20 MiB, id last", check(strings.Repeat("x", 20<<20)), `"long"`, "-32600"},
		{"20 MiB, id first", `{"id":7,"x":"` + strings.Repeat(`\"`, 10<<20) + "\"}\n", "7", "-32600"},
		{"20 MiB of nothing", strings.Repeat("z", 20<<20) + "\n", "null", "-32600"},
	} {
		answers := send(t, dir, fmt.Sprintf(hello, "2025-06-18", "{}")+c.line+ping)
		if answers[`"ping"`] != "{}" || !strings.HasPrefix(answers[c.id], c.want) {
			t.Errorf("%s: got %.300v", c.name, answers)
		}
	}
	answers := send(t, dir, fmt.Sprintf(hello, "2025-06-18", "{}")+check(strings.Repeat("x", 4<<20)))
	if !strings.Contains(answers[`"long"`], "check it in parts") {
		t.Errorf("got %.300v", answers)
	}
}

// TestEndOfInput sends requests as a file would: all are answered, though nobody
// is there to name roots.
func TestEndOfInput(t *testing.T) {
	dir := everything(t)
	input := fmt.Sprintf(hello, "2025-06-18", `{"roots":{"listChanged":true}}`)
	for i := range 50 {
		input += fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"rules_for_files","arguments":{"files":["a%d.ts"]}}}`+"\n", i, i)
		input += fmt.Sprintf(`{"jsonrpc":"2.0","id":"l%d","method":"resources/list"}`+"\n", i)
	}
	input = strings.TrimSuffix(input, "\n") // the last line may lack its end
	answers := send(t, dir, input)
	for i := range 50 {
		if !strings.Contains(answers[fmt.Sprint(i)], "Use types.") {
			t.Errorf("request %d: got %.200q", i, answers[fmt.Sprint(i)])
		}
		if !strings.Contains(answers[fmt.Sprintf(`"l%d"`, i)], "rule://types") {
			t.Errorf("list %d: got %.200q", i, answers[fmt.Sprintf(`"l%d"`, i)])
		}
	}
	// One that listens has no end of its own.
	meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
	answers = send(t, dir, `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"resourcesListChanged":true},`+meta+`}}`+"\n"+
		`{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"rule://types",`+meta+"}}\n")
	if !strings.Contains(answers["2"], "Use types.") {
		t.Errorf("got %v", answers)
	}
}

// TestCodes holds that no error is without a code, and that a request that was
// cancelled is not answered.
func TestCodes(t *testing.T) {
	dir := everything(t)
	answers := send(t, dir, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`+"\n"+ping)
	if !strings.HasPrefix(answers["1"], "-32600") || answers[`"ping"`] != "{}" {
		t.Errorf("before initialize: %v", answers)
	}
	big := strings.Repeat("let x : ", 100_000)
	answers = send(t, dir, fmt.Sprintf(hello, "2025-06-18", "{}")+
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"check_text","arguments":{"text":"`+big+`"}}}`+"\n"+
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`+"\n"+ping)
	if got, ok := answers["1"]; ok && strings.Contains(got, "cancel") || answers[`"ping"`] != "{}" {
		t.Errorf("cancelled: %.300v", answers)
	}
}
