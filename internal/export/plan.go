package export

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/internal/files"
)

// Change is what became, or would become, of a file.
type Change string

const (
	Created   Change = "created"
	Changed   Change = "changed"
	Unchanged Change = "unchanged"
	Removed   Change = "removed"
	Refused   Change = "refused"
	Skipped   Change = "skipped" // there is nothing to write
)

// File is one file that rules become.
type File struct {
	Path   string   `json:"path"`
	Agent  string   `json:"agent"`
	Shared []string `json:"shared,omitempty"` // all agents that were asked for and read it, where they are several
	Change Change   `json:"change"`
	Rules  []string `json:"rules"`
	Losses []string `json:"losses"`
	// Notes are what is true of the file beside others: an agent reads it as well as its own.
	Notes []string `json:"notes,omitempty"`
	Why   string   `json:"why,omitempty"` // it was refused or skipped

	Diff string `json:"-"` // what changes, as a unified diff

	rel     string // below where it is written, with slashes
	sources []string
	text    string    // the whole file
	inner   string    // its text without the mark, for a section of a hand-written file; empty: it has no sections
	placed  []*placed // what it holds
	skill   bool      // it is a skill, and no file of rules
	own     bool      // it is where its rule comes from

	forgotten bool     // it was exported once and is a person's now
	readers   []reader // agents that it is not for and that read it
}

// Folders is where files are read and written.
type Folders struct {
	Root   string // of the project, absolute
	Home   string // of the user; empty: there is none
	Config string // where the user keeps settings: ~/.config
	State  string // where Pertain keeps what it remembers of the user's own files
	Lookup func(name string) (string, bool)
}

// Plan is the files that rules become.
type Plan struct {
	Files []*File

	folders Folders
	user    bool
	forms   []Form
	tree    files.Tree

	sources []string // the files that the rules come from

	mentions map[string]mentions // by text
}

// maxPlanned bounds the texts of all files of a plan: a project says itself for how many agents its rules are written.
const maxPlanned = 256 << 20

// TooLargeError says that the files of a plan have too much text together.
type TooLargeError struct{ Agent string } // for which there is no room any more

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("with those for %s the files have more than %d MiB of text together; write for fewer agents at a time", e.Agent, maxPlanned>>20)
}

// NewPlan says which files rules become for some agents; user means the user's own places. Nothing is written. The error is a [*TooLargeError], or for I/O and
// cancellation.
func NewPlan(ctx context.Context, folders Folders, rules []Rule, forms []Form, user bool) (*Plan, error) {
	p := &Plan{folders: folders, user: user, tree: files.OS()}
	for _, r := range rules {
		p.sources = append(p.sources, p.sourcePath(r.Source))
	}
	for _, f := range forms {
		if !slices.ContainsFunc(p.forms, func(have Form) bool { return have.Agent == f.Agent }) {
			p.forms = append(p.forms, p.here(f))
		}
	}
	shared := p.group()
	planned := 0
	for _, f := range p.forms {
		made, err := p.filesOf(ctx, f, shared, rules)
		if err != nil {
			return nil, err
		}
		for _, file := range made {
			if planned += len(file.text); planned > maxPlanned {
				return nil, &TooLargeError{f.Title()}
			}
			file.Agent = f.Agent
			base := f.base
			if file.skill {
				base = f.skills.base
			}
			file.Path = filepath.Join(base, filepath.FromSlash(file.rel))
			p.own(file)
			readers := p.readersOf(f, file)
			for _, form := range readers {
				p.tellImports(form, file)
			}
			if file.inner != "" && file.Change != Skipped {
				file.tellOpenEnds(readers)
			}
			file.Losses = sortedLosses(file.placed)
			file.Losses = append(file.Losses, p.choice(f, file)...)
		}
		slices.SortStableFunc(made, func(a, b *File) int { return strings.Compare(a.rel, b.rel) })
		p.Files = append(p.Files, made...)
		p.Files = append(p.Files, p.unusedMarks(f)...)
	}
	return p, p.tellTwice(ctx)
}

// readersOf are the forms of the agents that a file is written for; f is the first of them.
func (p *Plan) readersOf(f Form, file *File) []Form {
	if len(file.Shared) < 2 {
		return []Form{f}
	}
	return slices.DeleteFunc(slices.Clone(p.forms), func(form Form) bool { return !slices.Contains(file.Shared, form.Agent) })
}

// sharing is the agents that share files: for each the first one writes them.
type sharing struct {
	memories map[string][]Form      // by the file that holds all rules
	skills   map[skillFolder][]Form // by the folder
}

func (p *Plan) group() sharing {
	g := sharing{map[string][]Form{}, map[skillFolder][]Form{}}
	for _, f := range p.forms {
		if f.IsMemory() {
			g.memories[f.base+f.Path] = append(g.memories[f.base+f.Path], f)
		}
	}
	for _, f := range p.forms {
		if takeSkills(g.beside(f)) {
			g.skills[f.skills] = append(g.skills[f.skills], f)
		}
	}
	return g
}

