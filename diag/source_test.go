package diag_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/pertain-dev/pertain/diag"
)

func TestPositions(t *testing.T) {
	text := "a\r\n\tb😀c\nä漢\n\nend"
	source := diag.NewSource("x", text)
	tests := []struct {
		at           string // the text that begins at the offset
		line, column int
	}{
		{"a", 1, 1},
		{"\r", 1, 2},
		{"\n\tb", 1, 3},
		{"\tb", 2, 1},
		{"b😀", 2, 2},
		{"😀", 2, 3},
		{"c\n", 2, 4}, // an astral character is one
		{"ä", 3, 1},
		{"漢", 3, 2},
		{"\n\nend", 3, 3},
		{"\nend", 4, 1},
		{"end", 5, 1},
	}
	for _, tt := range tests {
		offset := strings.Index(text, tt.at)
		if p := source.Position(offset); p != (diag.Position{Line: tt.line, Column: tt.column}) {
			t.Errorf("Position of %q = %v, want %d:%d", tt.at, p, tt.line, tt.column)
		}
		if strings.ContainsAny(tt.at[:1], "\r\n") {
			continue // a column after the end of a line is moved to its end
		}
		if back := source.Offset(diag.Position{Line: tt.line, Column: tt.column}); back != offset {
			t.Errorf("Offset of %d:%d = %d, want %d", tt.line, tt.column, back, offset)
		}
	}
}

func TestPositionsOutside(t *testing.T) {
	source := diag.NewSource("x", "ab\ncd")
	for _, tt := range []struct {
		offset int
		want   diag.Position
	}{{-5, diag.Position{Line: 1, Column: 1}}, {5, diag.Position{Line: 2, Column: 3}}, {99, diag.Position{Line: 2, Column: 3}}} {
		if got := source.Position(tt.offset); got != tt.want {
			t.Errorf("Position(%d) = %v, want %v", tt.offset, got, tt.want)
		}
	}
	for _, tt := range []struct {
		position diag.Position
		want     int
	}{
		{diag.Position{}, 0},
		{diag.Position{Line: 1, Column: 99}, 2},
		{diag.Position{Line: 99, Column: 1}, 5},
	} {
		if got := source.Offset(tt.position); got != tt.want {
			t.Errorf("Offset(%v) = %d, want %d", tt.position, got, tt.want)
		}
	}
	for number, want := range map[int]string{-1: "", 0: "", 1: "ab", 2: "cd", 3: ""} {
		if got := source.Line(number); got != want {
			t.Errorf("Line(%d) = %q, want %q", number, got, want)
		}
	}
	if got := diag.NewSource("x", "").Position(0); got != (diag.Position{Line: 1, Column: 1}) {
		t.Errorf("the beginning of an empty text = %v", got)
	}
}

func TestSourceIsSafeForConcurrentUse(t *testing.T) {
	source := diag.NewSource("x", strings.Repeat("line\n", 1000))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if p := source.Position(4999); p.Line != 1000 {
				t.Errorf("line %d", p.Line)
			}
		})
	}
	wg.Wait()
}

func FuzzPositions(f *testing.F) {
	f.Add("a\r\n\tb😀c\nä漢", 7)
	f.Fuzz(func(t *testing.T, text string, offset int) {
		source := diag.NewSource("x", strings.ToValidUTF8(text, ""))
		p := source.Position(offset)
		if p.Line < 1 || p.Column < 1 {
			t.Fatal(p)
		}
		if again := source.Position(source.Offset(p)); again.Line != p.Line {
			t.Fatalf("%v became %v", p, again)
		}
	})
}

func TestNearest(t *testing.T) {
	names := []string{"name", "description", "priority", "preprocessors", "systemPrompt", "when", "tools"}
	for word, want := range map[string]string{
		"naem":                            "name", // neighbours swapped: one mistake
		"Name":                            "name",
		"prioritty":                       "priority",
		"systemprompt":                    "systemPrompt",
		"preprocesors":                    "preprocessors",
		"wen":                             "when",
		"banana":                          "",
		"x":                               "",
		"":                                "",
		strings.Repeat("description", 10): "",
	} {
		if got := diag.Nearest(word, names); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", word, got, want)
		}
	}
	if got := diag.Nearest("abcd", []string{"abcx", "abcy"}); got != "abcx" {
		t.Errorf("of equally near candidates the first wins, got %q", got)
	}
	if got := diag.Nearest("日本語", []string{"日本"}); got != "日本" {
		t.Errorf("letters count, not bytes: %q", got)
	}
	if got := diag.Nearest("日", []string{"月"}); got != "" {
		t.Errorf("one letter for another is no likeness: %q", got)
	}
}

func TestDidYouMean(t *testing.T) {
	if got, want := diag.DidYouMean("prioriti", []string{"priority"}), "did you mean `priority`?"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := diag.DidYouMean("banana", []string{"priority"}); got != "" {
		t.Errorf("got %q, want nothing", got)
	}
}

// TestLineAt: the line alone is that of the position, for every offset.
func TestLineAt(t *testing.T) {
	s := diag.NewSource("x", "a\n\nä€\r\nlast")
	for offset := -1; offset <= len(s.Text())+1; offset++ {
		if got, want := s.LineAt(offset), s.Position(offset).Line; got != want {
			t.Errorf("offset %d is in line %d, not %d", offset, got, want)
		}
	}
}
