package hook

import (
	"context"
	"errors"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/internal/packed"
	"github.com/pertain-dev/pertain/rule"
)

// fileRules gives the rules that come with files and that the agent does not load itself: all that is needed after a call.
func (s *session) fileRules(named []string) (*rule.Table, error) {
	s.files = named
	cached := s.keptFor("files "+s.agent, named)
	if body, root, ok := cached.read(); ok {
		if table, ok := rule.UnpackTable(body.Text()); ok && body.Done() {
			s.root = root
			return table, nil
		}
	}
	var has loaded
	err := cached.watch(func() error {
		if err := s.load(named); err != nil {
			return err
		}
		has = s.loaded()
		return nil
	})
	if err != nil {
		return nil, err
	}
	table := s.book.Table(func(r *rule.Rule) bool { return !has.has(r) })
	cached.write(func(w *packed.Writer) { w.Text(table.Pack()) })
	return table, nil
}

// forFiles are the rules of a table that apply to files, each with the file that brought it.
func (s *session) forFiles(table *rule.Table, paths []string) (rules []*rule.Rule, from map[*rule.Rule]string) {
	if s.bound == nil {
		s.bound = map[string]bool{}
	}
	from = map[*rule.Rule]string{}
	seen := map[int]bool{}
	for i, file := range (&pertain.Rulebook{Root: s.root}).Files(paths) {
		for _, number := range table.For(file) {
			if seen[number] {
				continue
			}
			seen[number] = true
			row := table.Rule(number)
			r := &rule.Rule{Name: row.Name, Path: row.Path, Level: row.Level, Content: row.Text}
			s.bound[r.Name] = row.Binding
			rules, from[r] = append(rules, r), projectPath(paths[i], s.dir, s.root)
		}
	}
	return rules, from
}

// wholeBook reads all rules, where what was kept is not enough.
func (s *session) wholeBook() bool {
	if s.book == nil {
		if err := s.load(s.files); err != nil {
			if !errors.Is(err, context.Canceled) {
				s.problem(errRules)
			}
			return false
		}
	}
	return true
}
