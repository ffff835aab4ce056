package lsp

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/follow"
	"github.com/pertain-dev/pertain/internal/lint"
)

// diagnosing is what is left to be said about documents.
type diagnosing struct {
	mu      sync.Mutex
	changed sync.Cond
	dirty   map[string]int // addresses, by when they were noted last
	noted   int            // how often something was
	busy    bool
	stopped bool
	cancel  context.CancelFunc // of what is under way; nil: nothing is

	views     map[string]view         // what was found in each document by itself, by address
	published map[string][]diagnostic // what was said last, by address
	versions  map[string]int          // about which version that was
}

func newDiagnosing() *diagnosing {
	w := &diagnosing{dirty: map[string]int{}, views: map[string]view{}, published: map[string][]diagnostic{}, versions: map[string]int{}}
	w.changed.L = &w.mu
	return w
}

// note asks for documents to be looked at, and gives up what is under way.
func (w *diagnosing) note(uris ...string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, uri := range uris {
		w.noted++
		w.dirty[uri] = w.noted
	}
	if w.cancel != nil {
		w.cancel()
	}
	w.changed.Broadcast()
}

func (w *diagnosing) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stopped = true
	w.changed.Broadcast()
}

// waitIdle waits until everything is said.
func (w *diagnosing) waitIdle() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for (w.busy || len(w.dirty) > 0) && !w.stopped {
		w.changed.Wait()
	}
}

// next waits for documents to look at, and gives their addresses, the last change last.
func (w *diagnosing) next(ctx context.Context) (uris []string, round context.Context, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.busy = false
	w.changed.Broadcast()
	for len(w.dirty) == 0 && !w.stopped {
		w.changed.Wait()
	}
	if w.stopped {
		return nil, nil, false
	}
	uris = slices.SortedFunc(maps.Keys(w.dirty), func(a, b string) int { return w.dirty[a] - w.dirty[b] })
	w.dirty, w.busy = map[string]int{}, true
	if w.cancel != nil {
		w.cancel()
	}
	round, w.cancel = context.WithCancel(ctx)
	return uris, round, true
}

// patience is how long after a change the first word on a document waits for what is known
// about its folder, so that both are said at once where file and folder are small.
const patience = 20 * time.Millisecond

// diagnose tells what is wrong, for as long as the conversation lasts. Of several
// changes that come meanwhile only the last is looked at.
func (s *server) diagnose(ctx context.Context) {
	for {
		uris, round, ok := s.work.next(ctx)
		if !ok {
			return
		}
		s.diagnoseRound(ctx, round, uris)
	}
}

// view is a document with what was found in it.
type view struct {
	buffer *buffer
	own    diag.List
}

// diagnoseRound looks at documents, and at their folders. round ends when there is a
// further change.
func (s *server) diagnoseRound(ctx, round context.Context, uris []string) {
	began := time.Now()
	documents := s.snapshot()
	texts := files.NewOverlay(s.disk, textsOf(documents)) // once: it asks about each document
	var views []view
	var folders []*folder
	for _, uri := range slices.Backward(uris) { // what was typed last first
		b := documents[uri]
		if b == nil {
			continue
		}
		own, err := s.own(follow.Overlaid(ctx, texts), b) // it is quick, and always finished
		if err != nil {
			continue
		}
		views = append(views, view{b, own})
		if b.folder.opened && !slices.Contains(folders, b.folder) {
			folders = append(folders, b.folder)
		}
	}
	s.work.keep(views)
	result := make(chan map[*folder]diag.List, 1)
	go func() {
		overlaid := follow.Overlaid(round, texts)
		found := map[*folder]diag.List{}
		for _, f := range folders {
			if list, err := f.whole(overlaid); err == nil {
				found[f] = list
			}
		}
		result <- found
	}()
	timer := time.NewTimer(patience - time.Since(began))
	defer timer.Stop()
	var found map[*folder]diag.List
	select {
	case found = <-result:
	case <-timer.C:
		s.publishViews(ctx, views, nil)
		found = <-result
	case <-round.Done():
		s.publishViews(ctx, views, nil)
		found = <-result
	}
	if round.Err() != nil {
		s.publishViews(ctx, views, nil) // the next round tells the rest
		return
	}
	s.publishViews(ctx, views, found)
	for f, list := range found {
		s.publishViews(ctx, s.work.viewsOf(f), found)
		s.publishOthers(ctx, f, list)
	}
}

// keep remembers what was found in documents.
func (w *diagnosing) keep(views []view) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, v := range views {
		w.views[v.buffer.uri] = v
	}
}

