package export

import (
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/pertain-dev/pertain/internal/agent"
	"github.com/pertain-dev/pertain/internal/mark"
	"github.com/pertain-dev/pertain/skill"
)

// skillFolder is where an agent's skills are written: below base, with slashes.
type skillFolder struct{ base, path string }

// takesSkills tells whether rules with a description become skills for an agent: it lists no rules by their descriptions and has skills.
func (f *Form) takesSkills() bool { return f.Description == "" && f.skills.path != "" }

// skillsHere is where an agent's skills are written in this place; nowhere if it has none.
func (p *Plan) skillsHere(f Form) skillFolder {
	l, ok := f.agent.SkillFolder(p.user)
	switch {
	case !ok:
		return skillFolder{}
	case !p.user:
		return skillFolder{p.folders.Root, l.Path}
	}
	base, rel := p.userBase(l.Path, l.Where&agent.Config != 0, l.Env)
	return skillFolder{base, rel}
}

// takeSkills tells it of agents that share one file, and so what is in it.
func takeSkills(shared []Form) bool {
	return !slices.ContainsFunc(shared, func(f Form) bool { return !f.takesSkills() })
}

// splitListed splits rules into those that an agent's files hold and those that become skills.
func splitListed(rules []Rule) (rest, listed []Rule) {
	for _, r := range rules {
		if r.Activation == ByDescription {
			listed = append(listed, r)
		} else {
			rest = append(rest, r)
		}
	}
	return rest, listed
}

// skillFiles are the skills that rules with a description become, one for all agents that read the folder.
func skillFiles(shared []Form, rules []Rule) []*File {
	f := shared[0]
	var out []*File
	var names skillNames
	for _, r := range rules {
		at := &placed{Rule: r, as: ByDescription, lost: append([]string(nil), r.losses...)}
		at.lose("description", "%s no rules by their descriptions; it becomes a skill, and those are listed", titles(shared))
		name := names.take(r.Name)
		if name != r.Name {
			at.lose("name", "the skill is called %s", code(name))
		}
		if utf8.RuneCountInString(at.Description) > skill.MaxDescription {
			at.lose("text", "a skill is listed with %d characters of its description", skill.MaxDescription)
			at.Description = string([]rune(at.Description)[:skill.MaxDescription-1]) + "…"
		}
		if strings.HasPrefix(at.Text, "---") {
			at.lose("text", "it begins with `---`, which would be taken for frontmatter; it is written as `***`")
			at.Text = mark.Opening(at.Text)
		}
		file := &File{rel: path.Join(f.skills.path, name, skill.FileName), Rules: []string{r.Name}, sources: []string{r.Source}, placed: []*placed{at}, skill: true}
		file.text = withFrontmatter(file.sources, []field{text("name", name), text("description", at.Description)}, at.Text)
		if len(shared) > 1 {
			for _, form := range shared {
				file.Shared = append(file.Shared, form.Agent)
			}
		}
		out = append(out, file)
	}
	return out
}

// titles names agents as the subject of "list".
func titles(list []Form) string {
	if len(list) == 1 {
		return list[0].Title() + " lists"
	}
	names := make([]string, len(list))
	for i := range list {
		names[i] = list[i].Title()
	}
	return inWords(names) + " list"
}

// maxSkillName is how many characters the name of a skill has at most, as https://agentskills.io/specification has it.
const maxSkillName = 64

// SkillName is what the skill of a rule is called, unless another one has the name.
func SkillName(name string) string { return cutSkillName(skillWords(name), "") }

// skillNames gives each skill of one folder a name of its own. The zero value has none yet.
type skillNames struct {
	taken map[string]bool
	next  map[string]int // by what stands before the number: the search for a free one goes on there
}

// take makes of a rule's name one that a skill may have, and that no other one has.
func (n *skillNames) take(name string) string {
	if n.taken == nil {
		n.taken, n.next = map[string]bool{}, map[string]int{}
	}
	whole := skillWords(name)
	for number := 1; ; {
		end := ""
		if number > 1 {
			end = "-" + strconv.Itoa(number)
		}
		stem := cutSkillName(whole, end)
		if next := n.next[stem]; next > number { // a number that is longer may leave less before it
			number = next
			continue
		}
		number++
		n.next[stem] = number
		if out := stem + end; !n.taken[out] {
			n.taken[out] = true
			return out
		}
	}
}

// cutSkillName makes a name as long as one may be that goes on with an end.
func cutSkillName(whole, end string) string {
	return strings.TrimRight(whole[:min(len(whole), maxSkillName-len(end))], "-")
}

// skillWords makes of a rule's name small letters and digits, joined by single hyphens.
func skillWords(name string) string {
	words := strings.FieldsFunc(strings.ToLower(norm.NFKD.String(name)), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r < utf8.RuneSelf })
	for i, word := range words { // accents and letters of other alphabets are left out
		words[i] = strings.Map(func(r rune) rune {
			if r >= utf8.RuneSelf {
				return -1
			}
			return r
		}, word)
	}
	words = slices.DeleteFunc(words, func(word string) bool { return word == "" })
	whole := strings.Join(words, "-")
	if whole == "" {
		whole = "rule"
	}
	if reserved(whole) {
		whole = "rule-" + whole
	}
	return whole
}

// userBase is where a path of the user's own lies, and what it is called there.
func (p *Plan) userBase(rel string, config bool, env string) (base, path string) {
	base = p.folders.Home
	if config {
		base = p.folders.Config
	}
	if env != "" && p.folders.Lookup != nil {
		if dir, ok := p.folders.Lookup(env); ok && filepath.IsAbs(dir) {
			_, rest, _ := strings.Cut(rel, "/")
			return filepath.Clean(dir), rest
		}
	}
	return base, rel
}
