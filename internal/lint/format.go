package lint

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/internal/format"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/strategy"
)

// FieldOrder is the order of the fields of a file; false if it is of no format that
// is Pertain's own.
func FieldOrder(path string) ([]string, bool) {
	switch {
	case isNative(path):
		return rule.NativeFields(), true
	case strategy.IsFile(path):
		return strategy.FieldNames(), true
	}
	return nil, false
}

// isNative tells whether a file is a native rule by its place.
func isNative(path string) bool {
	extension := filepath.Ext(path)
	return (extension == ".md" || extension == ".mdc") && slices.ContainsFunc([]string{"/.pertain/rules/", "/.omp/rules/", "/.omp/agent/rules/"}, func(folder string) bool {
		return strings.Contains(filepath.ToSlash(path), folder)
	})
}

// IsBare tells whether a file is a rule that is text alone, without a doubt: there is nothing to format in it. Strategies cannot be.
func IsBare(path string, data []byte) bool {
	if !isNative(path) || !utf8.Valid(data) {
		return false
	}
	doc, doubts := document.Parse(diag.NewSource("", string(data)), document.Lenient)
	return !doc.HasFrontmatter && len(doubts) == 0
}

// Formatted is [format.Frontmatter] on the bytes of a file.
func Formatted(data []byte, order []string) ([]byte, error) {
	out, _, err := FormattedCounted(data, order)
	return out, err
}

// FormattedCounted is [format.FrontmatterCounted] on the bytes of a file.
func FormattedCounted(data []byte, order []string) (out []byte, effort int, err error) {
	mark := []byte("\xef\xbb\xbf")
	text, marked := bytes.CutPrefix(data, mark)
	if !utf8.Valid(text) {
		return nil, 0, errors.New("it is not UTF-8")
	}
	formatted, effort, err := format.FrontmatterCounted(string(text), order)
	if err != nil {
		return nil, effort, err
	}
	if marked {
		return append(mark, formatted...), effort, nil
	}
	return []byte(formatted), effort, nil
}