// viewsOf are all documents of a folder that were looked at.
func (w *diagnosing) viewsOf(f *folder) []view {
	w.mu.Lock()
	defer w.mu.Unlock()
	var views []view
	for _, uri := range slices.Sorted(maps.Keys(w.views)) {
		if v := w.views[uri]; v.buffer.folder == f {
			views = append(views, v)
		}
	}
	return views
}

// own is what `pertain lint` tells about a document by itself.
func (s *server) own(ctx context.Context, b *buffer) (diag.List, error) {
	switch b.kind {
	case strategyFile, ruleFile:
		read, err := b.folder.lint.Read(ctx, []string{b.path})
		if err != nil {
			return nil, err
		}
		list := append(read.Diagnostics, lint.CheckTexts(read.Rules)...)
		if len(read.Rules) > 0 {
			dead, err := b.folder.deadGlobs(ctx, read.Rules)
			if err != nil {
				return nil, err
			}
			list = append(list, dead...)
		}
		list.Sort()
		return list.Limit(), nil
	case settingsFile:
		return settingsProblems(b), nil
	case contextFile:
		return lint.Context(b.path, b.text.string), nil
	case testFile:
		return s.failedCases(ctx, b)
	}
	return nil, nil
}

// publishViews tells what was found; found is what is known of folders, nil: nothing
// yet.
func (s *server) publishViews(ctx context.Context, views []view, found map[*folder]diag.List) {
	s.mu.Lock()
	spoken := newSpokenOf(s.by)
	s.mu.Unlock()
	ofFiles := byFile(found)
	for _, v := range views {
		list := slices.DeleteFunc(slices.Clone(v.own), func(d diag.Diagnostic) bool { return d.Source != nil && d.File() != v.buffer.path })
		if v.buffer.kind == strategyFile || v.buffer.kind == ruleFile {
			for _, d := range ofFiles[v.buffer.folder][v.buffer.path] {
				if !slices.ContainsFunc(list, func(own diag.Diagnostic) bool { return own.Code == d.Code && own.Span == d.Span }) {
					list = append(list, d)
				}
			}
		}
		list.Sort()
		s.publish(ctx, v.buffer, list, spoken)
	}
}

// byFile is what is known of folders, for each file.
func byFile(found map[*folder]diag.List) map[*folder]map[string]diag.List {
	out := make(map[*folder]map[string]diag.List, len(found))
	for f, list := range found {
		out[f] = map[string]diag.List{}
		for _, d := range list {
			out[f][d.File()] = append(out[f][d.File()], d)
		}
	}
	return out
}

// betweenFiles are the mistakes of several files together, which are told of files
// that are not open, too.
func betweenFiles(d diag.Diagnostic) bool {
	return d.Code == diag.StrategyDuplicateID || d.Code == diag.RuleNearName
}

// publishOthers tells about files of a folder that are not open.
func (s *server) publishOthers(ctx context.Context, f *folder, list diag.List) {
	s.mu.Lock()
	by, open := s.by, map[string]bool{}
	for _, b := range s.documents {
		open[b.path] = true
	}
	s.mu.Unlock()
	others, spoken := map[string][]diagnostic{}, newSpokenOf(by)
	for _, d := range list {
		path := d.File()
		if path != "" && !open[path] && betweenFiles(d) && files.Native().Inside(f.dir, path) {
			others[uriOf(path)] = append(others[uriOf(path)], spoken.diagnostic(spoken.text(d.Source), d))
		}
	}
	s.work.mu.Lock()
	var gone []string
	for uri := range s.work.published {
		path, _ := pathOf(uri)
		if others[uri] == nil && !open[path] && files.Native().Inside(f.dir, path) {
			gone = append(gone, uri)
		}
	}
	s.work.mu.Unlock()
	for uri, list := range others {
		s.say(ctx, publishParams{URI: uri, Diagnostics: list}, false)
	}
	for _, uri := range gone {
		s.clear(ctx, uri)
	}
}

// publish tells about a document, unless there is a newer version.
func (s *server) publish(ctx context.Context, b *buffer, list diag.List, spoken *spokenOf) {
	if now, _ := s.open(b.uri); now != b {
		return
	}
	out := make([]diagnostic, 0, len(list))
	for _, d := range list {
		out = append(out, spoken.diagnostic(b.text, d))
	}
	s.say(ctx, publishParams{URI: b.uri, Version: &b.version, Diagnostics: out}, true)
}
