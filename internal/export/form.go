package export

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/agent"
	"github.com/pertain-dev/pertain/internal/mark"
)

// Form is how rules are written for one agent.
type Form struct {
	Agent string // its name

	Path string // the folder of its rules or, without End, the one file that holds all of them; with slashes, below the root
	End  string // of the names of the folder's files
	Deep bool   // subfolders of it count, so that names with a slash stay
	// Older is a folder that is written where it is there and Path is not: making Path would switch it off.
	Older string

	// Memory are files of the agent's own beside the folder, which people write by hand: where one of them has the marks of a section,
	// rules that always apply go there. UserMemory are the user's.
	Memory, UserMemory []string

	User   string // the same as Path of the user's own rules; empty: there is no such place
	Config bool   // User lies below the folder of settings, not below the home
	Env    string // a variable that names another folder for the first part of User

	// What it can say, in the words of the format; empty: it cannot. Rules that always apply can be said everywhere.
	Always, Globs, Except, Description, Manual, Trigger string
	// CommandLine says what the agent's command line does with rules that do not always apply, where it does not heed what its
	// format says; empty: it does.
	CommandLine string

	dialect dialect
	fields  func(*placed) []field // nil: the format has no frontmatter

	agent  *agent.Agent
	skills skillFolder // where description rules go if it has no such rules, once it is known where
	base   string      // the folder that Path is below, once it is known where
	usual  string      // Path as the agent has it where no variable names another folder
}

// IsMemory tells whether all rules stand in one file.
func (f *Form) IsMemory() bool { return f.End == "" }

// Title is the agent as people call it.
func (f *Form) Title() string { return f.agent.Title }

// placed is a rule as a form says it.
type placed struct {
	Rule
	as     Activation
	globs  []string // in the agent's dialect
	except []string // likewise
	head   []string // sentences before the text, for what the format has no field for
	skip   bool     // it cannot be said at all, not even weaker
	lost   []string
}

func (p *placed) lose(kind, format string, args ...any) {
	p.lost = append(p.lost, kind+": "+fmt.Sprintf(format, args...))
}

// body is the text with what must be said in words before it.
func (p *placed) body() string {
	if len(p.head) == 0 {
		return p.Text
	}
	return strings.Join(slices.Compact(slices.Clone(p.head)), "\n") + "\n\n" + p.Text
}

// place decides how the form says a rule.
func (f *Form) place(r Rule) *placed {
	p := &placed{Rule: r, as: r.Activation, lost: append([]string(nil), r.losses...)}
	if p.as == ByTrigger && f.Trigger == "" {
		f.withoutTrigger(p)
	}
	if p.as == ByGlobs || p.as == ByTrigger {
		f.placeGlobs(p)
	}
	if p.as == ByDescription && f.Description == "" {
		p.lose("description", "%s lists no rules by their descriptions; it is in every prompt, and its text says first what it is for", f.Title())
		p.head = append(p.head, mark.Heed+oneLine(p.Description))
		p.as = Always
	}
	if p.as == Manual && f.Manual == "" {
		p.skip = true
		if r.Activation == Manual {
			p.lose("manual", "%s has no manual rules; it is brought in by name only, with @%s", f.Title(), r.Source)
		}
		return p
	}
	if p.as != Always && p.as != ByTrigger && f.CommandLine != "" {
		p.lose(p.as.word(), "%s", f.CommandLine)
	}
	if strings.HasPrefix(p.body(), "---") && f.fields != nil {
		p.lose("text", "it begins with `---`, which %s would take for frontmatter; it is written as `***`", f.Title())
		p.Text = mark.Opening(p.Text)
	}
	f.checkSize(p)
	return p
}

// withoutTrigger finds the nearest form of a rule that waits for its trigger.
func (f *Form) withoutTrigger(p *placed) {
	switch {
	case p.Description != "" && f.Description != "":
		p.as = ByDescription
		p.lose("trigger", "%s does not watch what the model writes; the rule is listed by its description, and Pertain's hooks go on watching", f.Title())
	case f.Manual != "":
		p.as, p.Description = Manual, ""
		p.lose("trigger", "%s does not watch what the model writes; the rule can be asked for by name, and Pertain's hooks go on watching", f.Title())
	default:
		p.as = Manual
		p.lose("trigger", "%s does not watch what the model writes, so nothing is written; Pertain's hooks go on watching", f.Title())
	}
}

// placeGlobs writes the globs in the agent's dialect, or finds a weaker form where that cannot be.
func (f *Form) placeGlobs(p *placed) {
	var unsaid []string
	writes := f.Globs != "" || p.as == ByTrigger
	if f.Globs == "" && p.as == ByTrigger && len(p.Globs) > 0 {
		p.lose("globs", "%s does not heed them; they are written, and Pertain's hooks heed them", f.Title())
	}
	if writes {
		for _, g := range p.Globs {
			said, loss, ok := f.dialect.say(g, p.extended, p.anyCase)
			if !ok {
				unsaid = append(unsaid, g)
				continue
			}
			if loss != "" {
				p.lost = append(p.lost, loss)
			}
			if loss != "" && f.dialect.anywhere {
				p.head = append(p.head, mark.OnlyFor+codes(p.Globs)+", from the root of the project.")
			}
			p.globs = append(p.globs, said)
		}
		if len(unsaid) > 0 && len(p.globs) > 0 {
			p.lose("globs", "%s cannot say %s; the rule is not attached to those files", f.Title(), codes(unsaid))
		}
	}
	for _, g := range p.Except {
		said, _, ok := f.dialect.say(g, p.extended, p.anyCase)
		if f.Except == "" && p.as != ByTrigger || !ok {
			p.lose("globs", "%s has no exclusions; that it is not for %s is said before the text", f.Title(), code(g))
			p.head = append(p.head, mark.NotFor+code(g)+".")
			continue
		}
		p.except = append(p.except, said)
	}
	if len(p.globs) > 0 || len(p.Globs) == 0 || p.as == ByTrigger {
		return
	}
	sentence := mark.OnlyFor + codes(p.Globs) + "."
	if f.Description != "" {
		p.as = ByDescription
		p.lose("globs", "%s attaches no rules by such globs; the model is told in the description which files it is for", f.Title())
		p.Description = strings.TrimSpace(p.Description + "\n" + "For files that match " + codes(p.Globs) + ".")
		return
	}
	p.as = Always
	p.lose("globs", "%s attaches no rules by such globs; it is in every prompt, and its text says first which files it is for", f.Title())
	p.head = append([]string{sentence}, p.head...)
}

// checkSize tells what is over the agent's limits.
func (f *Form) checkSize(p *placed) {
	if limit := f.agent.Limit; limit.OfEach && utf8.RuneCountInString(p.body()) > limit.Characters-300 {
		p.lose("size", "%s reads %d characters of a file, frontmatter included", f.Title(), limit.Characters)
	}
}

// Forms are how rules are written for each agent, by its name.
func Forms() []Form {
	all := []Form{
		amazonq(), amp(), augment(), claude(), cline(), codex(), continueDev(), copilot(), crush(), cursor(), droid(), gemini(), goose(),
		junie(), kilo(), kiro(), omp(), opencode(), pi(), qwen(), roo(), trae(), warp(), windsurf(), zed(),
	}
	for i := range all {
		all[i].agent, _ = agent.Lookup(all[i].Agent)
	}
	return all
}

// FormOf finds the form of an agent.
func FormOf(name string) (Form, bool) {
	all := Forms()
	i := slices.IndexFunc(all, func(f Form) bool { return f.Agent == name })
	if i < 0 {
		return Form{}, false
	}
	return all[i], true
}