// beside are the agents that share a form's file of rules, itself among them.
func (g sharing) beside(f Form) []Form {
	if f.IsMemory() {
		return g.memories[f.base+f.Path]
	}
	return []Form{f}
}

// filesOf are the files that rules become for an agent, but for those that another one before it shares.
func (p *Plan) filesOf(ctx context.Context, f Form, g sharing, rules []Rule) ([]*File, error) {
	shared := g.beside(f)
	var listed []Rule
	if takeSkills(shared) {
		rules, listed = splitListed(rules)
	}
	var made []*File
	switch {
	case !f.IsMemory():
		var between *File
		if rules, between = p.betweenMarks(f, rules); between != nil {
			made = append(made, between)
		}
		folder := f.folderFiles(rules)
		if err := f.readBack(ctx, folder, p.user); err != nil {
			return nil, err
		}
		made = append(made, folder...)
	case shared[0].Agent == f.Agent:
		made = p.memoryFiles(shared, rules)
	}
	if with := g.skills[f.skills]; len(listed) > 0 && with[0].Agent == f.Agent {
		made = append(made, skillFiles(with, listed)...)
	}
	return made, nil
}

// here is a form as it is written in this place.
func (p *Plan) here(f Form) Form {
	f.base, f.skills = p.folders.Root, p.skillsHere(f)
	if !p.user {
		if f.Older != "" && p.isFolder(f.Older) && !p.isFolder(f.Path) {
			f.Path = f.Older
		}
		f.usual = f.Path
		return f
	}
	if f.End != "" && strings.HasSuffix(f.User, f.End) { // the user has one file where projects have a folder
		f.End, f.Globs, f.Except, f.Description, f.Manual, f.fields = "", "", "", "", "", nil
	}
	f.Memory, f.usual = nil, f.User
	for _, rel := range f.UserMemory {
		_, rel = p.userBase(rel, f.Config, f.Env)
		f.Memory = append(f.Memory, rel)
	}
	if f.Config {
		f.usual = ".config/" + f.User
	}
	f.base, f.Path = p.userBase(f.User, f.Config, f.Env)
	return f
}

// own leaves out a file that is a source itself: the agent reads the rule there already.
func (p *Plan) own(file *File) {
	for _, source := range file.sources {
		if sameFile(p.sourcePath(source)) == sameFile(file.Path) {
			file.Change, file.Why, file.text, file.own = Skipped, "the file is where the rule comes from", "", true
			for _, at := range file.placed {
				at.lost = nil
			}
		}
	}
}

// sourcePath is where the source of a rule lies.
func (p *Plan) sourcePath(source string) string {
	if rest, ok := strings.CutPrefix(source, "~/"); ok {
		return filepath.Join(p.folders.Home, filepath.FromSlash(rest))
	}
	return filepath.Join(p.folders.Root, filepath.FromSlash(source))
}

func (p *Plan) isFolder(rel string) bool {
	info, err := p.tree.Stat(filepath.Join(p.folders.Root, filepath.FromSlash(rel)))
	return err == nil && info.Kind == files.Folder
}

// folderFiles is a file for each rule.
func (f *Form) folderFiles(rules []Rule) []*File {
	var out []*File
	taken := names{}
	for _, r := range rules {
		at := f.place(r)
		name := taken.take(r.Name, f.Deep)
		file := &File{rel: path.Join(f.Path, name+f.End), Rules: []string{r.Name}, sources: []string{r.Source}, placed: []*placed{at}}
		if name != r.Name {
			at.lose("name", "the file is called %s", code(name))
		}
		if at.skip {
			file.Change = Skipped
			out = append(out, file)
			continue
		}
		if f.fields == nil {
			file.text = withComment(file.sources, at.body())
		} else {
			fields := f.fields(at)
			file.text = withFrontmatter(file.sources, fields, at.body())
		}
		out = append(out, file)
	}
	return out
}

// sortedLosses are those of all rules of a file, in their order.
func sortedLosses(list []*placed) []string {
	out := []string{}
	told := map[string]bool{}
	for _, p := range list {
		for _, loss := range p.lost {
			if kind, text, _ := strings.Cut(loss, ": "); len(list) > 1 && kind != "name" {
				loss = kind + ": " + code(p.Name) + ": " + text
			}
			if !told[loss] {
				told[loss] = true
				out = append(out, loss)
			}
		}
	}
	return out
}

// Losses is how many rules lose something, and how many losses there are of each kind.
func (p *Plan) Losses() map[string]int {
	out := map[string]int{}
	for _, f := range p.Files {
		for _, loss := range f.Losses {
			kind, _, _ := strings.Cut(loss, ": ")
			out[kind]++
		}
	}
	return out
}
