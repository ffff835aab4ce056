package lsp

import (
	"context"
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

// put makes a text the current one of a document.
func (s *server) put(uri, path string, version int, content string) {
	at := s.folderOf(path)
	b := &buffer{uri: uri, path: path, version: version, text: newText(content), folder: at}
	b.kind = at.kindOf(path)
	s.mu.Lock()
	s.documents[uri] = b
	var tests []string // which may come to something else now
	for _, other := range s.documents {
		if other.kind == testFile && other != b {
			tests = append(tests, other.uri)
		}
	}
	s.mu.Unlock()
	slices.Sort(tests)
	s.work.note(append(tests, uri)...)
}

// didChange takes what somebody typed: parts in their order, each seen from the text
// after the one before.
func (s *server) didChange(ctx context.Context, params didChangeParams) (any, error) {
	s.mu.Lock()
	d, by := s.documents[params.TextDocument.URI], s.by
	s.mu.Unlock()
	if d == nil {
		return nil, nil
	}
	content := d.text
	for _, change := range params.ContentChanges {
		if change.Range == nil {
			content = newText(change.Text)
			continue
		}
		start, end := content.offset(change.Range.Start, by), content.offset(change.Range.End, by)
		if end < start {
			start, end = end, start
		}
		content = newText(content.string[:start] + change.Text + content.string[end:])
	}
	s.put(d.uri, d.path, params.TextDocument.Version, content.string)
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

// didChangeWatchedFiles likewise.
func (s *server) didChangeWatchedFiles(ctx context.Context, _ any) (any, error) {
	s.changedFiles()
	s.refreshInlay(ctx)
	return nil, nil
}

// changedFiles has everything looked at again.
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
		s.put(uri, d.path, d.version, d.text.string)
	}
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

// buffers are the texts of all documents, by path.
func (s *server) buffers() map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	texts := make(map[string]string, len(s.documents))
	for _, d := range s.documents {
		texts[d.path] = d.text.string
	}
	return texts
}

// overlaid is a context in which the documents are read as the editor holds them.
func (s *server) overlaid(ctx context.Context) context.Context {
	return overlay(ctx, s.buffers())
}

func overlay(ctx context.Context, texts map[string]string) context.Context {
	return follow.Overlaid(ctx, files.NewOverlay(files.OS(), texts))
}
