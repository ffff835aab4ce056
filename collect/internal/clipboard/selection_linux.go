package clipboard

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

// Source is where selections are read from: an X server or a Wayland
// compositor.
type Source interface {
	// targets are the forms that a selection can be had in; none: nobody owns it.
	Targets(ctx context.Context, selection string) ([]string, error)
	Read(ctx context.Context, selection, target string) ([]byte, error)
	Arriving() bool // whether what was read last is still on its way
	Close()
}

// Names of selections.
const (
	Clipboard = "CLIPBOARD"
	Primary   = "PRIMARY"
)

// MaxTransfer bounds what is taken from another program's selection, in bytes.
const MaxTransfer = 16 << 20

// Answers of those who own a selection.
var (
	ErrRefused = errors.New("the owner of the selection refused")
	ErrTooMuch = errors.New("the selection is larger than what is read")
)

// Read answers what it can: which forms there are is known even where
// one of them cannot be had.
func Read(ctx context.Context, source Source, needs []string) (facts.Part, error) {
	targets, err := source.Targets(ctx, Clipboard)
	if err != nil {
		return facts.Part{}, transferFailed(err)
	}
	var part facts.Part
	for _, need := range needs {
		v, lack, err := clipboardFact(ctx, source, need, targets)
		switch {
		case errors.Is(err, ErrTooMuch):
			lack = &facts.Lack{Reason: "there is more on the clipboard than the 16 MiB that are read", Remedy: "copy less"}
		case err != nil && source.Arriving():
			lack = &facts.Lack{Reason: "there is too much on the clipboard to be read in time", Remedy: "copy less, or give the collectors more time with options.extraTimeout in the settings", Code: diag.ExtraProviderTimeout}
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

// transferFailed words why another program's selection could not be had.
func transferFailed(err error) *facts.CollectError {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded) {
		return &facts.CollectError{Code: diag.ExtraProviderTimeout, Reason: "the program that owns it does not answer", Remedy: "copy again, or end that program", Err: err}
	}
	return &facts.CollectError{Code: diag.ExtraProviderFailed, Reason: "the program that owns it did not give it", Remedy: "copy again", Err: err}
}

// clipboardFact answers one need.
func clipboardFact(ctx context.Context, source Source, need string, targets []string) (facts.Value, *facts.Lack, error) {
	text := TextTarget(targets)
	switch need {
	case "clipboard.hasText":
		return facts.Flag(text != ""), nil, nil
	case "clipboard.hasImage":
		return facts.Flag(slices.ContainsFunc(targets, isImage)), nil, nil
	case "clipboard.files":
		return copiedFiles(ctx, source, targets)
	case "clipboard.text":
		if text == "" || Secret(targets) {
			return facts.Value{}, nil, nil
		}
		data, err := source.Read(ctx, Clipboard, text)
		if err != nil {
			return facts.Value{}, nil, err
		}
		return facts.Text(DecodeText(text, data)), nil, nil
	}
	return facts.Value{}, nil, nil
}

// Secret tells whether a password manager has marked what it copied.
func Secret(targets []string) bool { return slices.Contains(targets, "x-kde-passwordManagerHint") }

func isImage(target string) bool { return strings.HasPrefix(target, "image/") }

// TextTarget is the form that text is best asked for, or "".
func TextTarget(targets []string) string {
	for _, want := range []string{"UTF8_STRING", "text/plain;charset=utf-8", "text/plain;charset=UTF-8", "text/plain", "STRING", "TEXT"} {
		if slices.Contains(targets, want) {
			return want
		}
	}
	return ""
}

// DecodeText makes a text of what was transferred: X's STRING is Latin-1.
func DecodeText(target string, data []byte) string {
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
func copiedFiles(ctx context.Context, source Source, targets []string) (facts.Value, *facts.Lack, error) {
	for _, target := range []string{"x-special/gnome-copied-files", "text/uri-list"} {
		if !slices.Contains(targets, target) {
			continue
		}
		data, err := source.Read(ctx, Clipboard, target)
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
		if path, ok := FilePath(line); ok {
			paths = append(paths, path)
		} else if scheme, _, ok := strings.Cut(line, ":"); ok && !strings.HasPrefix(line, "#") && !slices.Contains(webSchemes, strings.ToLower(scheme)) {
			others++
		}
	}
	return paths, others
}
