package agent

import (
	"fmt"
	"strings"
)

// Markdown is docs/agents.md.
func Markdown() string {
	var b strings.Builder
	b.WriteString(`# Agents

What each agent loads by itself. ` + "`pertain rules --agent NAME`" + ` shows it for the folder you are in, ` + "`pertain rules for FILE --agent NAME`" + ` for a file.
Made from the table in ` + "`internal/agent`" + `; change it there.

A version means: this version was run against a scripted model with a marker word in every place, and what is told here was seen in its requests.
Without one, nobody looked: it is what the linked page or source says. Editor extensions that share a name with a command line tool may differ.

*Folders*: root is the folder of the repository (with ` + "`.git`" + `), work the folder the agent was started in, between those between the two, above the folders above the
root, below the folders below work, whose files come once something there is touched.
`)
	all := All()
	for i := range all {
		all[i].markdown(&b)
	}
	return b.String()
}

func (a *Agent) markdown(b *strings.Builder) {
	fmt.Fprintf(b, "\n## %s\n\n`--agent %s`", a.Title, a.Name)
	if a.Measured() {
		fmt.Fprintf(b, ", measured with version %s; more in [its documents](%s)\n", a.Version, a.Source)
	} else {
		fmt.Fprintf(b, ", not measured; from [its documents or source](%s)\n", a.Source)
	}
	b.WriteString("\n| place | folders | when | globs |\n| --- | --- | --- | --- |\n")
	for _, g := range a.Groups {
		for k, kind := range g.Kinds {
			for i := range kind {
				kind[i].row(b, g.Pick, k, i)
			}
		}
	}
	for _, line := range a.remarks() {
		b.WriteString("\n- " + line)
	}
	b.WriteByte('\n')
}

func (p *Location) row(b *strings.Builder, pick Pick, kind, at int) {
	path := p.path()
	if p.IsFolder() {
		path += "/"
		if p.Deep {
			path += "**/"
		}
		path += "*"
		if ends := strings.Join(p.Exts, "`, `*"); ends != "" {
			path += ends
		}
	}
	fmt.Fprintf(b, "| ")
	switch {
	case kind > 0 && at == 0 && pick == OneAFolder:
		b.WriteString("else, in that folder: ")
	case kind > 0 && at == 0 && pick == OneKind:
		b.WriteString("only if none of these is found: ")
	}
	fmt.Fprintf(b, "`%s`", path)
	if p.Env != "" {
		fmt.Fprintf(b, " (`%s` names another folder)", p.Env)
	}
	if p.Source != "" {
		fmt.Fprintf(b, " ([source](%s))", p.Source)
	}
	folders := p.Where.String()
	if p.Nearest {
		folders += ", the nearest alone"
	}
	fmt.Fprintf(b, " | %s | %s | %s |\n", folders, p.Reading, p.globs())
}

// path is how people write the location.
func (p *Location) path() string {
	switch {
	case p.Where&Home != 0:
		return "~/" + p.Path
	case p.Where&Config != 0:
		return "~/.config/" + p.Path
	}
	return p.Path
}

func (p *Location) globs() string {
	if p.Reading != ByPaths && p.Reading != ByApplyTo {
		return ""
	}
	base := [...]string{"from the folder that holds it", "from the root", "from the folder that holds it; the user's from work"}[p.Base]
	return p.Globs.String() + ", " + base
}

// String names the folders, the nearest first.
func (w Where) String() string {
	if w&User != 0 {
		return "the user's"
	}
	var out []string
	for _, f := range []struct {
		where Where
		name  string
	}{{Work, "work"}, {Between, "between"}, {Root, "root"}, {OneAbove, "one above"}, {Above, "above"}, {Below, "below"}} {
		if w&f.where != 0 {
			out = append(out, f.name)
		}
	}
	return strings.Join(out, ", ")
}

func (r Reading) String() string {
	return [...]string{
		AsText:      "start",
		Stripped:    "start; frontmatter is taken off",
		Own:         "as its fields say",
		ByPaths:     "`paths`: touch; without: start",
		ByApplyTo:   "`applyTo`: touch; without, or everything: start",
		ContinueCLI: "always on: start; else never",
		Omp:         "`alwaysApply`: start; `condition`: trigger; `description`: listed; else never",
		OmpGlobs:    "everything: start; else listed",
		Settings:    "the files that its `instructions` name: start",
	}[r]
}

