package hotkey

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/writing"
)

// Marks around what is ours in a file of the user's.
const (
	markBegin = "# pertain hotkey: begin (pertain hotkey remove takes this out)\n"
	markEnd   = "# pertain hotkey: end\n"
)

// maxFile bounds a settings file.
const maxFile = 4 << 20

// Change is a file with another text.
type Change struct {
	Path          string // absolute
	Before, After string
	Gone          bool // the file is removed

	target writing.Target
	mode   fs.FileMode // that it had, or gets
}

func (c *Change) write() error {
	if c.Gone {
		return c.target.Remove()
	}
	if err := c.target.MakeFolder(0o700); err != nil {
		return err
	}
	return c.target.Write([]byte(c.After), c.mode)
}

// newChange reads a file of the user's; one that is missing is empty.
func newChange(path string) (*Change, error) {
	target, err := writing.OwnTarget(path)
	if err != nil {
		return nil, err
	}
	data, err := files.OS().ReadFile(path, maxFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err := target.Check(); err != nil {
		return nil, err
	}
	c := &Change{Path: path, Before: string(data), After: string(data), target: target, mode: 0o600}
	if info, err := os.Stat(path); err == nil {
		c.mode = info.Mode().Perm()
	}
	return c, nil
}

// blockIn plans a line in the first of some files that exists: these window managers
// read one file, which people write by hand.
func blockIn(paths func(Session) []string, line func(Key, []string) string, boundIn func(text string, k Key) string) func(context.Context, Session, Key, []string, bool) ([]Step, error) {
	return func(_ context.Context, s Session, k Key, command []string, remove bool) ([]Step, error) {
		for _, path := range paths(s) {
			if _, err := files.OS().Stat(path); err != nil {
				continue
			}
			change, err := newChange(path)
			if err != nil {
				return nil, err
			}
			text := ""
			if !remove {
				text = line(k, command) + "\n"
			}
			if change.After, err = withBlock(change.Before, text); err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			if rest, err := withBlock(change.Before, ""); err == nil && !remove {
				if taken := boundIn(rest, k); taken != "" {
					return nil, fmt.Errorf("%s is bound to `%s`; choose another with --key", k, clean(taken))
				}
			}
			if change.After == change.Before {
				return nil, nil
			}
			return []Step{{Change: change}}, nil
		}
		if remove {
			return nil, nil
		}
		return nil, &MissingError{Paths: paths(s)}
	}
}

// MissingError says that there is no file that a line could be put into.
type MissingError struct{ Paths []string }

func (e *MissingError) Error() string {
	return "there is no " + strings.Join(e.Paths, " or ")
}

// withBlock puts a text between the marks at the end of another, in the place of what
// stood between them; an empty text takes the marks out too. What was there before
// comes back byte for byte.
func withBlock(all, text string) (string, error) {
	before, rest, found := strings.Cut(all, markBegin)
	after := ""
	if found {
		var ended bool
		if _, after, ended = strings.Cut(rest, markEnd); !ended || strings.Contains(after, markBegin) {
			return "", errors.New("the marks of `pertain hotkey` do not belong together; take what stands between them out by hand")
		}
	}
	if text == "" {
		if found {
			before = strings.TrimSuffix(before, blockGap)
		}
		return before + after, nil
	}
	if found {
		return before + markBegin + text + markEnd + after, nil
	}
	return before + blockGap + markBegin + text + markEnd, nil
}

// blockGap stands before the marks, so that a last line without an end is not joined.
const blockGap = "\n"

func swayFiles(s Session) []string {
	return []string{filepath.Join(s.Config, "sway", "config"), filepath.Join(s.Home, ".sway", "config")}
}

func i3Files(s Session) []string {
	return []string{filepath.Join(s.Config, "i3", "config"), filepath.Join(s.Home, ".i3", "config")}
}

func hyprlandFiles(s Session) []string {
	return []string{filepath.Join(s.Config, "hypr", "hyprland.conf")}
}

// i3Line is a line of sway's and i3's files. What exec starts is read by a shell, and
// a comma or semicolon would begin another command of the window manager's outside of
// double quotes.
func i3Line(k Key, command []string) string {
	return `bindsym ` + k.i3() + ` exec "` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(shellLine(command)) + `"`
}

func hyprlandLine(k Key, command []string) string {
	return "bind = " + k.hyprland() + ", exec, " + strings.ReplaceAll(shellLine(command), "#", "##")
}
