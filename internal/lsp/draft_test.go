package lsp

import (
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	utf16codes "unicode/utf16"
	"unicode/utf8"
)

// plainly makes edits as the protocol defines them, with no regard to time: a text is a
// list of units, and lines are looked for anew for each position.
func plainly(content string, changes []contentChange, by encoding) string {
	for _, change := range changes {
		if change.Range == nil {
			content = change.Text
			continue
		}
		start, end := plainOffset(content, change.Range.Start, by), plainOffset(content, change.Range.End, by)
		content = content[:min(start, end)] + change.Text + content[max(start, end):]
	}
	return content
}

func plainOffset(content string, p position, by encoding) int {
	if p.Line < 0 {
		return 0
	}
	at := 0
	for range p.Line {
		i := strings.IndexAny(content[at:], "\r\n")
		if i < 0 {
			return len(content)
		}
		at += i + 1
		if content[at-1] == '\r' && strings.HasPrefix(content[at:], "\n") {
			at++
		}
	}
	units := 0
	for at < len(content) && content[at] != '\r' && content[at] != '\n' {
		r, size := utf8.DecodeRuneInString(content[at:])
		units += size
		if by == utf16 {
			units += utf16codes.RuneLen(r) - size
		}
		if units > p.Character {
			break
		}
		at += size
	}
	return at
}

// someText is made of what counts differently in bytes, units and lines.
func someText(random *rand.Rand, most int) string {
	var b strings.Builder
	parts := []string{"a", "xyz", "é", "€", "😀", "\n", "\r\n", "\r", "\n\r", " ", strings.Repeat("é😀", 40), strings.Repeat("long ", 60)}
	if random.IntN(3) == 0 { // hardly any line breaks
		parts = slices.DeleteFunc(parts, func(s string) bool { return strings.ContainsAny(s, "\r\n") && random.IntN(8) > 0 })
	}
	for range random.IntN(most + 1) {
		b.WriteString(parts[random.IntN(len(parts))])
	}
	return b.String()
}

func somePosition(random *rand.Rand, content string) position {
	lines := 1 + strings.Count(content, "\n") + strings.Count(content, "\r")
	switch random.IntN(12) {
	case 0:
		return position{random.IntN(lines+3) - 1, 1 << 40}
	case 1:
		return position{1 << 40, random.IntN(9) - 2}
	case 2:
		return position{-1, -1}
	case 3:
		return position{}
	}
	return position{random.IntN(lines), random.IntN(4 + min(len(content), 9<<random.IntN(9)))}
}

// TestEditsAgree: a message of edits comes to the text that they come to one by one, in
// both encodings, and offsets of positions and their inverse are those of the text as a whole.
func TestEditsAgree(t *testing.T) {
	for seed := range uint64(400) {
		random := rand.New(rand.NewPCG(seed, 1))
		by := []encoding{utf16, utf8s}[seed%2]
		content := someText(random, []int{0, 3, 60, 600}[random.IntN(4)])
		now := content
		var changes []contentChange
		for range 1 + random.IntN(25) {
			change := contentChange{Text: someText(random, []int{0, 1, 3, 90}[random.IntN(4)])}
			if random.IntN(15) > 0 {
				change.Range = &textRange{Start: somePosition(random, now)}
				change.Range.End = change.Range.Start
				if random.IntN(2) == 0 {
					change.Range.End = somePosition(random, now)
				}
			}
			changes = append(changes, change)
			now = plainly(now, changes[len(changes)-1:], by)
			if got := edited(content, changes, by); got != now {
				t.Fatalf("seed %d, %s, after %d edits: %q, want %q", seed, by, len(changes), got, now)
			}
		}
		checkPositions(t, random, now, by)
	}
}

func checkPositions(t *testing.T, random *rand.Rand, content string, by encoding) {
	t.Helper()
	indexed := newText(content)
	for range 20 {
		p := somePosition(random, content)
		want := plainOffset(content, p, by)
		if got := indexed.offset(p, by); got != want {
			t.Fatalf("%+v in %q, %s: %d, want %d", p, content, by, got, want)
		}
		if want > 0 && content[want-1] == '\r' && strings.HasPrefix(content[want:], "\n") {
			continue // within a line break
		}
		if back := indexed.position(want, by); plainOffset(content, back, by) != want {
			t.Fatalf("offset %d of %q, %s: %+v", want, content, by, back)
		}
	}
}

