package discover

import (
	"strings"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/agent"
	"github.com/pertain-dev/pertain/rule"
)

// cut takes off what is over the agent's limits: of the project's files together, the
// nearest gets cut (or the farthest, where the nearest comes first), or of each its end.
// What is cut is told, and a file that is left out stays in the list as one that is never
// loaded.
func (v *view) cut(rules []*rule.Rule) diag.List {
	limit := v.agent.Limit
	if limit.Bytes == 0 && limit.Characters == 0 {
		return nil
	}
	var list diag.List
	most, unit := limit.Bytes, "bytes"
	if limit.Characters > 0 {
		most, unit = limit.Characters, "characters"
	}
	left := most
	for _, r := range rules {
		if limit.Bytes > 0 && r.Level == rule.User || r.When == rule.NotAtAll || r.When == rule.IsListed {
			continue
		}
		if limit.OfEach {
			left = most
		}
		size := limitSize(r.Content, limit)
		if size <= left {
			left -= size
			continue
		}
		message, hint := "%s takes %d %s of a file, and cuts this one", "split it into several rules"
		switch {
		case limit.OfEach:
		case left == 0:
			message, hint = "%s takes %d %s of all such files, and leaves this one out", "shorten it, or those before it"
		default:
			message, hint = "%s takes %d %s of all such files, and cuts this one", "shorten it, or those before it"
		}
		d := diag.At(r.Source, diag.NoSpan, diag.RuleTooLarge, message, v.agent.Title, most, unit).WithHint("%s", hint)
		d.Provider = r.Provider
		if !limit.OfEach || r.Format.MaxCharacters == 0 { // else it was told when the file was read
			list.Add(d)
		}
		if left == 0 {
			r.When, r.Activation = rule.NotAtAll, rule.Never
			r.Settle()
			continue
		}
		r.Content, r.Imported = limited(r.Content, left, limit), nil
		left = 0
	}
	return list
}

// limitSize is the size of a text as the limit counts.
func limitSize(text string, limit agent.Limit) int {
	if limit.Characters > 0 {
		return utf8.RuneCountInString(text)
	}
	return len(text)
}

// limited is the beginning of a text that is longer than that.
func limited(text string, size int, limit agent.Limit) string {
	if limit.Characters > 0 {
		return string([]rune(text)[:size])
	}
	return strings.ToValidUTF8(text[:size], "")
}
