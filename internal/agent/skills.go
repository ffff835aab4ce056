package agent

import (
	"fmt"
	"slices"
	"strings"
)

// skillFolders are folders of skills while a row of the table is written.
type skillFolders []Location

func skills(where Where, paths ...string) skillFolders { return skillFolders(nil).and(where, paths...) }

func (list skillFolders) and(where Where, paths ...string) skillFolders {
	for _, path := range paths {
		list = append(list, Location{Path: path, Where: where})
	}
	return list
}

// sourced says where it is written of skills, for an agent that was not run.
func sourced(source string, list skillFolders) []Location {
	for i := range list {
		list[i].Source = source
	}
	return list
}

// SkillFolder is where skills for the agent are written, in projects or for the user; ok is false if it has no skills.
func (a *Agent) SkillFolder(user bool) (folder Location, ok bool) {
	i := slices.IndexFunc(a.Skills, func(l Location) bool { return (l.Where&User != 0) == user })
	if i < 0 {
		return Location{}, false
	}
	return a.Skills[i], true
}

// ReadsSkills tells whether the agent takes the folders of a folder for skills, in projects.
func (a *Agent) ReadsSkills(path string) bool {
	return slices.ContainsFunc(a.Skills, func(l Location) bool { return l.Path == path && l.Where&User == 0 })
}

// skillsRemark says where the agent finds skills; empty: nowhere.
func (a *Agent) skillsRemark() string {
	var paths []string
	for i, l := range a.Skills {
		text := "`" + l.path() + "`"
		if last := i == len(a.Skills)-1 || a.Skills[i+1].Where != l.Where; last {
			text += " (" + l.Where.String() + ")"
		}
		paths = append(paths, text)
	}
	if len(paths) == 0 {
		return ""
	}
	source := ""
	if link := a.Skills[0].Source; link != "" {
		source = fmt.Sprintf(" ([source](%s))", link)
	}
	return "Skills, listed at the start: " + strings.Join(paths, ", ") + source + "."
}
