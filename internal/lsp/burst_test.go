package lsp

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/creachadair/jrpc2"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/files"
)

// countedDisk counts how often it is asked where a path leads.
type countedDisk struct {
	files.Tree
	asked atomic.Int64
}

func (c *countedDisk) RealPath(path string) (string, error) {
	c.asked.Add(1)
	return c.Tree.RealPath(path)
}

// quiet is a server that nobody talks to, and that says what it says to nobody.
func quiet(t *testing.T) *server {
	t.Helper()
	s := &server{disk: files.OS(), by: utf16, documents: map[string]*buffer{}, folders: map[string]*folder{}, work: newDiagnosing()}
	s.options.Open = func(dir string) (Folder, error) { return Folder{}, fmt.Errorf("%s is not looked at", dir) }
	in, out := io.Pipe()
	s.frames = newFrames(in, io.Discard)
	s.rpc = jrpc2.NewServer(assigner{s}, &jrpc2.ServerOptions{AllowPush: true})
	s.rpc.Start(s.frames)
	t.Cleanup(func() {
		s.rpc.Stop()
		_ = out.Close()
	})
	return s
}

// hundred opens documents.
func hundred(t *testing.T, s *server) (uris []string) {
	t.Helper()
	dir := t.TempDir()
	for i := range 100 {
		path := filepath.Join(dir, fmt.Sprintf("d%d.context.json", i))
		s.put(uriOf(path), path, 1, "{}")
		uris = append(uris, uriOf(path))
	}
	return uris
}

// TestRoundAsksOnce: the disk is asked about every document once for all that are looked
// at together, not once for each of them.
func TestRoundAsksOnce(t *testing.T) {
	s := quiet(t)
	disk := &countedDisk{Tree: files.OS()}
	s.disk = disk
	uris := hundred(t, s)
	s.diagnoseRound(t.Context(), t.Context(), uris)
	if asked := disk.asked.Load(); asked > 4*int64(len(uris)) {
		t.Errorf("the disk is asked %d times about %d documents", asked, len(uris))
	}
	for _, uri := range uris {
		if _, told := s.work.published[uri]; !told {
			t.Errorf("nothing is said about %s", uri)
		}
	}
}

// TestWatchedFilesOnce: files that change beside the editor begin one look, however many
// documents are open.
func TestWatchedFilesOnce(t *testing.T) {
	s := quiet(t)
	uris := hundred(t, s)
	begun := 0
	s.work.cancel = func() { begun++ }
	_, err := s.didChangeWatchedFiles(t.Context(), []byte(`{"changes": []}`))
	if err != nil || begun != 1 {
		t.Errorf("%d looks are given up, %v", begun, err)
	}
	next, _, _ := s.work.next(t.Context())
	slices.Sort(uris)
	if !slices.Equal(next, uris) {
		t.Errorf("%d documents are looked at, want %d", len(next), len(uris))
	}
}

// TestNotedOrder: each document once, the last change last.
func TestNotedOrder(t *testing.T) {
	w := newDiagnosing()
	for _, uris := range [][]string{{"b", "a"}, {"c"}, {"b"}, {"d", "c"}} {
		w.note(uris...)
	}
	next, _, _ := w.next(t.Context())
	if got := strings.Join(next, " "); got != "a b d c" {
		t.Error(got)
	}
}

// TestRelatedOnce: the lines of a file that many diagnostics name are counted once.
func TestRelatedOnce(t *testing.T) {
	s := quiet(t)
	path := filepath.Join(t.TempDir(), "a.context.json")
	s.put(uriOf(path), path, 1, strings.Repeat("{}\n", 200_000))
	b, _ := s.open(uriOf(path))
	source := diag.NewSource(path, b.text.string)
	var list diag.List
	for i := range 100 {
		d := diag.At(source, diag.Span{Start: 3 * i, End: 3*i + 2}, diag.StrategyDuplicateID, "again")
		d.Related = []diag.Related{{Source: source, Span: diag.Span{Start: 3_000 + i, End: 3_001 + i}, Message: "here"}}
		list.Add(d)
	}
	if bytes := allocated(func() { s.publishViews(t.Context(), []view{{b, list}}, nil) }); bytes > 50<<20 {
		t.Errorf("%d bytes are taken for 100 diagnostics", bytes)
	}
	told := s.work.published[b.uri]
	if len(told) != 100 || told[99].Related[0].Location.Range != (textRange{position{1_033, 0}, position{1_033, 1}}) {
		t.Errorf("%d diagnostics: %+v", len(told), told)
	}
}
