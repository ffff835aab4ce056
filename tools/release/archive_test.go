package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

func TestArchivesAreReproducible(t *testing.T) {
	entries := []entry{
		{name: "pertain", data: []byte("program"), executable: true},
		{name: "LICENSE", data: []byte("text")},
		{name: "man/man1/pertain.1", data: []byte(".TH")},
	}
	changed := time.Date(2026, 11, 15, 12, 30, 0, 0, time.UTC)
	for _, name := range []string{"p_1.0.0_linux_amd64.tar.gz", "p_1.0.0_windows_amd64.zip"} {
		t.Run(name, func(t *testing.T) {
			first := filepath.Join(t.TempDir(), name)
			if err := writeArchive(first, entries, changed); err != nil {
				t.Fatal(err)
			}
			// Another order and another time zone must not show.
			slices.Reverse(entries)
			second := filepath.Join(t.TempDir(), name)
			if err := writeArchive(second, entries, changed.In(time.FixedZone("elsewhere", 3600))); err != nil {
				t.Fatal(err)
			}
			a, b := readFile(t, first), readFile(t, second)
			if !bytes.Equal(a, b) {
				t.Errorf("the same entries gave different archives of %d and %d bytes", len(a), len(b))
			}
		})
	}
}

func TestArchiveContents(t *testing.T) {
	changed := time.Date(2026, 11, 15, 12, 30, 0, 0, time.UTC)
	entries := []entry{{name: "pertain", data: []byte("program"), executable: true}, {name: "LICENSE", data: []byte("text")}}
	dir := t.TempDir()
	want := []string{
		"p/LICENSE -rw-r--r-- 2026-11-15T12:30:00Z text",
		"p/pertain -rwxr-xr-x 2026-11-15T12:30:00Z program",
	}

	if err := writeArchive(filepath.Join(dir, "p.tar.gz"), entries, changed); err != nil {
		t.Fatal(err)
	}
	compressed, err := gzip.NewReader(bytes.NewReader(readFile(t, filepath.Join(dir, "p.tar.gz"))))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for archive := tar.NewReader(compressed); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if header.Uid != 0 || header.Gid != 0 || header.Uname != "" || header.Gname != "" {
			t.Errorf("%s has an owner: %+v", header.Name, header)
		}
		got = append(got, describe(t, header.Name, header.FileInfo(), archive))
	}
	if !slices.Equal(got, want) {
		t.Errorf("tar holds %q, want %q", got, want)
	}

	if err := writeArchive(filepath.Join(dir, "p.zip"), entries, changed); err != nil {
		t.Fatal(err)
	}
	archive, err := zip.OpenReader(filepath.Join(dir, "p.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	got = nil
	for _, file := range archive.File {
		content, err := file.Open()
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, describe(t, file.Name, file.FileInfo(), content))
	}
	if !slices.Equal(got, want) {
		t.Errorf("zip holds %q, want %q", got, want)
	}
}

func TestParseVersion(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"1.2.3", "1.2.3"},
		{"v1.2.3", "1.2.3"},
		{"v0.1.0-rc.1", "0.1.0-rc.1"},
		{"1.2", ""},
		{"01.2.3", ""},
		{"1.2.3 ", ""},
		{"1.2.3-", ""},
		{"", ""},
	} {
		if got, err := parseVersion(c.text); got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("parseVersion(%q) = %q, %v", c.text, got, err)
		}
	}
}

func describe(t *testing.T, name string, info os.FileInfo, content io.Reader) string {
	t.Helper()
	data, err := io.ReadAll(content)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%s %v %s %s", name, info.Mode(), info.ModTime().UTC().Format(time.RFC3339), data)
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
