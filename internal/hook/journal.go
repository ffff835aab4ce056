package hook

import (
	"context"

	"github.com/pertain-dev/pertain/internal/journal"
)

// keepJournal writes what rules did in this call into the journal, if the settings want one.
func (s *session) keepJournal(ctx context.Context) error {
	if s.sample || len(s.entries)+len(s.heeded)+len(s.unheeded) == 0 {
		return nil
	}
	j := journal.Kept(s.paths)
	_, err := j.Add(ctx, s.entries...)
	if err != nil || j.Heed(ctx, true, s.heeded...) != nil || j.Heed(ctx, false, s.unheeded...) != nil {
		return errJournal
	}
	return nil
}
