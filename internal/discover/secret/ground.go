package secret

import (
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/internal/files"
)

// Ground is a folder, without links, whose files were put there together, such as a clone. Not all that is there
// came with it: whoever works there has an .env, keys, and a .git/config with the token for its server.
type Ground struct {
	Tree   files.Tree
	Folder string
	Home   string // the user's, without links; empty: there is none

	Skill bool // it is the folder of a skill, where scripts are named after what they do, and data after what it is about
}

// Looks tells whether a file, by its path without links, is likely to hold a secret of whoever works on this ground. On it
// folders above say nothing, and Markdown and programs are named after what they are about: whether those hold values, [Ground.Holds]
// tells. Ground that has the home on it
// is no other than the home, and what lies elsewhere is judged as everything is.
func (g Ground) Looks(real string) bool {
	rel, ok := g.below(real)
	if !ok {
		return Looks(g.Tree.Flavor().ToSlash(real)) || g.inGitFolder(real)
	}
	return inOwnFolder(rel) || isSettings(rel) || g.hasOwnName(rel[strings.LastIndexByte(rel, '/')+1:]) || g.inGitFolder(real)
}

// IsKeyFile tells whether a file, by its path without links, is none that anybody would make a rule, not even of the user's own: a variable of the
// environment may have named the folder that leads to it. Text that people write is none.
func (g Ground) IsKeyFile(real string) bool {
	path := g.Tree.Flavor().ToSlash(real)
	return !IsText(path) && (HasName(path) || isSettings(strings.ToLower(path)) || g.InFolder(real))
}

// InFolder tells whether a file, by its path without links, is in a folder of secrets on this ground.
func (g Ground) InFolder(real string) bool {
	rel, ok := g.below(real)
	if !ok {
		return InFolder(g.Tree.Flavor().ToSlash(real)) || g.inGitFolder(real)
	}
	return inOwnFolder(rel) || g.inGitFolder(real)
}

// below is the path of a file on this ground, in small letters; ok is false for what is judged as everything is.
func (g Ground) below(real string) (rel string, ok bool) {
	flavor := g.Tree.Flavor()
	if g.Folder == "" || g.Home != "" && flavor.Inside(g.Folder, g.Home) {
		return "", false
	}
	rel, ok = flavor.Rel(g.Folder, real)
	return strings.ToLower(flavor.ToSlash(rel)), ok
}

// inOwnFolder tells whether a path below the ground leads through a folder of secrets. Of those that have no dot some
// projects are about: programs keep them in a hidden one. A repository has .git at the end of its name, as a file or a folder, hidden or not.
func inOwnFolder(rel string) bool {
	segments := strings.Split(rel, "/")
	hidden := false
	for i, segment := range segments {
		hidden = hidden || strings.HasPrefix(segment, ".")
		if strings.HasSuffix(segment, ".git") || hidden && i < len(segments)-1 && slices.Contains(folders, segment) {
			return true
		}
	}
	return false
}

// prose, scripts and programs are the ends of names that say what a file is about.
var (
	scripts  = []string{".sh", ".bash", ".zsh", ".fish", ".ps1", ".bat", ".cmd"}
	prose    = []string{".rst", ".adoc", ".asciidoc", ".org"}
	programs = []string{
		".go", ".rs", ".c", ".h", ".cc", ".cpp", ".hpp", ".cs", ".fs", ".java", ".kt", ".scala", ".swift", ".m", ".dart", ".py", ".rb", ".php", ".pl",
		".lua", ".ex", ".exs", ".erl", ".hs", ".clj", ".ml", ".zig", ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts", ".vue", ".svelte", ".astro",
		".css", ".scss", ".sass", ".less", ".html", ".sql", ".graphql", ".gql", ".proto", ".prisma",
	}
)

// Holds tells by its text whether a file, by its path without links, has a secret in it. A program that is called as lists of
// secrets are, such as secrets.py, is one where values are in it.
func (g Ground) Holds(real string, data []byte) bool {
	return Holds(g.Tree.Flavor().ToSlash(real), data) || g.Lists(real, data)
}

// Lists tells of a program whether it is called as lists of secrets are and has values in it, and of data in a skill whether a key or token is.
// Examples in what a skill says and runs are none.
func (g Ground) Lists(real string, data []byte) bool {
	rel, ok := g.below(real)
	base := rel[strings.LastIndexByte(rel, '/')+1:]
	switch {
	case !ok, isBlank(base):
		return false
	case isProgram(base):
		return isListOfSecrets(base) && holdsValue(data)
	}
	return g.Skill && !isProse(base) && !endsWith(base, scripts...) && Holds(rel, data)
}

// hasOwnName tells of the last name of a path below the ground, in small letters, whether it is one of a file that holds secrets.
func (g Ground) hasOwnName(base string) bool {
	if g.Skill && endsWith(base, scripts...) && !strings.HasPrefix(base, ".") {
		return isListOfSecrets(base) || isKeyName(base)
	}
	if isProse(base) || isBlank(base) || isProgram(base) || base == "secret_scanning.yml" {
		return false
	}
	if g.Skill && isData(base) {
		return false
	}
	return HasName(base)
}

// topics are words that data is about more often than it holds such: tokenizer.json, design-tokens.json, price-history.csv, seed-data.json.
var topics = []string{"token", "seed", "history", "cookie", "wallet", "recovery", "private", "mnemonic"}

// isData tells by the last name of a path, in small letters, that a file in a skill is about such a topic, and that nothing else in its
// name is a secret's. One that has the name of the topic alone, such as token.json and cookies.txt, is what a program keeps.
func isData(base string) bool {
	stem, _, _ := strings.Cut(base, ".")
	if strings.HasPrefix(base, ".") || slices.Contains(topics, strings.TrimSuffix(stem, "s")) {
		return false
	}
	about := base
	for _, topic := range topics {
		about = strings.ReplaceAll(about, topic, "")
	}
	return about != base && !HasName(about)
}

// isProgram tells by the last name of a path, in small letters, whether a file is a program, which is named after what it is about.
func isProgram(base string) bool {
	return endsWith(base, programs...) && !strings.HasPrefix(base, ".env")
}

// isProse tells by the last name of a path whether a file is text about something.
func isProse(base string) bool { return IsMarkdown(base) || endsWith(base, prose...) }

// isListOfSecrets finds the names of programs that may be nothing but values, such as secrets.py and arduino_secrets.h.
func isListOfSecrets(base string) bool {
	words := wordsOf(base)
	if len(words) == 0 {
		return false
	}
	switch strings.TrimSuffix(words[len(words)-1], "s") {
	case "secret", "credential", "password", "apikey":
		return true
	}
	return false
}
