package gateway_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/pertain-dev/pertain/internal/modeltest"
)

// TestPacked: requests that an agent compresses are read, watched over, and sent on as they are; what would unpack to more than a
// request may be, or is no such thing, is refused in the API's own form.
func TestPacked(t *testing.T) {
	const limit = 1 << 20
	server := before(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		text := "Say " + violation
		if strings.Contains(string(body), "system-interrupt") {
			text = "Better."
		}
		if r.Header.Get("Content-Encoding") != "" || !bytes.HasPrefix(body, []byte("{")) {
			text = "What is this?"
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"content":[{"type":"text","text":"`+text+`"}]}`)
	}), nil)
	path, plain := request(modeltest.Messages, false, ">hello")
	pack := map[string]func(string) string{
		"gzip": func(s string) string {
			var b bytes.Buffer
			z := gzip.NewWriter(&b)
			_, _ = io.WriteString(z, s)
			_ = z.Close()
			return b.String()
		},
		"zstd": func(s string) string {
			z, err := zstd.NewWriter(nil)
			if err != nil {
				t.Fatal(err)
			}
			return string(z.EncodeAll([]byte(s), nil))
		},
	}
	for name, packed := range pack {
		header := map[string]string{"Content-Encoding": name}
		if r := post(t, server.URL+path, packed(plain), modeltest.Messages, header); r.texts != "Better." {
			t.Errorf("%s: %d %s", name, r.status, r.raw)
		}
		if r := post(t, server.URL+path, packed(plain)[:12], modeltest.Messages, header); r.status != http.StatusBadRequest || !strings.Contains(r.raw, `"error"`) {
			t.Errorf("%s that is cut off: %d %s", name, r.status, r.raw)
		}
		bomb := packed(`{"messages":"` + strings.Repeat("a", 80*limit) + `"}`)
		if r := post(t, server.URL+path, bomb, modeltest.Messages, header); r.status != http.StatusRequestEntityTooLarge {
			t.Errorf("%s of %d bytes that unpack to 80 MiB: %d %s", name, len(bomb), r.status, r.raw)
		}
	}
	if r := post(t, server.URL+path, plain, modeltest.Messages, map[string]string{"Content-Encoding": "br"}); r.status != http.StatusUnsupportedMediaType {
		t.Errorf("an encoding that is not known: %d %s", r.status, r.raw)
	}
}

// TestUnpacksToMuch: a watched answer that unpacks to far more than was sent is refused, whole or streamed; others pass.
func TestUnpacksToMuch(t *testing.T) {
	for text, most := range map[string]int{"data: {}\n\n": 18 << 20, "[{},": 18 << 20, "{\"a\":\"": 18 << 20, "data: {}\n\n ": 0} {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, _ = io.WriteString(z, text)
		filler := strings.Repeat(": x\n\n", 1<<18)
		if text[0] != 'd' {
			filler = strings.Repeat(" ", 1<<20)
		}
		for n := 0; n < most; n += len(filler) {
			_, _ = io.WriteString(z, filler)
		}
		_ = z.Close()
		address, asked := answering(t, http.StatusOK, http.Header{"Content-Encoding": {"gzip"}, "Content-Type": {"text/event-stream"}}, b.String(), "")
		r := ask(t, address, modeltest.Chat, true, nil, ">hello")
		if refused := strings.Contains(r.raw, "can be watched") || strings.Contains(r.raw, "can be held"); refused != (most > 0) || *asked != 1 {
			t.Errorf("%q, of %d bytes: %v, %d bytes, %.200q", text, b.Len(), r.err, len(r.raw), r.raw[max(len(r.raw)-200, 0):])
		}
	}
}
