package repository

import (
	"path/filepath"
	"runtime"
	"strings"

	"github.com/pertain-dev/pertain/internal/files"
)

// User is who looks: their own settings say which files are never meant. Those
// of a repository say nothing.
type User struct {
	Env func(name string) string // the environment
}

// userRules are what the user's settings say.
type userRules struct {
	ignored    string // the list of files that are ignored everywhere
	conversion conversion
	certain    bool // the list is known
}

// rules reads the user's settings of git.
func (u User) rules() userRules {
	home := u.Env("HOME")
	if home == "" && runtime.GOOS == "windows" {
		home = u.Env("USERPROFILE")
	}
	config := u.Env("XDG_CONFIG_HOME")
	if config == "" && home != "" {
		config = filepath.Join(home, ".config")
	}
	values := &userSettings{home: home, certain: true}
	if config != "" {
		values.ignored = filepath.Join(config, "git", "ignore")
		values.attributes = filepath.Join(config, "git", "attributes")
	}
	if runtime.GOOS != "windows" {
		values.read("/etc/gitconfig")
	}
	if config != "" {
		values.read(filepath.Join(config, "git", "config"))
	}
	if home != "" {
		values.read(filepath.Join(home, ".gitconfig"))
	}
	rules := userRules{ignored: values.ignored, certain: values.certain}
	for _, path := range []string{values.attributes, "/etc/gitattributes"} {
		if path != "" {
			rules.conversion |= attributesOf(path)
		}
	}
	if !values.certain {
		rules.conversion |= convertsByRule
	}
	return rules
}

// userSettings are the few that are needed.
type userSettings struct {
	home                string
	ignored, attributes string
	certain             bool // nothing was met that is not understood here
}

// read takes over what one file says.
func (s *userSettings) read(path string) {
	data, err := files.OS().ReadFile(path, maxSettings)
	if err != nil {
		s.certain = s.certain && absent(err)
		return
	}
	section := ""
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "["); ok {
			name, after, _ := strings.Cut(rest, "]")
			section = strings.ToLower(strings.TrimSpace(name))
			line = strings.TrimSpace(after)
		}
		key, value, _ := strings.Cut(line, "=")
		key = strings.ToLower(strings.TrimSpace(key))
		switch {
		case section == "core" && key == "excludesfile":
			s.ignored = s.file(value)
		case section == "core" && key == "attributesfile":
			s.attributes = s.file(value)
		case key == "path" && (section == "include" || strings.HasPrefix(section, "includeif")):
			s.include(absolute(filepath.Dir(path), s.path(value)))
		}
	}
}

// include looks whether a file that may be included says anything that counts.
func (s *userSettings) include(path string) {
	data, err := files.OS().ReadFile(path, maxSettings)
	if err != nil {
		s.certain = s.certain && absent(err)
		return
	}
	text := strings.ToLower(string(data))
	for _, word := range []string{"excludesfile", "attributesfile", "[include"} {
		s.certain = s.certain && !strings.Contains(text, word)
	}
}

// file is a path that other folders than that of the settings count for: it has
// to be absolute. An empty one names none.
func (s *userSettings) file(value string) string {
	path := s.path(value)
	if path != "" && !filepath.IsAbs(path) {
		s.certain = false
		return ""
	}
	return path
}

// path reads a path as git writes it. What would need a closer look is not known.
func (s *userSettings) path(value string) string {
	value = strings.TrimSpace(value)
	if inner, ok := strings.CutPrefix(value, `"`); ok && strings.HasSuffix(inner, `"`) {
		value = strings.TrimSuffix(inner, `"`)
	}
	if rest, ok := strings.CutPrefix(value, "~/"); ok && s.home != "" {
		value = filepath.Join(s.home, rest)
	}
	if strings.ContainsAny(value, "\"\\#;%~") {
		s.certain = false
		return ""
	}
	return filepath.FromSlash(value)
}
