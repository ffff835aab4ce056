package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"unicode"

	"github.com/pertain-dev/pertain/internal/fileerror"
	"github.com/pertain-dev/pertain/internal/files"
)

// maxTestText is how much text is taken, in bytes.
const maxTestText = 64 << 20

// testText is a text that triggers are tried on.
type testText struct {
	text    string
	skipped int // bytes of its file that come before: a byte order mark
}

// text gives the text that an argument means.
func (t *triggerTest) text(arg string) (testText, error) {
	if arg == "-" {
		data, err := io.ReadAll(io.LimitReader(t.app.call.Stdin, maxTestText+1))
		if len(data) > maxTestText {
			return testText{}, usage("standard input is larger than 64 MiB")
		}
		return testText{text: string(data)}, err
	}
	if arg == "" { // its path would be that of the working folder
		return testText{}, nil
	}
	path := t.app.abs(arg)
	info, err := os.Stat(path)
	switch {
	case err != nil: // it is the text itself
		if why := fileerror.Reason(err); looksLikePath(arg) {
			if errors.Is(err, fs.ErrNotExist) {
				why = "there is no such file"
			}
			fmt.Fprintf(t.app.call.Stderr, "pertain: %s: %s; it is taken as the text\n", clean(arg), why)
		}
		return testText{text: arg}, nil
	case info.IsDir():
		return testText{}, usage("%s: it is a folder; `pertain rules scan %s` looks into its files, and - takes a text from standard input", arg, arg)
	}
	data, err := files.OS().ReadFile(path, maxTestText)
	var large *files.TooLargeError
	switch {
	case errors.As(err, &large):
		return testText{}, usage("%s: the file is larger than 64 MiB", arg)
	case err != nil:
		return testText{}, usage("%s: %s", arg, fileerror.Reason(err))
	}
	if text, marked := strings.CutPrefix(string(data), byteOrderMark); marked {
		return testText{text, len(byteOrderMark)}, nil
	}
	return testText{text: string(data)}, nil
}

// looksLikePath says whether a text was perhaps meant to be the name of a file: it is
// one word of what such names consist of, with a separator or an ending.
func looksLikePath(text string) bool {
	for _, r := range text {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(`_.~@+-/\`, r) {
			return false
		}
	}
	if strings.ContainsAny(text, `/\`) {
		return true
	}
	dot := strings.LastIndexByte(text, '.')
	ending := text[dot+1:]
	return dot >= 0 && len(ending) <= 8 && strings.ContainsFunc(ending, unicode.IsLetter)
}
