package follow

import (
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"

	"github.com/pertain-dev/pertain/internal/files"
)

// arm watches what the notes need: for every path the folder that it is in, as far as names and content there matter, folders that
// were listed, and files that can be written to under another name.
func (f *follower) arm(notes *Notes) {
	if f.notify == nil {
		return
	}
	f.blind = false
	needed := f.needed(notes)
	folders := make(map[mark][]string, len(needed))
	// Folders come before what is in them: whatever takes the place of one that was just marked is told by the folder above.
	for _, path := range slices.Sorted(maps.Keys(needed)) {
		if len(folders) >= f.opts.MaxFolders {
			f.fail(&files.LimitError{Path: path, What: "folders", Max: f.opts.MaxFolders})
			break
		}
		m, err := f.notify.add(path, needed[path])
		switch {
		case err == nil:
			folders[m] = append(folders[m], path)
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ELOOP): // gone: the notes differ
		case errors.Is(err, fs.ErrPermission): // who may go through a folder need not be allowed to list it
			f.blind = true
		default:
			f.fail(err)
		}
	}
	for m := range f.folders {
		if folders[m] == nil {
			f.notify.remove(m)
		}
	}
	f.folders = folders
}

// needed are the paths to watch, and what is to be told of each. A folder on the way is watched by itself: the one that it is in may
// be busy, such as that of temporary files, and has nothing to tell.
func (f *follower) needed(notes *Notes) map[string]interest {
	needed := map[string]interest{}
	for path, s := range notes.states {
		up := filepath.Dir(path)
		switch {
		case s.problem != nil || s.kind == files.Link:
			needed[up] = max(needed[up], names)
		case s.kind != files.Folder:
			needed[up] = max(needed[up], content)
			if s.kind == files.File && s.system.elsewhere() {
				needed[path] = content
			}
		case runtime.GOOS == "linux": // elsewhere, watching a folder may open all that is in it, so those on the way are only looked at
			needed[path] = max(needed[path], itself)
		}
		f.blind = f.blind || f.isRemote(path, s)
	}
	for path := range notes.listed {
		needed[path] = max(needed[path], names)
	}
	return needed
}

// concerns tells whether a hint may be about something that was noted. listed is a folder that was listed, if the hint only
// says that something has come into it or left it.
func (f *follower) concerns(notes *Notes, h hint) (listed string, concerns bool) {
	for _, folder := range f.folders[h.mark] {
		if _, noted := notes.states[filepath.Join(folder, h.name)]; noted || h.name == "" {
			return "", true
		}
		if h.moved && notes.listed[folder] {
			listed, concerns = folder, true
		}
	}
	return listed, concerns
}

// fail tells each reason once.
func (f *follower) fail(err error) {
	f.blind = true
	key := err.Error()
	var limit *files.LimitError
	var number syscall.Errno
	switch {
	case errors.As(err, &limit):
		key = "limit"
	case errors.As(err, &number):
		key = number.Error()
	}
	if !f.told[key] {
		f.told[key] = true
		if f.opts.Unwatched != nil {
			f.opts.Unwatched(err)
		}
	}
}

// isRemote tells whether something is on a file system whose changes may not be told.
func (f *follower) isRemote(path string, s fileState) bool {
	if s.problem != nil {
		return false
	}
	device := s.system.deviceNumber()
	remote, known := f.remote[device]
	if !known {
		remote = silent(filepath.Dir(path))
		if s.kind == files.Folder {
			remote = silent(path)
		}
		f.remote[device] = remote
	}
	return remote
}
