package cli

import (
	"bytes"
	"cmp"
	"errors"
	"path/filepath"
	"strings"
	"unsafe"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/fileerror"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/surface"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/stream"
)

// maxScanFile is how large a file may be, in bytes. Larger ones are data.
const maxScanFile = 64 << 20

// byteOrderMark may be at the start of a text in a file, and is no part of it.
const byteOrderMark = "\uFEFF"

// scanWorker goes over one file after the other.
type scanWorker struct {
	*scanner
	stream *stream.Scanner
	buffer []byte
}

func (w *scanWorker) file(at scanPath) {
	path := at.name
	text, real, ok, err := w.load(at)
	if err != nil {
		w.unread(scanProblem{Path: path, Reason: fileerror.Reason(err)})
		return
	}
	if !ok {
		w.skipped.Add(1)
		return
	}
	w.read.Add(1)
	w.bytes.Add(int64(len(text)))
	// A byte order mark says how the file is written: ^ matches after it, and it has
	// no column.
	text, marked := strings.CutPrefix(text, byteOrderMark)
	skipped := 0
	if marked {
		skipped = len(byteOrderMark)
	}
	matches := w.stream.Scan(text)
	open := w.stream.Undecided()
	if len(matches) == 0 && len(open) == 0 {
		return
	}
	applies := w.applies(path, real)
	source := diag.NewSource(path, text)
	if w.keepTexts {
		source = diag.NewSource(path, strings.Clone(text)) // the buffer is used again
	}
	in := &scannedFile{}
	if w.keepTexts {
		in.source = source
	}
	list, all := w.listed(matches, applies)
	in.found = all
	found := make([]scanFinding, len(list))
	for i, m := range list {
		p := source.Position(m.Start)
		found[i] = scanFinding{
			Rule: w.set.Trigger(m.Trigger).Name, File: path, Line: p.Line, Column: p.Column, Offset: skipped + m.Start, Length: m.End - m.Start,
			in: in, start: m.Start, own: m.own, nth: m.nth,
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.found += all
	for _, f := range found {
		w.findings.add(f)
	}
	for _, u := range open {
		if applies[u.Trigger] {
			w.undecided.add(scanUndecided{File: path, testUndecided: newTestUndecided(w.set, u, skipped), own: w.set.Trigger(u.Trigger).Own, trigger: u.Trigger})
		}
	}
}

// scanPath is a file to look at.
type scanPath struct {
	name   string // as it is told
	real   string // where it was found, without links; empty: the user named it, and links to it are followed
	bounds files.Bounds
}

var errBecameLink = errors.New("it became a link while the folder was searched")

// load reads a file into the worker's buffer, which is the text until the next call; ok is false for what is no text. The file
// is opened once, and what was opened is judged: it may have become a link since it was found, to a file that nobody named.
func (w *scanWorker) load(path scanPath) (text, real string, ok bool, err error) {
	o, err := files.OS().Open(cmp.Or(path.real, path.name), path.bounds)
	if outside := (*files.OutsideError)(nil); errors.As(err, &outside) {
		err = errBecameLink
	}
	if err != nil {
		return "", "", false, err
	}
	defer o.Close()
	real = o.Real()
	switch info := o.Info(); {
	case path.real != "" && real != path.real:
		return "", "", false, errBecameLink
	case info.Kind != files.File || info.Size > maxScanFile:
		return "", real, false, nil
	}
	if w.buffer, err = o.Append(w.buffer[:0], maxScanFile+1); err != nil {
		return "", "", false, err
	}
	data := w.buffer
	if len(data) > maxScanFile || bytes.IndexByte(data[:min(len(data), 8<<10)], 0) >= 0 {
		return "", real, false, nil
	}
	return unsafe.String(unsafe.SliceData(data), len(data)), real, true, nil
}

// applies says which triggers count in a file: those whose rule applies to it and
// that watch a tool that has written it.
func (w *scanWorker) applies(path, real string) []bool {
	out := make([]bool, w.set.Len())
	in := map[string]bool{}
	for _, v := range w.book.ForPaths([]string{path}, false)[0] {
		in[v.Rule.Name] = v.Why == rule.ByTrigger
	}
	paths, own := w.names(path, real), files.NewNamer(w.book.Root).OwnNames([]string{path})
	for i := range out {
		out[i] = in[w.set.Trigger(i).Name] && surface.WatchesFile(w.set, i, paths, own)
	}
	return out
}

// names gives the path of a file as scopes know it, and where it really is.
func (w *scanWorker) names(path, real string) []string {
	paths := []string{path}
	if real != path {
		paths = append(paths, real)
	}
	for i, path := range paths {
		if rel, err := filepath.Rel(w.book.Root, path); err == nil {
			path = rel
		}
		paths[i] = filepath.ToSlash(path)
	}
	return paths
}
