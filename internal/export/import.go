package export

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/patch"
	"github.com/pertain-dev/pertain/internal/writing"
	"github.com/pertain-dev/pertain/rule"
)

// Imported is one native rule file that rules of other tools become.
type Imported struct {
	Path   string   `json:"path"`
	Change Change   `json:"change"`
	Rule   string   `json:"rule"`
	From   []string `json:"from"` // the files that it was made from
	Losses []string `json:"losses"`
	Why    string   `json:"why,omitempty"`

	// Difference is what it has otherwise than the file, or the rule, for which it was refused or skipped.
	Difference string `json:"difference,omitempty"`

	Diff string `json:"-"`
	text string
}

// Import says which native rules the rules of a source become, and writes them into a folder unless it is a dry run. Nothing that
// is there is changed or removed. The error is that of [Load].
func Import(ctx context.Context, folders Folders, s Source, dir string, dryRun bool) ([]*Imported, diag.List, error) {
	s.Import = true
	set, err := s.rules(ctx, folders)
	if err != nil {
		return nil, nil, err
	}
	out := importedFiles(folders, set, dir)
	if err := readBackNative(ctx, out, dir); err != nil {
		return nil, nil, err
	}
	for _, f := range out {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		if f.file.Change == "" {
			f.file.write(folders.Root, dryRun)
		}
	}
	list := make([]*Imported, len(out))
	for i := range out {
		list[i] = out[i].file
		list[i].Losses = append(append([]string{}, out[i].told...), out[i].at.lost...)
		if list[i].Change == Refused || list[i].Change == Skipped {
			list[i].Difference = list[i].Diff
		}
	}
	return list, set.Warnings(), nil
}

type importing struct {
	file *Imported
	at   *placed
	told []string // how rules that became this one differed
}

// importedFiles makes a native file of each rule. Of several with one name and one text one is made, which has what any of them has;
// so it is of several that are equal but for their names.
func importedFiles(folders Folders, set *rule.Set, dir string) []importing {
	f := native()
	var out []importing
	byText := map[string][]int{}
	var rules []Rule
	taken := names{}
	for _, r := range set.All() {
		one, ok := newRule(r, folders.Root, folders.Home)
		if !ok {
			continue
		}
		if at, ok := unitedWith(rules, byText[one.Text], one); ok {
			first := &out[at]
			first.file.From = append(first.file.From, r.Path)
			first.told = append(first.told, differences(rules[at], one)...)
			rules[at] = united(rules[at], one)
			continue
		}
		item := importing{file: &Imported{Rule: one.Name, From: []string{r.Path}}}
		if r.Shadowed {
			item.at = &placed{Rule: one}
			item.file.Change = Skipped
			item.file.Why = "a rule of this name with another text comes first, in " + sourceName(r.ShadowedBy.Path, folders.Root, folders.Home)
			item.file.Path = filepath.Join(dir, filepath.FromSlash(fileName(one.Name, true)+f.End))
			item.file.Diff = patch.Unified(one.Name, r.ShadowedBy.Content+"\n", true, one.Text+"\n")
		}
		byText[one.Text] = append(byText[one.Text], len(rules))
		out = append(out, item)
		rules = append(rules, one)
	}
	for i := range out {
		item := &out[i]
		if item.at != nil {
			continue
		}
		item.at = f.place(rules[i])
		name := taken.take(rules[i].Name, f.Deep)
		if name != rules[i].Name {
			item.at.lose("name", "the file is called %s", code(name))
		}
		item.file.Path = filepath.Join(dir, filepath.FromSlash(name+f.End))
		item.file.text = item.at.body() + "\n"
		if fields := f.fields(item.at); len(fields) > 0 {
			var b strings.Builder
			for _, one := range fields {
				b.WriteString(string(one))
			}
			item.file.text = "---\n" + b.String() + "---\n\n" + item.file.text
		}
	}
	return out
}

// unitedWith finds the rule, among those with one text, that another one is united with: that of its name, else one that is equal but for the
// name.
func unitedWith(rules []Rule, withText []int, one Rule) (at int, ok bool) {
	for _, i := range withText {
		if strings.EqualFold(rules[i].Name, one.Name) {
			return i, true
		}
	}
	for _, i := range withText {
		if have := rules[i]; have.Activation == one.Activation && have.Description == one.Description && slices.Equal(have.Globs, one.Globs) && slices.Equal(have.Except, one.Except) &&
			slices.Equal(have.Triggers, one.Triggers) && slices.Equal(have.Scope, one.Scope) && have.InterruptMode == one.InterruptMode {
			return i, true
		}
	}
	return 0, false
}

