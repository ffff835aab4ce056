package discover

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/fileerror"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// What is read of rules, of the project and of the user each. One blob under many names costs a repository nothing, and what
// stands in frontmatter (fields, expressions, globs) costs a hundred times what text does. To find out how it can be mended, it
// is read again and again.
const (
	maxRules      = 32 << 20 // bytes, with what rules import
	maxRuleFields = 2 << 20  // bytes of frontmatter
	maxRuleFiles  = 20_000
	maxMended     = 6 << 20 // bytes of frontmatter, each time that it was read, and of what aliases in it stand for
)

// ruleSum is how much was read, of one file or of one level.
type ruleSum struct{ bytes, fields, files, effort int }

// levelSum is how much was read of one level.
type levelSum struct {
	ruleSum
	full atomic.Bool // a limit is reached: nothing more is read
	what string      // that limit; empty: none
}

// take adds what a file costs; false: it is over a limit, and so is any after it.
func (l *levelSum) take(cost ruleSum) bool {
	sum := ruleSum{l.bytes + cost.bytes, l.fields + cost.fields, l.files + cost.files, l.effort + cost.effort}
	switch {
	case l.full.Load():
		return false
	case sum.bytes > maxRules:
		l.what = "the " + fileerror.ByteCount(maxRules)
	case sum.fields > maxRuleFields:
		l.what = "the " + fileerror.ByteCount(maxRuleFields) + " of frontmatter"
	case sum.files > maxRuleFiles:
		l.what = fmt.Sprintf("the %d files", maxRuleFiles)
	case sum.effort > maxMended:
		l.what = "the " + fileerror.ByteCount(maxMended) + " of frontmatter, counted as often as it must be read to be mended, and with what aliases stand for,"
	default:
		l.ruleSum = sum
		return true
	}
	l.full.Store(true)
	return false
}

// readRules reads files on all cores, in their order, up to the limits.
func readRules(ctx context.Context, s *search, found []ruleFile) ([]*rule.Rule, diag.List, error) {
	rules := make([]*rule.Rule, len(found))
	var list diag.List
	left := map[rule.Level][]int{} // what was over a limit
	var next atomic.Int64
	var turns files.Turns
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), (len(found)+7)/8) {
		wg.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(found) {
					return
				}
				level := found[i].origin.Level
				sum := s.sums[level]
				var told diag.List
				var cost ruleSum
				if !sum.full.Load() {
					rules[i], told, cost = s.read(found[i])
				}
				turns.Take(i, func() {
					if !sum.take(cost) {
						rules[i] = nil
						left[level] = append(left[level], i)
						return
					}
					if list = append(list, told...); len(list) > 2*diag.MaxListed {
						list = list.Limit()
					}
				})
			}
		})
	}
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	var missing diag.List // first: this must not be lost among all the others
	for _, level := range []rule.Level{rule.User, rule.Project} {
		if all := left[level]; len(all) > 0 {
			missing = append(missing, unreadable(found[all[0]], &sumError{what: s.sums[level].what, more: len(all) - 1})...)
		}
	}
	rules = slices.DeleteFunc(rules, func(r *rule.Rule) bool { return r == nil })
	return rules, append(missing, list...), nil
}

// sumError says that a file was not read, and which limit it is over.
type sumError struct {
	what string // the limit
	more int    // others like it
}

func (e *sumError) Error() string {
	text := "with the rules before it, there is more than " + e.what + " that are read in all"
	if e.more > 0 {
		text += fmt.Sprintf("; nor can %d more of this tool", e.more)
	}
	return text
}
