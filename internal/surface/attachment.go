package surface

import (
	"mime"
	"path/filepath"

	"github.com/pertain-dev/pertain/facts"
)

// Attachment describes a file by its path as attachments.files does. The file is not
// looked at.
func Attachment(path string) facts.Value {
	extension := filepath.Ext(path)
	fields := []facts.Field{{Name: "path", Value: facts.Text(path)}}
	if kind, _, err := mime.ParseMediaType(mime.TypeByExtension(extension)); err == nil {
		fields = append(fields, facts.Field{Name: "mimeType", Value: facts.Text(kind)})
	}
	return facts.Fields(append(fields, facts.Field{Name: "extension", Value: facts.Text(extension)})...)
}
