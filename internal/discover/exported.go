package discover

import (
	"path"
	"strings"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// exportSources makes the files that an exported one was made from absolute. Those that lie out of the project, and out of the home,
// are no files of ours: the claim counts for nothing.
func (s *search) exportSources(r *rule.Rule) {
	if r.Export == nil {
		return
	}
	for i, source := range r.Export.Sources {
		base := s.root
		if rest, ok := strings.CutPrefix(source, "~/"); ok {
			base, source = s.Home, rest
		}
		source = path.Clean(source)
		if base == "" || path.IsAbs(source) || source == ".." || strings.HasPrefix(source, "../") || strings.Contains(source, "\x00") || s.flavor == files.Windows && strings.ContainsAny(source, `\:`) {
			r.Export = nil
			return
		}
		r.Export.Sources[i] = s.slash(s.flavor.Join(base, source))
	}
}
