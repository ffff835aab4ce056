package export

import (
	"context"
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
	Why    string   `json:"why,omitempty"` // it was refused or skipped

	Diff string `json:"-"` // what changes, as a unified diff

	rel     string // below where it is written, with slashes
	sources []string
	text    string    // the whole file
	inner   string    // its text without the mark, for a section of a hand-written file; empty: it has no sections
	placed  []*placed // what it holds
}

// Place is where files are read and written.
type Place struct {
	Root   string // of the project, absolute
	Home   string // of the user; empty: there is none
	Config string // where the user keeps settings: ~/.config
	State  string // where Pertain keeps what it remembers of the user's own files
	Lookup func(name string) (string, bool)
}

// Plan is the files that rules become.
type Plan struct {
	Files []*File

	place Place
	user  bool
	forms []Form
	tree  files.Tree
}

// NewPlan says which files rules become for some agents; user means the user's own places. Nothing is written.
func NewPlan(ctx context.Context, place Place, rules []Rule, forms []Form, user bool) (*Plan, error) {
	p := &Plan{place: place, user: user, tree: files.OS()}
	for _, f := range forms {
		if !slices.ContainsFunc(p.forms, func(have Form) bool { return have.Agent == f.Agent }) {
			p.forms = append(p.forms, p.here(f))
		}
	}
	memories := map[string][]Form{} // by the file that they share
	for _, f := range p.forms {
		if f.IsMemory() {
			memories[f.base+f.Path] = append(memories[f.base+f.Path], f)
		}
	}
	for _, f := range p.forms {
		var made []*File
		if !f.IsMemory() {
			made = f.folderFiles(rules)
			if err := f.readBack(ctx, made, user); err != nil {
				return nil, err
			}
		} else if shared := memories[f.base+f.Path]; shared[0].Agent == f.Agent {
			made = p.memoryFiles(shared, rules)
		}
		for _, file := range made {
			file.Agent = f.Agent
			file.Path = filepath.Join(f.base, filepath.FromSlash(file.rel))
			p.own(file)
			p.tellImports(f, file)
			file.Losses = sortedLosses(file.placed)
			file.Losses = append(file.Losses, p.choice(f, file)...)
			file.Losses = append(file.Losses, p.alsoRead(f, file)...)
		}
		slices.SortStableFunc(made, func(a, b *File) int { return strings.Compare(a.rel, b.rel) })
		p.Files = append(p.Files, made...)
		p.Files = append(p.Files, p.unusedMarks(f)...)
	}
	return p, nil
}

// here is a form as it is written in this place.
func (p *Plan) here(f Form) Form {
	f.base = p.place.Root
	if !p.user {
		if f.Older != "" && p.isFolder(f.Older) && !p.isFolder(f.Path) {
			f.Path = f.Older
		}
		f.usual = f.Path
		return f
	}
	f.Path, f.usual, f.base = f.User, f.User, p.place.Home
	if f.End != "" && strings.HasSuffix(f.User, f.End) { // the user has one file where projects have a folder
		f.End, f.Globs, f.Except, f.Description, f.Manual, f.fields = "", "", "", "", "", nil
	}
	if f.Config {
		f.base, f.usual = p.place.Config, ".config/"+f.User
	}
	if f.Env != "" && p.place.Lookup != nil {
		if dir, ok := p.place.Lookup(f.Env); ok && filepath.IsAbs(dir) {
			_, rest, _ := strings.Cut(f.User, "/")
			f.base, f.Path = filepath.Clean(dir), rest
		}
	}
	return f
}

// own leaves out a file that is a source itself: the agent reads the rule there already.
func (p *Plan) own(file *File) {
	for _, source := range file.sources {
		path := filepath.Join(p.place.Root, filepath.FromSlash(source))
		if rest, ok := strings.CutPrefix(source, "~/"); ok {
			path = filepath.Join(p.place.Home, filepath.FromSlash(rest))
		}
		if sameFile(path) == sameFile(file.Path) {
			file.Change, file.Why, file.text = Skipped, "the file is where the rule comes from", ""
			for _, at := range file.placed {
				at.lost = nil
			}
		}
	}
}

func (p *Plan) isFolder(rel string) bool {
	info, err := p.tree.Stat(filepath.Join(p.place.Root, filepath.FromSlash(rel)))
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
	for _, p := range list {
		for _, loss := range p.lost {
			if kind, text, _ := strings.Cut(loss, ": "); len(list) > 1 && kind != "name" {
				loss = kind + ": " + code(p.Name) + ": " + text
			}
			if !slices.Contains(out, loss) {
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
