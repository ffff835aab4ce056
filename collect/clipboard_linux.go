package collect

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// clipboardSource is where selections are read from: an X server or a Wayland
// compositor.
type clipboardSource interface {
	// targets are the forms that a selection can be had in; none: nobody owns it.
	targets(ctx context.Context, selection string) ([]string, error)
	read(ctx context.Context, selection, target string) ([]byte, error)
	arriving() bool // whether what was read last is still on its way
	close()
}

func (e *exchange) arriving() bool { return e.comes }

func (*dataControl) arriving() bool { return false } // it comes through a pipe, of which that is not known

// Names of selections.
const (
	clipboardSelection = "CLIPBOARD"
	primarySelection   = "PRIMARY"
)

// clipboard reads what the user has copied (CF §13).
type clipboard struct {
	*desktop
	id      string
	wayland bool
}

func (c clipboard) Info() facts.CollectorInfo {
	return facts.CollectorInfo{ID: c.id, Serves: []string{"clipboard"}}
}

func (c clipboard) CanCollect(context.Context, *facts.Snapshot, facts.Request) bool {
	if c.wayland {
		return c.desktop.wayland()
	}
	return localDisplay(c.options.Env("DISPLAY"))
}

func (c clipboard) Collect(ctx context.Context, _ *facts.Snapshot, request facts.Request) (facts.Part, error) {
	if err := c.allowed(ctx); err != nil {
		return facts.Part{}, err
	}
	source, err := c.source(ctx, c.wayland)
	if err != nil {
		return facts.Part{}, err
	}
	defer source.close()
	return readClipboard(ctx, source, request.Needs.Names())
}

// readClipboard answers what it can: which forms there are is known even where
// one of them cannot be had.
func readClipboard(ctx context.Context, source clipboardSource, needs []string) (facts.Part, error) {
	targets, err := source.targets(ctx, clipboardSelection)
	if err != nil {
		return facts.Part{}, transferFailed(err)
	}
	var part facts.Part
	for _, need := range needs {
		v, lack, err := clipboardFact(ctx, source, need, targets)
		switch {
		case errors.Is(err, errTooMuch):
			lack = &facts.Lack{Reason: "there is more on the clipboard than the 16 MiB that are read", Remedy: "copy less"}
		case err != nil && source.arriving():
			lack = &facts.Lack{Reason: "there is too much on the clipboard to be read in time", Remedy: "copy less, or " + moreTime, Code: diag.ExtraProviderTimeout}
		case err != nil:
			why := transferFailed(err)
			lack = &facts.Lack{Reason: why.Reason, Remedy: why.Remedy, Code: why.Code}
		default:
			part = part.With(need, v)
		}
		if lack != nil {
			lack.Path = need
			part.Lacks = append(part.Lacks, *lack)
		}
	}
	return part, nil
}

// allowed refuses to read what was perhaps copied in a window that must not be
// read, as far as can be known: while it is in front.
func (d *desktop) allowed(ctx context.Context) error {
	if !d.options.Private.asked() {
		return nil
	}
	if d.options.Private.Broken {
		return d.options.Private.refuses("")
	}
	_, err := d.front(ctx)
	return d.options.Private.forClipboard(err)
}

// source opens the way to the selections.
func (d *desktop) source(ctx context.Context, wayland bool) (clipboardSource, error) {
	if wayland {
		return d.dataControl(ctx)
	}
	e, err := d.exchange(ctx)
	if err != nil {
		return nil, unreachable(err)
	}
	return e, nil
}

// transferFailed words why another program's selection could not be had.
func transferFailed(err error) *facts.CollectError {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded) {
		return &facts.CollectError{Code: diag.ExtraProviderTimeout, Reason: "the program that owns it does not answer", Remedy: "copy again, or end that program", Err: err}
	}
	return &facts.CollectError{Code: diag.ExtraProviderFailed, Reason: "the program that owns it did not give it", Remedy: "copy again", Err: err}
}

// clipboardFact answers one need.
func clipboardFact(ctx context.Context, source clipboardSource, need string, targets []string) (facts.Value, *facts.Lack, error) {
	text := textTarget(targets)
	switch need {
	case "clipboard.hasText":
		return facts.Flag(text != ""), nil, nil
	case "clipboard.hasImage":
		return facts.Flag(slices.ContainsFunc(targets, isImage)), nil, nil
	case "clipboard.files":
		return copiedFiles(ctx, source, targets)
	case "clipboard.text":
		if text == "" || secret(targets) {
			return facts.Value{}, nil, nil
		}
		data, err := source.read(ctx, clipboardSelection, text)
		if err != nil {
			return facts.Value{}, nil, err
		}
		return facts.Text(decodeText(text, data)), nil, nil
	}
	return facts.Value{}, nil, nil
}

// secret tells whether a password manager has marked what it copied.
func secret(targets []string) bool { return slices.Contains(targets, "x-kde-passwordManagerHint") }

func isImage(target string) bool { return strings.HasPrefix(target, "image/") }

// textTarget is the form that text is best asked for, or "".
func textTarget(targets []string) string {
	for _, want := range []string{"UTF8_STRING", "text/plain;charset=utf-8", "text/plain;charset=UTF-8", "text/plain", "STRING", "TEXT"} {
		if slices.Contains(targets, want) {
			return want
		}
	}
	return ""
}

// decodeText makes a text of what was transferred: X's STRING is Latin-1.
func decodeText(target string, data []byte) string {
	if target == "STRING" || !utf8.Valid(data) && target != "UTF8_STRING" {
		runes := make([]rune, len(data))
		for i, b := range data {
			runes[i] = rune(b)
		}
		return string(runes)
	}
	return strings.ToValidUTF8(strings.TrimSuffix(string(data), "\x00"), "\ufffd")
}

// copiedFiles are the files on the clipboard; without any it is the empty list.
// The lack says what else was copied, which has no path here.
func copiedFiles(ctx context.Context, source clipboardSource, targets []string) (facts.Value, *facts.Lack, error) {
	for _, target := range []string{"x-special/gnome-copied-files", "text/uri-list"} {
		if !slices.Contains(targets, target) {
			continue
		}
		data, err := source.read(ctx, clipboardSelection, target)
		if err != nil {
			return facts.Value{}, nil, err
		}
		var files []facts.Value
		paths, others := filePaths(string(data))
		for _, path := range paths {
			files = append(files, facts.Fields(
				facts.Field{Name: "path", Value: facts.Text(path)},
				facts.Field{Name: "extension", Value: facts.Text(filepath.Ext(path))},
			))
		}
		var lack *facts.Lack
		if others > 0 {
			lack = &facts.Lack{Reason: fmt.Sprintf("%d of what was copied is no file of this machine, or its name is not valid UTF-8", others)}
		}
		return facts.List(files...), lack, nil
	}
	return facts.List(), nil, nil
}

// webSchemes are those of addresses that nobody takes for files.
var webSchemes = []string{"http", "https", "mailto", "data", "about", "javascript"}

// filePaths reads a list of addresses, one a line, and keeps the files of this
// machine; others counts the rest. The first line of GNOME's form is "copy" or
// "cut", and lines that begin with # say something about the list.
func filePaths(list string) (paths []string, others int) {
	for line := range strings.Lines(list) {
		line = strings.TrimRight(line, "\r\n\x00")
		if path, ok := filePath(line); ok {
			paths = append(paths, path)
		} else if scheme, _, ok := strings.Cut(line, ":"); ok && !strings.HasPrefix(line, "#") && !slices.Contains(webSchemes, strings.ToLower(scheme)) {
			others++
		}
	}
	return paths, others
}