func (d Dialect) String() string {
	return [...]string{
		PathGlob:  "`*.ts` in the base folder",
		Gitignore: "as in .gitignore, without case",
		BaseName:  "`*.ts` in any folder",
		Picomatch: "picomatch",
	}[d]
}

// remarks are what holds for all locations of an agent.
func (a *Agent) remarks() []string {
	var out []string
	order := "Outermost first."
	if a.NearestFirst {
		order = "Nearest first."
	}
	out = append(out, order+" Without a repository: "+[...]string{"work alone.", "up to `/`.", "up to the home."}[a.Bare])
	if a.OneName {
		out = append(out, "Of several rules with one name only the first is loaded.")
	}
	if a.FoldNames {
		out = append(out, "Upper and lower case of file names does not count.")
	}
	if text := a.Touch.String(); text != "" {
		out = append(out, "Touching a file means: "+text+".")
	}
	switch {
	case a.Limit.Bytes > 0:
		out = append(out, fmt.Sprintf("The project's files in all: %d bytes; the nearest is cut.", a.Limit.Bytes))
	case a.Limit.OfEach:
		out = append(out, fmt.Sprintf("Of each file: %d characters.", a.Limit.Characters))
	case a.Limit.Characters > 0:
		out = append(out, fmt.Sprintf("All files: %d characters; the farthest is cut.", a.Limit.Characters))
	}
	if text := a.Imports.String(); text != "" {
		out = append(out, text)
	}
	if a.Imports.DropsComments {
		out = append(out, "HTML comments on lines of their own do not reach the model.")
	}
	if text := a.skillsRemark(); text != "" {
		out = append(out, text)
	}
	if len(a.Off.Keys) > 0 {
		var names []string
		for i := range a.Off.Files {
			names = append(names, "`"+a.Off.Files[i].path()+"`")
		}
		out = append(out, fmt.Sprintf("Rules whose names are in `%s` of %s are not used ([source](%s)).", strings.Join(a.Off.Keys, "."), strings.Join(names, ", "), a.Off.Source))
	}
	if text := a.Names.String(); text != "" {
		out = append(out, text)
	}
	if a.Broken.BlankIsText {
		out = append(out, "Frontmatter with a blank line before it, or that is never closed, is text: the rule is loaded at the start.")
	}
	if a.Broken.QuoteIsLost {
		out = append(out, "A rule with a quote that is never closed in its frontmatter is never loaded.")
	}
	return out
}

// String says which setting names files; empty: none does.
func (n *Naming) String() string {
	if len(n.Keys) == 0 {
		return ""
	}
	var files []string
	for i := range n.Files {
		files = append(files, "`"+n.Files[i].path()+"`")
	}
	what := "names files that are loaded in place of `" + strings.Join(n.Of, "` and `") + "`"
	if n.Else {
		what = "names files of which the first is loaded in a folder without `" + strings.Join(n.Of, "`, `") + "`"
	}
	return fmt.Sprintf("`%s` in %s %s ([source](%s)).", strings.Join(n.Keys, "."), strings.Join(files, " or "), what, n.Source)
}

// String names the ways to touch a file; empty: nothing loads rules later.
func (t Touch) String() string {
	var out []string
	for _, way := range []struct {
		on   bool
		name string
	}{{t.Read, "reading it"}, {t.Write, "writing a new one"}, {t.Edit, "editing it"}, {t.Shell, "naming it in a command"}} {
		if way.on {
			out = append(out, way.name)
		}
	}
	return strings.Join(out, ", ")
}

// String says what imports there are; empty: none.
func (i Imports) String() string {
	if i.Kiro {
		return "`#[[file:path]]` brings in a file."
	}
	if i.Levels == 0 {
		return ""
	}
	text := fmt.Sprintf("`@path` brings in a file, %d levels deep", i.Levels)
	var also []string
	for _, way := range []struct {
		on   bool
		name string
	}{
		{i.Wrapped, "`(@p)` and `\"@p\"`"},
		{i.Bold, "`**@p**`"},
		{i.Stop, "`@p.`"},
		{i.Comments, "in HTML comments"},
		{i.Tildes, "in `~~~` fences"},
		{i.Outside, "from outside of the project"},
		{i.Escapes, "`@a\\ b.md`"},
	} {
		if way.on {
			also = append(also, way.name)
		}
	}
	if len(also) > 0 {
		text += "; also " + strings.Join(also, ", ")
	}
	return text + "."
}
