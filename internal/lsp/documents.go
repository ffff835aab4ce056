package lsp

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/follow"
)

// buffer is a file as the editor holds it. It does not change: another version is
// another buffer.
type buffer struct {
	uri     string
	path    string // absolute
	version int
	text    text
	kind    kind
	folder  *folder
}

// maxDocuments is how many documents are held at a time.
const maxDocuments = 1_000

// didOpen takes a document from the editor.
func (s *server) didOpen(_ context.Context, params didOpenParams) (any, error) {
	path, ok := pathOf(params.TextDocument.URI)
	if !ok {
		return nil, nil // what has no file belongs to no tool
	}
	s.mu.Lock()
	if s.documents[params.TextDocument.URI] == nil && len(s.documents) >= maxDocuments {
		s.mu.Unlock()
		return nil, nil
	}
	s.mu.Unlock()
	s.put(params.TextDocument.URI, path, params.TextDocument.Version, params.TextDocument.Text)
	return nil, nil
}

// put makes a text the current one of a document, and has it looked at.
func (s *server) put(uri, path string, version int, content string) {
	s.hold(uri, path, version, newText(content))
	s.mu.Lock()
	var tests []string // which may come to something else now
	for _, other := range s.documents {
		if other.kind == testFile && other.uri != uri {
			tests = append(tests, other.uri)
		}
	}
	s.mu.Unlock()
	slices.Sort(tests)
	s.work.note(append(tests, uri)...)
}

// hold makes a text the current one of a document.
func (s *server) hold(uri, path string, version int, content text) {
	at := s.folderOf(path)
	b := &buffer{uri: uri, path: path, version: version, text: content, folder: at}
	b.kind = at.kindOf(path)
	s.mu.Lock()
	s.documents[uri] = b
	s.mu.Unlock()
}

// didChange takes what somebody typed.
func (s *server) didChange(ctx context.Context, params didChangeParams) (any, error) {
	s.mu.Lock()
	d, by := s.documents[params.TextDocument.URI], s.by
	s.mu.Unlock()
	if d == nil {
		return nil, nil
	}
	s.put(d.uri, d.path, params.TextDocument.Version, edited(d.text.string, params.ContentChanges, by))
	if d.kind == contextFile {
		s.refreshInlay(ctx)
	}
	return nil, nil
}

// didSave looks at the folder again: the disk has changed.
func (s *server) didSave(ctx context.Context, _ documentParams) (any, error) {
	s.changedFiles()
	s.refreshInlay(ctx)
	return nil, nil
}

// didChangeWatchedFiles likewise, however many files it names.
func (s *server) didChangeWatchedFiles(ctx context.Context, _ json.RawMessage) (any, error) {
	s.changedFiles()
	s.refreshInlay(ctx)
	return nil, nil
}

// changedFiles has everything looked at again, once.
func (s *server) changedFiles() {
	s.mu.Lock()
	uris := slices.Sorted(maps.Keys(s.documents))
	for _, f := range s.folders {
		f.forget()
	}
	s.mu.Unlock()
	for _, uri := range uris {
		s.mu.Lock()
		d := s.documents[uri]
		s.mu.Unlock()
		s.hold(uri, d.path, d.version, d.text)
	}
	s.work.note(uris...)
}

// didClose forgets a document, and what was said about it.
func (s *server) didClose(ctx context.Context, params documentParams) (any, error) {
	uri := params.TextDocument.URI
	s.mu.Lock()
	_, open := s.documents[uri]
	delete(s.documents, uri)
	s.mu.Unlock()
	if open {
		s.clear(ctx, uri)
	}
	return nil, nil
}

// open is the document of an address, as it is now; nil: none is open.
func (s *server) open(uri string) (*buffer, encoding) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.documents[uri], s.by
}

// snapshot is all documents as they are now, by address.
func (s *server) snapshot() map[string]*buffer {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.documents)
}

// buffers are the texts of all documents, by path.
func (s *server) buffers() map[string]string { return textsOf(s.snapshot()) }

func textsOf(documents map[string]*buffer) map[string]string {
	texts := make(map[string]string, len(documents))
	for _, d := range documents {
		texts[d.path] = d.text.string
	}
	return texts
}

// overlaid is a context in which the documents are read as the editor holds them.
func (s *server) overlaid(ctx context.Context) context.Context {
	return s.overlay(ctx, s.buffers())
}

// overlay is a context in which texts are read in place of files. Making it asks the disk
// about each of them: what looks at many documents makes one.
func (s *server) overlay(ctx context.Context, texts map[string]string) context.Context {
	return follow.Overlaid(ctx, files.NewOverlay(s.disk, texts))
}
