package packed_test

import (
	"math"
	"slices"
	"testing"

	"github.com/pertain-dev/pertain/internal/packed"
)

func TestBackAndForth(t *testing.T) {
	var w packed.Writer
	w.Text("")
	w.Text("text\x00\xff")
	w.Count(math.MaxInt)
	w.Flag(true)
	w.Flag(false)
	w.List(nil)
	w.List([]string{})
	w.List([]string{"a", ""})
	r := packed.NewReader(string(w.Bytes()))
	if a, b, n := r.Text(), r.Text(), r.Number(math.MaxInt); a != "" || b != "text\x00\xff" || n != math.MaxInt {
		t.Errorf("%q %q %d", a, b, n)
	}
	if yes, no := r.Flag(), r.Flag(); !yes || no {
		t.Errorf("%v %v", yes, no)
	}
	if none, empty, list := r.List(), r.List(), r.List(); none != nil || empty == nil || len(empty) != 0 || !slices.Equal(list, []string{"a", ""}) {
		t.Errorf("%v %v %v", none, empty, list)
	}
	if !r.Done() {
		t.Error("something is left")
	}
}

// FuzzReader: whatever a damaged file holds, reading it ends, and takes no more than there is.
func FuzzReader(f *testing.F) {
	f.Add("\x02ab\x01\x02\x01a\x01b")
	f.Add("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01")
	f.Add("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f")
	f.Fuzz(func(t *testing.T, text string) {
		r := packed.NewReader(text)
		for range 1000 {
			if s, list, n := r.Text(), r.List(), r.Number(10); len(s)+len(list) > len(text) || n > 10 {
				t.Errorf("%d bytes, %d texts, %d of %d bytes", len(s), len(list), n, len(text))
			}
			r.Flag()
		}
		if len(text) < 1000 && !r.Done() && !r.Failed() {
			t.Error("it goes on without end")
		}
	})
}
