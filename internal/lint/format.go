package lint

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/format"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/strategy"
)

// FieldOrder is the order of the fields of a file; false if it is of no format that
// is Pertain's own.
func FieldOrder(path string) ([]string, bool) {
	native := slices.ContainsFunc([]string{"/.pertain/rules/", "/.omp/rules/", "/.omp/agent/rules/"}, func(folder string) bool {
		return strings.Contains(filepath.ToSlash(path), folder)
	})
	switch extension := filepath.Ext(path); {
	case native && (extension == ".md" || extension == ".mdc"):
		return rule.NativeFields(), true
	case strategy.IsFile(path):
		return strategy.FieldNames(), true
	}
	return nil, false
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
