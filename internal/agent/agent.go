package agent

// Agent is one program that brings rules to a model: a row of the table. Whoever
// needs more of it (its tools, its hooks, its settings files, how it is led to
// another model) adds a column here, so that there is one place to mend when a new
// version does otherwise.
type Agent struct {
	Name    string // as --agent takes it
	Title   string // as people call it
	Program string // the command that starts it; empty: it is no command
	Package string // of npm; empty: it is not there

	// Version is the one whose requests were looked at; empty: nobody looked, and the
	// facts are those of Source.
	Version string
	Source  string // of what was not measured: a document, or the program's source

	// Groups are the locations of its files, in the order in which their texts reach the
	// model.
	Groups []Group
	// NearestFirst: in a group, the folders go from the working folder up. Else the
	// outermost comes first, and the user's own before it.
	NearestFirst bool
	// OneName: of several rules with one name only the first is loaded.
	OneName bool
	// FoldNames: the case of file names does not count, on every system.
	FoldNames bool
	// Bare is how far up it goes where there is no repository.
	Bare Reach

	// Skills are the folders whose folders are skills, listed by their descriptions: the one that people share first. Nil: it has none,
	// or it is not known.
	Skills []Location

	Imports Imports
	Touch   Touch
	Limit   Limit
	// Broken is what it does with frontmatter that is not quite right.
	Broken Broken
	// Off is where its users switch rules off by name.
	Off Off
	// Names is where its users say how its memory files are called.
	Names Naming
}

// Naming is a setting with file names, or with one.
type Naming struct {
	Keys  []string   // the way to the setting
	Files []Location // in JSON with comments, or in TOML; the last one that has it decides
	Of    []string   // paths of the agent's locations that it is about
	// Else: files of these names count in a folder that has none of the usual ones, the first that is there. Otherwise they
	// stand in place of the usual ones.
	Else   bool
	Source string // of what was not measured
}

// Off is a list of names in settings files: the rules of these names are not used. The
// last file that has the list decides.
type Off struct {
	Keys   []string   // the way to the list
	Files  []Location // in YAML, or in JSON
	Source string
}

// Measured tells whether the agent's own requests were looked at.
func (a *Agent) Measured() bool { return a.Version != "" }

// Group is locations among which an agent chooses.
type Group struct {
	Pick  Pick
	Kinds [][]Location // the first kind that is there is preferred, where Pick chooses
}

// Pick says how an agent chooses among the kinds of a group.
type Pick uint8

const (
	Every      Pick = iota // all of them are loaded
	OneAFolder             // in each folder the first kind that is there
	OneKind                // the first kind that is found from the working folder up counts for all folders
)

// Location is a file, or a folder of files, that an agent loads.
type Location struct {
	Path  string   // with slashes, below the folders that Where says
	Exts  []string // ends of the names of a folder's files; nil: the location is one file
	Deep  bool     // subfolders count
	Skip  []string // subfolders that don't
	Where Where
	Env   string // a variable that names another folder for the first part of Path, such as CODEX_HOME; empty: none

	Nearest bool // only the nearest folder that has it
	Reading Reading
	Globs   Dialect
	Base    Base
	Source  string // where this row comes from; empty: as the agent's other rows
	As      string // the path that the agent's users have renamed to Path, by its Names; empty: it is the usual one
}

// IsFolder tells whether the location is a folder of files.
func (p *Location) IsFolder() bool { return p.Exts != nil }

// Where is a set of folders in which an agent looks for a file.
type Where uint16

const (
	Work     Where = 1 << iota // the working folder
	Between                    // the folders between the repository's root and the working folder
	Root                       // the root of the repository
	OneAbove                   // the one folder above the root, unless it is the home
	Above                      // every folder above the root
	Below                      // folders below the working folder, once a file there is touched
	Home                       // the user's home
	Config                     // where the user keeps settings: ~/.config
	System                     // the path is absolute
)

// Chain is the folders from the root of the repository to the working folder.
const Chain = Root | Between | Work

// User is the locations that are the user's own.
const User = Home | Config | System

// Reach is how far up an agent goes where there is no repository.
type Reach uint8

const (
	WorkOnly Reach = iota
	ToTop          // up to the root of the file system
	ToHome         // up to the home
)

// Reading is how an agent takes the frontmatter of a file.
type Reading uint8

const (
	AsText      Reading = iota // it knows none: the whole file is text, at the start
	Stripped                   // it is taken off and has no effect: the rest is text, at the start
	Own                        // as the tool whose location it is documents it
	ByPaths                    // `paths` decides: a match loads it, none: at the start
	ByApplyTo                  // `applyTo` decides in the same way
	ContinueCLI                // whatever needs a file or a model to decide is never loaded
	Omp                        // alwaysApply: at the start; description: listed; condition: waits; else never
	OmpGlobs                   // globs that match everything: at the start; else listed
	Settings                   // it is no rule: its `instructions` name files
)

// Dialect is what an agent takes a glob for.
type Dialect uint8

const (
	PathGlob  Dialect = iota // `*.ts` is in the base folder, `**/*.ts` everywhere
	Gitignore                // as a line of .gitignore, without case
	BaseName                 // minimatch; without a slash it is a name in any folder
	Picomatch                // extended globs; `*.ts` is in the base folder
)

// Base is the folder that globs are relative to.
type Base uint8

const (
	BaseOwn  Base = iota // that holds the tool's folder; of the user's rules the root of the project
	BaseRoot             // the root of the project
	BaseWork             // that holds the tool's folder; of the user's rules the working folder
)

// Imports is what `@path` in a text means to an agent.
type Imports struct {
	Levels   int  // files that one import may lead through; 0: it means nothing
	Memory   bool // only in the texts of memory files, not of rules
	Wrapped  bool // also in brackets and quotes: (@p), "@p"
	Bold     bool // also in **@p**
	Stop     bool // a full stop after it does not belong to it
	Comments bool // also inside of HTML comments
	Tildes   bool // also inside of ~~~ fences
	Outside  bool // also out of the project: @~/x, @../x
	Absolute bool // also by an absolute path
	Escapes  bool // a blank may be escaped
	// DropsComments: HTML comments on lines of their own do not reach the model.
	DropsComments bool
	// Kiro is another way to write it: #[[file:path]].
	Kiro bool
}

// Touch is what loads the rules of a file that is worked on.
type Touch struct{ Read, Write, Edit, Shell bool }

// Limit is how much an agent takes.
type Limit struct {
	Bytes      int  // of the project's memory files in all; 0: no limit
	Characters int  // the same, in characters
	OfEach     bool // it is of each file
}

// Broken is what an agent does with frontmatter that is not quite right.
type Broken struct {
	BlankIsText bool // with a line before it, it is text
	QuoteIsLost bool // with a quote that is never closed, the file is never loaded
}
