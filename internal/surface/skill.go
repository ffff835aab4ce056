package surface

import (
	"mime"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/skill"
)

// SkillText is the JSON form of a file of a skill. What is no text has no content, but a blob.
type SkillText struct {
	URI         string  `json:"uri"`
	Name        string  `json:"name"` // the skill's id
	Path        string  `json:"path"`
	ContentType string  `json:"contentType"`
	Content     *string `json:"content"`
	Blob        []byte  `json:"blob,omitempty"`
}

// NewSkillText is the form of a file that was read.
func NewSkillText(r skill.Resource) SkillText {
	text := SkillText{URI: skill.Address(r.Location.ID), Name: r.Location.ID, Path: r.File, ContentType: r.MediaType}
	if below, err := filepath.Rel(r.Location.Dir, r.File); err == nil && below != skill.FileName {
		text.URI = skill.Address(r.Location.ID, strings.Split(filepath.ToSlash(below), "/")...)
	}
	if utf8.Valid(r.Data) {
		content := string(r.Data)
		text.Content = &content
		return text
	}
	text.Blob, text.ContentType = r.Data, "application/octet-stream"
	if kind, _, err := mime.ParseMediaType(mime.TypeByExtension(filepath.Ext(r.File))); err == nil && !strings.HasPrefix(kind, "text/") {
		text.ContentType = kind
	}
	return text
}
