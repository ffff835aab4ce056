package repository

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pertain-dev/pertain/internal/files"
)

var errTooLarge = errors.New("the file is too large")

// readWhole reads a regular file, and when it was written.
func readWhole(path string, limit int64) ([]byte, time.Time, error) {
	f, err := openRegular(path, true)
	if err != nil {
		return nil, time.Time{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, time.Time{}, err
	}
	if info.Size() > limit {
		return nil, time.Time{}, errTooLarge
	}
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = errTooLarge
	}
	return data, info.ModTime(), err
}

// conversion is what git may do with the content of files before it compares it.
type conversion uint8

const (
	convertsLines  conversion = 1 << iota // ends of lines
	convertsIdent                         // $Id$
	convertsByRule                        // a filter, another encoding
)

// attributesOf tells what a file of attributes may ask for. It is not read any
// closer: for which files is not worth a mistake.
func attributesOf(path string) conversion {
	if _, err := os.Lstat(path); err != nil {
		return 0
	}
	data, err := files.OS().ReadFile(path, maxAttributes)
	if err != nil {
		if absent(err) {
			return 0
		}
		return convertsLines | convertsIdent | convertsByRule
	}
	var found conversion
	for word, c := range map[string]conversion{
		"text": convertsLines, "eol": convertsLines, "crlf": convertsLines,
		"ident": convertsIdent, "filter": convertsByRule, "encoding": convertsByRule,
	} {
		if bytes.Contains(data, []byte(word)) {
			found |= c
		}
	}
	return found
}

// contentDiffers reads a file.
func (c *comparison) contentDiffers(path string, e *entry, by conversion) (bool, error) {
	if by&convertsByRule != 0 {
		c.doubt(reasonContent)
		return false, nil
	}
	f, err := openRegular(path, false)
	if err != nil {
		c.doubt(reasonFile)
		return false, nil
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		c.doubt(reasonFile)
		return false, nil
	}
	if c.hashed += info.Size(); c.hashed > maxHashed {
		return false, unknown("too much would have to be read")
	}
	h := newHash(c.index.width)
	fmt.Fprintf(h, "blob %d\x00", info.Size())
	var lines, ident bool
	var tail byte
	buffer := make([]byte, 64<<10)
	for read := int64(0); ; {
		if err := c.ctx.Err(); err != nil {
			return false, err
		}
		n, err := f.Read(buffer)
		part := buffer[:n]
		lines = lines || bytes.Contains(part, []byte("\r\n")) || tail == '\r' && n > 0 && part[0] == '\n'
		ident = ident || bytes.Contains(part, []byte("$"))
		if n > 0 {
			tail = part[n-1]
		}
		h.Write(part)
		if read += int64(n); errors.Is(err, io.EOF) {
			if read != info.Size() { // it is written to right now
				c.doubt(reasonFile)
				return false, nil
			}
			break
		}
		if err != nil || read > info.Size() {
			c.doubt(reasonFile)
			return false, nil
		}
	}
	differs := string(h.Sum(nil)) != e.object
	// Ends of lines may be converted by a setting too. Where the content is the
	// same to the byte, only an attribute makes git convert it nevertheless.
	if lines && (differs || by&convertsLines != 0) || ident && by&convertsIdent != 0 {
		c.doubt(reasonContent)
		return false, nil
	}
	return differs, nil
}

// linkDiffers reads a link.
func (c *comparison) linkDiffers(path string, e *entry) (bool, error) {
	target, err := os.Readlink(path)
	if err != nil {
		return c.undecided(unknown(reasonFile))
	}
	h := newHash(c.index.width)
	fmt.Fprintf(h, "blob %d\x00%s", len(target), filepath.ToSlash(target))
	return string(h.Sum(nil)) != e.object, nil
}

// ignoresSubmodules tells whether the project may not want to know what is
// changed in its submodules.
func (r *Repository) ignoresSubmodules() bool {
	path := filepath.Join(r.Top, ".gitmodules")
	data, err := files.OS().ReadFile(path, maxSettings)
	if err != nil {
		return !absent(err)
	}
	return strings.Contains(strings.ToLower(string(data)), "ignore")
}
