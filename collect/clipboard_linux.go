package collect

import (
	"context"
	"errors"
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
	close()
}

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
	targets, err := source.targets(ctx, clipboardSelection)
	if err != nil {
		return facts.Part{}, transferFailed(err)
	}
	var part facts.Part
	for _, need := range request.Needs.Names() {
		v, err := clipboardFact(ctx, source, need, targets)
		if errors.Is(err, errTooMuch) {
			part.Lacks = append(part.Lacks, facts.Lack{Path: need, Reason: "there is more on the clipboard than the 16 MiB that are read", Remedy: "copy less"})
			continue
		}
		if err != nil {
			return facts.Part{}, transferFailed(err)
		}
		part = part.With(need, v)
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
		return d.options.Private.refusal()
	}
	_, err := d.front(ctx)
	if errors.Is(err, errNoWindow) {
		return nil
	}
	return err
}

// source opens the way to the selections.
func (d *desktop) source(ctx context.Context, wayland bool) (clipboardSource, error) {
	if wayland {
		return d.dataControl(ctx)
	}
	e, err := d.exchange(ctx)
	if errors.Is(err, errServerStuck) {
		return nil, &facts.CollectError{Code: diag.ExtraProviderTimeout, Reason: "the X server does not answer", Remedy: "wait until it reacts again", Err: err}
	}
	if err != nil {
		return nil, &facts.CollectError{Code: diag.ExtraProviderUnavailable, Reason: "the X server cannot be reached", Remedy: "check DISPLAY and XAUTHORITY", Err: err}
	}
	return e, nil
}

// transferFailed words why another program's selection could not be had.
func transferFailed(err error) error {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded) {
		return &facts.CollectError{Code: diag.ExtraProviderTimeout, Reason: "the program that owns it does not answer", Remedy: "copy again, or end that program", Err: err}
	}
	return &facts.CollectError{Code: diag.ExtraProviderFailed, Reason: "the program that owns it did not give it", Remedy: "copy again", Err: err}
}

// clipboardFact answers one need.
func clipboardFact(ctx context.Context, source clipboardSource, need string, targets []string) (facts.Value, error) {
	text := textTarget(targets)
	switch need {
	case "clipboard.hasText":
		return facts.Flag(text != ""), nil
	case "clipboard.hasImage":
		return facts.Flag(slices.ContainsFunc(targets, isImage)), nil
	case "clipboard.files":
		return copiedFiles(ctx, source, targets)
	case "clipboard.text":
		if text == "" || secret(targets) {
			return facts.Value{}, nil
		}
		data, err := source.read(ctx, clipboardSelection, text)
		if err != nil {
			return facts.Value{}, err
		}
		return facts.Text(decodeText(text, data)), nil
	}
	return facts.Value{}, nil
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
func copiedFiles(ctx context.Context, source clipboardSource, targets []string) (facts.Value, error) {
	for _, target := range []string{"x-special/gnome-copied-files", "text/uri-list"} {
		if !slices.Contains(targets, target) {
			continue
		}
		data, err := source.read(ctx, clipboardSelection, target)
		if err != nil {
			return facts.Value{}, err
		}
		var files []facts.Value
		for _, path := range filePaths(string(data)) {
			files = append(files, facts.Fields(
				facts.Field{Name: "path", Value: facts.Text(path)},
				facts.Field{Name: "extension", Value: facts.Text(filepath.Ext(path))},
			))
		}
		return facts.List(files...), nil
	}
	return facts.List(), nil
}

// filePaths reads a list of addresses, one a line, and keeps the files of this
// machine. The first line of GNOME's form is "copy" or "cut".
func filePaths(list string) []string {
	var paths []string
	for line := range strings.Lines(list) {
		if path, ok := filePath(strings.TrimRight(line, "\r\n\x00")); ok {
			paths = append(paths, path)
		}
	}
	return paths
}
