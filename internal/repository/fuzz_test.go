package repository

import (
	"bytes"
	"context"
	"crypto/sha1" //nolint:gosec // git names objects by it
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

// entryBytes are one entry of an index of version 2, for a file of a size.
func entryBytes(path string, mode uint32, flags uint16) []byte {
	b := make([]byte, 62, 80)
	binary.BigEndian.PutUint32(b[24:], mode)
	binary.BigEndian.PutUint16(b[60:], flags|uint16(len(path)))
	b = append(b, path...)
	return append(b, make([]byte, 8-len(b)%8)...)
}

func indexBytes(version uint32, entries ...[]byte) []byte {
	b := binary.BigEndian.AppendUint32([]byte("DIRC"), version)
	b = binary.BigEndian.AppendUint32(b, uint32(len(entries)))
	return append(b, bytes.Join(entries, nil)...)
}

// FuzzIndex reads indexes with a right sum: what follows is what a stranger can
// write. What is accepted leads nowhere out of the work tree.
func FuzzIndex(f *testing.F) {
	one, two := entryBytes("a/b", 0o100644, 0), entryBytes("c", 0o100755, 0)
	f.Add(indexBytes(2), false)
	f.Add(indexBytes(2, one, two), false)
	f.Add(append(indexBytes(2, one), "TREE\x00\x00\x00\x02xx"...), false)
	f.Add(append(indexBytes(2, one), "link\x00\x00\x00\x00"...), true)
	f.Add(append(indexBytes(4), bytes.Repeat([]byte{0xff}, 200)...), true)
	f.Add(indexBytes(2, entryBytes("../x", 0o100644, 0)), false)
	f.Fuzz(func(t *testing.T, data []byte, wide bool) {
		if wide {
			sum := sha256.Sum256(data)
			data = append(bytes.Clone(data), sum[:]...)
		} else {
			sum := sha1.Sum(data) //nolint:gosec // git names objects by it
			data = append(bytes.Clone(data), sum[:]...)
		}
		x, err := parseIndex(data, 0)
		if err != nil {
			return
		}
		for i := range x.entries {
			path := strings.TrimSuffix(x.entries[i].path, "/")
			if !filepath.IsLocal(path) || strings.HasPrefix(strings.ToLower(path), ".git/") || i > 0 && x.entries[i-1].path > x.entries[i].path {
				t.Fatalf("entry %d is %q", i, path)
			}
		}
		if _, err := x.tree(context.Background()); err != nil && !errors.Is(err, errBadIndex) {
			t.Fatal(err)
		}
	})
}

// FuzzGitFiles puts a stranger's text into the small files of a repository.
func FuzzGitFiles(f *testing.F) {
	object := strings.Repeat("0123456789", 4)
	f.Add("gitdir: .git2\n", "ref: refs/heads/main\n", object+" refs/heads/main\n", "..\n")
	f.Add("gitdir: /dev\n", object+"\n", "# pack-refs\n"+object+" refs/replace/"+object+"\n", "/\n")
	f.Add("gitdir:\x00\n", "ref: refs/heads/../../x\n", "", "")
	f.Add("", "ref: refs/heads/\x1b[31m\n", " refs/heads/main", ".")
	f.Fuzz(func(t *testing.T, dot, head, packed, common string) {
		top := t.TempDir()
		write := func(name, text string) {
			path := filepath.Join(top, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		write(".git", dot)
		for _, folder := range []string{".git2", "plain/.git"} {
			write(folder+"/HEAD", head)
			write(folder+"/packed-refs", packed)
		}
		if common != "" {
			write(".git2/commondir", common)
		}
		for _, dir := range []string{top, filepath.Join(top, "plain")} {
			r, err := Open(dir, false)
			if err != nil {
				continue
			}
			branch, err := r.Branch()
			if strings.ContainsFunc(branch, func(c rune) bool { return unicode.IsControl(c) && c < 0x80 || c == ' ' || c == unicode.ReplacementChar }) ||
				strings.Contains(branch, "..") || err != nil && branch != "" {
				t.Fatalf("branch %q, %v", branch, err)
			}
			if dir != top { // the other may be any folder of the machine
				_, _ = r.commit()
			}
		}
	})
}

// FuzzPack reads objects out of a pack and its index.
func FuzzPack(f *testing.F) {
	f.Add([]byte("\xfftOc\x00\x00\x00\x02"), []byte("PACK\x91"), int64(4), bytes.Repeat([]byte{1}, 20))
	f.Add(make([]byte, 2000), []byte("PACK\x75\x01"), int64(4), make([]byte, 20))
	f.Add(make([]byte, 2000), []byte("PACK\x65\x01"), int64(4), make([]byte, 32))
	f.Fuzz(func(_ *testing.T, index, data []byte, offset int64, name []byte) {
		if len(name) != 20 && len(name) != 32 || offset < 0 {
			return
		}
		p := pack{width: len(name)}
		_, _ = p.find(bytes.NewReader(index), name)
		_, _ = p.object(bytes.NewReader(index), bytes.NewReader(data), offset, 0)
	})
}

// FuzzDelta makes an object out of another.
func FuzzDelta(f *testing.F) {
	f.Add([]byte("0123456789"), []byte("\x0a\x05\x90\x05"))
	f.Add([]byte("0123456789"), []byte("\x0a\x03\x03abc"))
	f.Fuzz(func(t *testing.T, source, delta []byte) {
		if out, err := applyDelta(source, delta); err == nil && len(out) > maxCommit {
			t.Fatal("too large")
		}
	})
}

// TestDelta holds the sizes that a piece may have.
func TestDelta(t *testing.T) {
	source := bytes.Repeat([]byte("x"), 1<<16+5)
	size := []byte{0x85, 0x80, 0x04}
	for name, tt := range map[string]struct {
		delta []byte
		want  int
	}{
		"no length is 64 KiB": {append(append(bytes.Clone(size), 0x80, 0x80, 0x04), 0x81, 0x05), 1 << 16},
		"beyond the end":      {append(append(bytes.Clone(size), 0x80, 0x80, 0x04), 0x81, 0x06), -1},
		"short":               {append(append(bytes.Clone(size), 0x03), 0x91, 0x01, 0x03), 3},
		"too little":          {append(append(bytes.Clone(size), 0x04), 0x91, 0x01, 0x03), -1},
		"reserved":            {append(append(bytes.Clone(size), 0x00), 0x00), -1},
		"other source":        {[]byte{0x01, 0x00}, -1},
	} {
		got, err := applyDelta(source, tt.delta)
		if tt.want < 0 && err == nil || tt.want >= 0 && (err != nil || len(got) != tt.want) {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
	}
}
