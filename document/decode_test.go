package document_test

import (
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/pertain-dev/pertain/document"
)

// utf16Bytes encodes a text with a byte order mark.
func utf16Bytes(text string, big bool) string {
	var b strings.Builder
	for _, u := range append([]uint16{0xFEFF}, utf16.Encode([]rune(text))...) {
		if big {
			b.WriteString(string([]byte{byte(u >> 8), byte(u)}))
		} else {
			b.WriteString(string([]byte{byte(u), byte(u >> 8)}))
		}
	}
	return b.String()
}

func TestDecode(t *testing.T) {
	text := "---\nname: \"ä 漢 😀\"\n---\nbody\n"
	for name, data := range map[string]string{
		"UTF-8":           text,
		"UTF-8 with mark": "\uFEFF" + text,
		"UTF-16 LE":       utf16Bytes(text, false),
		"UTF-16 BE":       utf16Bytes(text, true),
	} {
		source, list := document.Decode("x", []byte(data))
		if len(list) > 0 || source.Text() != text || source.Name() != "x" {
			t.Errorf("%s: %q, %v", name, source.Text(), list)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	lone := func(unit uint16) string { // a surrogate without its other half, between two letters
		return string([]byte{0xFF, 0xFE, 'a', 0, '\n', 0, 'b', 0, byte(unit), byte(unit >> 8), 'c', 0})
	}
	tests := []struct{ name, data, position, message, text string }{
		{"invalid byte", "a\nb\xffc", "2:2", "not valid UTF-8", "a\nb\uFFFDc"},
		{"cut character", "a\xe6\xbc", "1:2", "not valid UTF-8", "a\uFFFD"},
		{"overlong", "\xc0\x80", "1:1", "not valid UTF-8", "\uFFFD"},
		{"surrogate in UTF-8", "x\xed\xa0\x80", "1:2", "not valid UTF-8", "x\uFFFD"},
		{"Latin-1", "---\nname: caf\xe9\n---\n", "2:10", "not valid UTF-8", "---\nname: caf\uFFFD\n---\n"},
		{"a replacement character is text", "\uFFFD \xff", "1:3", "not valid UTF-8", "\uFFFD \uFFFD"},
		{"odd length LE", utf16Bytes("ab", false) + "x", "1:3", "not valid UTF-16", "ab\uFFFD"},
		{"odd length BE", utf16Bytes("ab", true) + "x", "1:3", "not valid UTF-16", "ab\uFFFD"},
		{"lone high surrogate", lone(0xD800), "2:2", "not valid UTF-16", "a\nb\uFFFDc"},
		{"lone low surrogate", lone(0xDC00), "2:2", "not valid UTF-16", "a\nb\uFFFDc"},
		{"high surrogate at the end", string([]byte{0xFE, 0xFF, 0xD8, 0x00}), "1:1", "not valid UTF-16", "\uFFFD"},
		{"NUL", "a\n\x00b", "2:1", "a NUL character", "a\n\x00b"},
		{"NULs", "\x00\x00", "1:1", "2 NUL characters", "\x00\x00"},
		{"UTF-16 without a mark", "a\x00b\x00", "1:2", "2 NUL characters", "a\x00b\x00"},
		{"UTF-32", "\xff\xfe\x00\x00a\x00\x00\x00", "1:1", "NUL", "\x00a\x00"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			source, list := document.Decode("x", []byte(tt.data))
			if got, want := positions(list), "strategy.invalid_encoding "+tt.position; got != want || !strings.Contains(list[0].Message, tt.message) {
				t.Errorf("%v, want %s: %s", list, want, tt.message)
			}
			if source.Text() != tt.text {
				t.Errorf("text = %q, want %q", source.Text(), tt.text)
			}
		})
	}
}

// TestDecodeTheLargest: a file that is as large as may be is read.
func TestDecodeTheLargest(t *testing.T) {
	if source, list := document.Decode("x", []byte(strings.Repeat("a", document.MaxBytes))); len(list) > 0 || len(source.Text()) != document.MaxBytes {
		t.Error(list)
	}
	if source, list := document.Decode("x", []byte(strings.Repeat("a", document.MaxBytes+1))); len(list) != 1 || source.Text() != "" {
		t.Error(list)
	}
}

func TestDecodeAFileOf50MB(t *testing.T) {
	source, list := document.Decode("x", make([]byte, 50<<20))
	if positions(list) != "strategy.too_large -" || source.Text() != "" || !strings.Contains(list[0].Message, "52428800 bytes") {
		t.Errorf("%v, %d bytes of text", list, len(source.Text()))
	}
}

// hostile are files made to take long or much memory.
func hostile() map[string]string {
	var bomb strings.Builder
	bomb.WriteString("---\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := range 9 {
		bomb.WriteString("a" + string(rune('1'+i)) + ": &a" + string(rune('1'+i)) + " [" + strings.Repeat("*a"+string(rune('0'+i))+", ", 9) + "*a" + string(rune('0'+i)) + "]\n")
	}
	bomb.WriteString("---\n")
	var nested strings.Builder
	for i := range 3000 {
		nested.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return map[string]string{
		"alias bomb":            bomb.String(),
		"deep flow":             "---\na: " + strings.Repeat("[", 100_000) + "\n---\n",
		"deep and closed":       "---\na: " + strings.Repeat("[", 50_000) + strings.Repeat("]", 50_000) + "\n---\n",
		"deep maps":             "---\na: " + strings.Repeat("{a: ", 50_000) + "\n---\n",
		"deep blocks":           "---\n" + nested.String() + "---\n",
		"deep sequences":        "---\na:\n  " + strings.Repeat("- ", 50_000) + "x\n---\n",
		"duplicate keys":        "---\n" + strings.Repeat("k: 1\n", 100_000) + "---\n",
		"long frontmatter":      "---\nname: \"" + strings.Repeat("x", 2<<20) + "\"\n---\n",
		"never closed":          "---\n" + strings.Repeat("k: 1\n", 500_000),
		"many syntax errors":    "---\n" + strings.Repeat("k: a: b\n", 20_000) + "---\n",
		"unclosed quotes":       "---\n" + strings.Repeat("k: \"a\n", 20_000) + "---\n",
		"one line of colons":    "---\na" + strings.Repeat(": a", 100_000) + "\n---\n",
		"anchors":               "---\na: [" + strings.Repeat("&a x, ", 100_000) + "*a]\n---\n",
		"tags":                  "---\na: [" + strings.Repeat("!t x, ", 50_000) + "]\n---\n",
		"explicit keys":         "---\n" + strings.Repeat("? ", 50_000) + "\n---\n",
		"blank file":            strings.Repeat("\n", 4<<20),
		"no line break":         "---" + strings.Repeat(" ", 4<<20-3),
		"more values than read": "---\na: [" + strings.Repeat("x,", 120_000) + "x]\n---\n",
	}
}

// TestHostile holds that every such file ends with a diagnostic; the test's own time limit is the only clock.
func TestHostile(t *testing.T) {
	for name, data := range hostile() {
		t.Run(name, func(t *testing.T) {
			_, list := parse(t, data)
			if !list.HasErrors() {
				t.Error("no error")
			}
			if len(list) > 100_000 {
				t.Errorf("%d diagnostics", len(list))
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("---\nname: x\nwhen:\n  all: [{clipboard.text: {contains: \"a\"}}]\n---\nbody\n"))
	f.Add([]byte("\uFEFF--- \r\nname: 'it''s'\r\n---\r\n"))
	f.Add([]byte(utf16Bytes("---\nname: ä😀\n---\n", true)))
	f.Add([]byte("---\na: &a [*a]\nb: *c\n---"))
	f.Add([]byte("---\nglobs: *.ts\nk: \"a\\d\"\nk: |\n  x\n---\n"))
	f.Add([]byte("---\n? a\n: - b\n  - !t c\n...\n---\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		source, list := document.Decode("x", data)
		doc, more := document.Parse(source, document.Strict)
		text := doc.Source.Text()
		for _, d := range append(list, more...) {
			if d.Span.IsValid() && (d.Span.End > len(text) || d.Span.Start > d.Span.End) {
				t.Fatalf("%s: span %v of %d bytes", d.Code, d.Span, len(text))
			}
			if d.Message == "" || strings.Contains(d.Message, "\n") {
				t.Fatalf("message %q", d.Message)
			}
		}
		if !doc.HasFrontmatter && !more.HasErrors() {
			t.Fatal("no frontmatter, and no error")
		}
		walk(t, doc.Frontmatter, len(text), 0)
	})
}

// walk asks every node for its position.
func walk(t *testing.T, n *document.Node, size, depth int) {
	if n == nil || depth > 200 {
		return
	}
	if s := n.Span(); !s.IsValid() || s.End > size {
		t.Fatalf("%s %q: span %v of %d bytes", n.Kind, n.Text, s, size)
	}
	if n.IsScalar() && len(n.Text) > 0 && len(n.Text) < 200 {
		if s := n.SpanOf(0, len(n.Text)); !s.IsValid() || s.End > size {
			t.Fatalf("%q: inner span %v of %d bytes", n.Text, s, size)
		}
	}
	for _, item := range n.Items[:min(len(n.Items), 20)] {
		walk(t, item, size, depth+1)
	}
	for _, e := range n.Entries[:min(len(n.Entries), 20)] {
		walk(t, e.Key, size, depth+1)
		walk(t, e.Value, size, depth+1)
	}
}
