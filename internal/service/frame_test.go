package service

import (
	"bufio"
	"bytes"
	"testing"
)

// FuzzReadFrame: whatever comes, reading it ends, within its bound, and what is read is
// what writing it gives.
func FuzzReadFrame(f *testing.F) {
	for _, body := range []any{nil, "text", []int{1}, Question{Ask: AskRun, Args: []string{"match"}}} {
		var b bytes.Buffer
		if err := writeFrame(&b, KindQuestion, body, MaxQuestion); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	f.Add([]byte{0, 0, 0, 2, '{', '}'})
	f.Add([]byte{255, 255, 255, 255})
	f.Fuzz(func(t *testing.T, data []byte) {
		const limit = 1 << 10
		frame, err := readFrame(bufio.NewReader(bytes.NewReader(data)), limit)
		if err != nil {
			return
		}
		if frame.Kind == "" || len(frame.Body) > limit {
			t.Fatalf("%q: %+v", data, frame)
		}
		var b bytes.Buffer
		if err := writeFrame(&b, frame.Kind, frame.Body, 16*limit); err != nil {
			t.Fatal(err)
		}
		again, err := readFrame(bufio.NewReader(&b), 16*limit)
		if err != nil || again.Kind != frame.Kind {
			t.Fatalf("%q: %+v, %v", data, again, err)
		}
	})
}