// differences says what a rule that is united with another one had otherwise.
func differences(have, one Rule) (told []string) {
	if !strings.EqualFold(have.Name, one.Name) {
		told = append(told, "name: "+code(one.Name)+" in "+one.Source+" has the same text and is one with it")
	}
	switch {
	case have.Activation != one.Activation:
		told = append(told, one.Activation.word()+": "+one.Source+" says so, "+have.Source+" says "+have.Activation.word()+"; the stronger one is taken")
	case have.Activation == ByGlobs && (!slices.Equal(have.Globs, one.Globs) || !slices.Equal(have.Except, one.Except)):
		told = append(told, "globs: "+one.Source+" has others than "+have.Source+"; all of them are taken")
	case have.Activation == ByTrigger && (!slices.Equal(have.Triggers, one.Triggers) || !slices.Equal(have.Scope, one.Scope)):
		told = append(told, "trigger: "+one.Source+" has another than "+have.Source+", which stays")
	}
	if one.Description != "" && have.Description != "" && have.Description != one.Description {
		told = append(told, "description: "+one.Source+" has another one")
	}
	return told
}

// united is a rule that has what either of two with one text has: always before globs before a description.
func united(a, b Rule) Rule {
	strength := func(r Rule) int { return [...]int{4, 3, 2, 0, 5}[r.Activation] }
	if a.Activation == ByGlobs && b.Activation == ByGlobs {
		for _, g := range b.Globs {
			if !slices.Contains(a.Globs, g) {
				a.Globs = append(slices.Clip(a.Globs), g)
			}
		}
		a.Except = slices.DeleteFunc(slices.Clone(a.Except), func(g string) bool { return !slices.Contains(b.Except, g) })
	}
	if strength(b) > strength(a) {
		a.Activation, a.Globs, a.Except, a.Triggers, a.Scope, a.InterruptMode, a.losses = b.Activation, b.Globs, b.Except, b.Triggers, b.Scope, b.InterruptMode, b.losses
	}
	if a.Description == "" {
		a.Description = b.Description
	}
	return a
}

// readBackNative reads the files as Pertain will, and tells what comes back otherwise.
func readBackNative(ctx context.Context, list []importing, dir string) error {
	const root = "/w"
	tree := files.NewMemory(files.Unix)
	tree.MakeFolder(root + "/.git")
	at := func(f *Imported) string {
		rel, _ := filepath.Rel(dir, f.Path)
		return path.Join(root, ".pertain/rules", filepath.ToSlash(rel))
	}
	for _, item := range list {
		if item.file.text != "" {
			tree.WriteFile(at(item.file), item.file.text)
		}
	}
	found, _, err := discover.Rules(tree, discover.RuleRoots{Dir: root})[0].Rules(ctx)
	if err != nil {
		return err
	}
	byPath := make(map[string]*rule.Rule, len(found))
	for _, r := range slices.Backward(found) { // the first of a path stays
		byPath[r.Path] = r
	}
	for _, item := range list {
		if item.file.text == "" {
			continue
		}
		r := byPath[at(item.file)]
		if r == nil {
			item.at.lose("text", "it cannot be read as a native rule")
			continue
		}
		item.at.differs(r, root)
	}
	return nil
}

// differs tells what a native rule that was read has otherwise.
func (p *placed) differs(r *rule.Rule, root string) {
	got, _ := newRule(r, root, "")
	told := strings.Join(p.lost, "\n")
	if got.Activation != p.as {
		p.lose(p.as.word(), "it is read as a rule that applies otherwise: %s", got.Activation.word())
	}
	if got.Text != normal(p.body()) && !strings.Contains(told, "text: ") {
		p.lose("text", "it is read otherwise")
	}
	if got.Description != p.Description {
		p.lose("description", "it is read otherwise")
	}
	if p.as == ByGlobs && !strings.Contains(told, "globs: ") && (!slices.Equal(sameGlobs(got.Globs), sameGlobs(p.Globs)) || !slices.Equal(sameGlobs(got.Except), sameGlobs(p.Except))) {
		p.lose("globs", "they are read as %s", codes(got.Globs))
	}
}

// write makes the file, unless something is there.
func (f *Imported) write(root string, dryRun bool) {
	refuse := func(err error) { f.Change, f.Why = Refused, reason(err) }
	target, err := writing.NamedTarget(f.Path, root)
	if err != nil {
		refuse(err)
		return
	}
	name := sourceName(f.Path, root, "")
	before, err := target.Read(maxFile)
	switch {
	case err == nil && strings.ReplaceAll(string(before), "\r\n", "\n") == f.text:
		f.Change = Unchanged
		return
	case err == nil:
		f.Diff = patch.Unified(name, string(before), true, f.text)
		refuse(errors.New("there is such a file, and it is another"))
		return
	case !errors.Is(err, fs.ErrNotExist):
		refuse(err)
		return
	}
	if err := folderProblem(filepath.Dir(target.Path())); err != nil {
		refuse(err)
		return
	}
	f.Change, f.Diff = Created, patch.Unified(name, "", false, f.text)
	if dryRun {
		return
	}
	if err := target.MakeFolder(0o755); err != nil {
		refuse(err)
		return
	}
	if err := target.Create([]byte(f.text), 0o644); err != nil {
		refuse(err)
	}
}
