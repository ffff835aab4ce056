package store

import (
	"context"
	"errors"

	"github.com/pertain-dev/pertain/internal/identity"
	"github.com/pertain-dev/pertain/internal/writing"
	"github.com/pertain-dev/pertain/skill"
)

// Skills keeps which skills the user enabled and disabled, against the default,
// in one file on the real disk. It is a [skill.State]. A file that cannot be
// understood is an error and is never overwritten.
type Skills struct {
	Path string // absolute; empty: there is no folder for it, so that the defaults hold and nothing can be kept
}

// errNoFile is for a user without a home.
var errNoFile = errors.New("there is no settings folder to keep the choice in; set HOME to an absolute path")

// maxSkills is how much of the file is read, in bytes.
const maxSkills = 4 << 20

// skillsFile is the form of the file.
type skillsFile struct {
	Version    int                        `json:"version"`
	Skills     map[string]bool            `json:"skills,omitempty"`     // the user's own, by id
	Workspaces map[string]map[string]bool `json:"workspaces,omitempty"` // by the workspace's real path, then by id

	// Folders are which folders the workspaces were. Files of earlier versions have none.
	Folders map[string]identity.Identity `json:"folders,omitempty"`
}

// same tells whether a workspace is still the folder that choices were made in: another one that took its name has no skills that the
// user enabled.
func (f *skillsFile) same(root string) bool {
	noted, ok := f.Folders[root]
	if !ok || !noted.Known() {
		return true
	}
	now, err := identity.Of(root)
	return err == nil && now.Same(noted)
}

// Choices is [skill.State.Choices]. Without a file there are none.
func (s Skills) Choices() (skill.Choices, error) {
	file, err := s.read()
	if err != nil {
		return nil, err
	}
	choices := skill.Choices{}
	for id, enabled := range file.Skills {
		choices[skill.Key{ID: id}] = enabled
	}
	for root, list := range file.Workspaces {
		if !file.same(root) {
			continue
		}
		for id, enabled := range list {
			choices[skill.Key{Workspace: root, ID: id}] = enabled
		}
	}
	return choices, nil
}

func (s Skills) read() (skillsFile, error) {
	if s.Path == "" {
		return skillsFile{Version: 1}, nil
	}
	return s.file().Read()
}

func (s Skills) file() writing.JSONFile[skillsFile] {
	return writing.JSONFile[skillsFile]{
		Path: s.Path, Limit: maxSkills, Newest: 1, Version: func(f *skillsFile) *int { return &f.Version },
		Command: "pertain skills enable", Remedy: "to go back to the defaults",
	}
}

// Set is [skill.State.Set]. Two calls at once do not lose a choice.
func (s Skills) Set(ctx context.Context, key skill.Key, choice *bool) error {
	if s.Path == "" {
		return errNoFile
	}
	return s.file().Change(ctx, func(file *skillsFile) bool {
		if key.Workspace == "" {
			file.Skills = with(file.Skills, key.ID, choice)
			return true
		}
		if file.Workspaces == nil {
			file.Workspaces = map[string]map[string]bool{}
		}
		if !file.same(key.Workspace) {
			delete(file.Workspaces, key.Workspace)
		}
		file.Workspaces[key.Workspace] = with(file.Workspaces[key.Workspace], key.ID, choice)
		if len(file.Workspaces[key.Workspace]) == 0 {
			delete(file.Workspaces, key.Workspace)
			delete(file.Folders, key.Workspace)
			return true
		}
		if now, err := identity.Of(key.Workspace); err == nil && now.Known() {
			if file.Folders == nil {
				file.Folders = map[string]identity.Identity{}
			}
			file.Folders[key.Workspace] = now
		}
		return true
	})
}

func with(list map[string]bool, id string, choice *bool) map[string]bool {
	if choice == nil {
		delete(list, id)
		return list
	}
	if list == nil {
		list = map[string]bool{}
	}
	list[id] = *choice
	return list
}