// TestDraftInOrder: after edits a draft still knows what its chunks hold.
func TestDraftInOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	d := newDraft(someText(random, 9_000), utf16)
	for i := range 1_000 {
		whole := d.String()
		if i%100 == 0 {
			fresh := newDraft(whole, utf16)
			all := func(d *draft) extent { _, e := d.find(func(extent) bool { return false }); return e }
			if got, want := all(d), all(fresh); got != want {
				t.Fatalf("after %d edits: %+v, want %+v", i, got, want)
			}
		}
		start := d.offset(position{random.IntN(500), random.IntN(3_000)})
		end := min(len(whole), start+random.IntN(1+300<<(i%5)))
		for end < len(whole) && !utf8.RuneStart(whole[end]) {
			end++
		}
		with := someText(random, 20)
		d.replace(start, end, with)
		if got, want := d.String(), whole[:start]+with+whole[end:]; got != want {
			t.Fatalf("edit %d: the text is another", i)
		}
		for _, c := range d.chunks {
			if c.bytes == 0 || c.bytes > 2*chunkSize || !utf8.RuneStart(c.text[0]) {
				t.Fatalf("edit %d: a chunk of %d bytes", i, c.bytes)
			}
		}
	}
}

// TestEditsWork: what an edit costs hardly depends on how long the text is, or a line of it.
func TestEditsWork(t *testing.T) {
	const edits = 1_000
	for name, content := range map[string]string{
		"lines":    strings.Repeat(strings.Repeat("x", 70)+"\n", 55_000),
		"one line": strings.Repeat("é", 1_900_000),
		"breaks":   strings.Repeat("\r\n", 1_900_000),
	} {
		for _, at := range []position{{54_000, 1}, {0, 1_800_000}, {1 << 30, 0}, {}} {
			d := newDraft(content, utf16)
			d.looked = 0
			for range edits {
				start := d.offset(at)
				d.replace(start, start, "y")
			}
			if each := d.looked / edits; each > 20*chunkSize {
				t.Errorf("%s, %+v: %d bytes are looked at for an edit", name, at, each)
			}
		}
	}
}

// allocated is how many bytes a call takes from the heap.
func allocated(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestManyEdits: the edits of one message do not copy the document each.
func TestManyEdits(t *testing.T) {
	s := quiet(t)
	path := filepath.Join(t.TempDir(), "a.strategy.md")
	s.put(uriOf(path), path, 1, strings.Repeat("text\n", 200_000))
	var params didChangeParams
	params.TextDocument.URI, params.TextDocument.Version = uriOf(path), 2
	at := position{190_000, 2}
	for range 300 {
		params.ContentChanges = append(params.ContentChanges, contentChange{Range: &textRange{at, at}, Text: "y"})
	}
	bytes := allocated(func() { _, _ = s.didChange(t.Context(), params) })
	if bytes > 50<<20 {
		t.Errorf("%d bytes are taken for 300 edits", bytes)
	}
	if b, _ := s.open(uriOf(path)); b.version != 2 || b.text.line(190_000) != "te"+strings.Repeat("y", 300)+"xt" {
		t.Errorf("version %d: %s", b.version, b.text.line(190_000))
	}
}

// TestLongLinePositions: the columns of a long line are not counted from its start each time.
func TestLongLinePositions(t *testing.T) {
	content := strings.Repeat("é😀", 300_000)
	indexed := newText(content)
	for offset := 0; offset < len(content); offset += 6 * 7_001 {
		if got, want := indexed.position(offset, utf16), (position{0, offset / 6 * 3}); got != want {
			t.Fatalf("%d: %+v, want %+v", offset, got, want)
		}
	}
	if blocks := len(content)/blockSize + 1; len(indexed.units) != blocks {
		t.Errorf("%d blocks, want %d", len(indexed.units), blocks)
	}
}
