package hook

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/journal"
	"github.com/pertain-dev/pertain/internal/quota"
	"github.com/pertain-dev/pertain/internal/settings"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/stream"
	"github.com/pertain-dev/pertain/toolcall"
)

// What goes wrong, in words that hold nothing of a call.
var (
	errNoState   = errors.New("there is no folder for what a conversation remembers; set HOME")
	errWorkspace = errors.New("the working directory that the agent names is no folder; your own rules alone were asked")
	errInput     = errors.New("the input is not the JSON of a hook")
	errLarge     = errors.New("the input is larger than 64 MiB")
	errEvent     = errors.New("the event is not known; give its name after the agent's")
	errTime      = errors.New("it took too long")
	errPanic     = errors.New("an internal error")
	errSettings  = errors.New("something is wrong with the settings; `pertain doctor` says what")
	errMemory    = errors.New("what the conversation remembers cannot be read or written")
	errJournal   = errors.New("the journal cannot be written")
	errProject   = errors.New("the rules of the project took too long; your own alone were asked")
	errRules     = errors.New("the rules cannot be read")
	errOutput    = errors.New("the answer cannot be written to standard output")
	errUnread    = errors.New("not all files of rules were read; `pertain rules` says which")
	errVariable  = errors.New("a variable of the environment names a file or folder of this workspace for your own settings, and is not used; trust the workspace, or unset it")
	errNamed     = errors.New("PERTAIN_CONFIG names no settings file that can be read, and is not used; `pertain doctor` says why")
	errFleet     = errors.New("the rules of your fleet are not used; `pertain fleet status` says why, and `pertain fleet pull` brings them")
	errTrigger   = errors.New("a trigger of a rule cannot be used; `pertain lint` says which")
)

// session is one call of a hook with everything that it needs to decide.
type session struct {
	ctx         context.Context
	agent       string
	dialect     dialect
	request     request
	segments    []toolcall.Segment // of the call: what it adds
	environment pertain.Environment
	paths       settings.Paths
	variables   *settings.Surroundings // nil: nobody has looked yet
	account     string                 // the user's home as the system knows it; empty: it does not
	startedIn   string                 // the folder of the process
	usual       *pertain.Environment   // of the account, where the environment is another one; nil: it is not
	otherHome   bool                   // the environment names another home than the account has
	gateway     string                 // the key of the one that the agent's requests go to; empty: there is none
	sample      bool                   // nothing is remembered or kept
	own         bool                   // the user's own rules alone are asked
	started     time.Time

	dir, root, workspace string
	files                []string // that the call names, absolute
	book                 *pertain.Rulebook
	usualBook            *pertain.Rulebook     // the user's own rules of the account, where the environment is another one
	rules                map[string]*rule.Rule // in force, by name
	bound                map[string]bool       // rules with triggers that the model must comply with, by name
	policy               stream.Policy
	usualPolicy          stream.Policy   // that of the account, where usual is set
	ofAccount            map[string]bool // rules that are watched because the account has them, by name
	located              chan *session   // gets what own_rules.go goes on with, once
	turn                 *atomic.Bool    // taken by the session that answers, of those of one call
	answers              bool            // it is this one
	memory               *memory
	entries              []journal.Entry
	others               int      // of these, of rules that are not the user's own
	heeded, unheeded     []string // ids of entries
	problems             []error  // that do not keep it from an answer
	lack                 error    // some rules that should be were not asked; nil: all were
}

// locate finds where the agent works.
func (s *session) locate() error {
	s.dir = s.environment.Dir
	if s.request.dir != "" {
		s.dir = s.request.dir
		if !filepath.IsAbs(s.dir) {
			s.dir = filepath.Join(s.environment.Dir, s.dir)
		}
	}
	s.dir = filepath.Clean(s.dir)
	s.environment.Dir = s.dir
	if isFolder(s.dir) {
		s.dir = settings.WorkingDir(files.OS(), s.dir)
		s.environment.Dir = s.dir
	} else { // whatever was done to it, the user's own rules have nothing to do with it
		s.problem(errWorkspace)
		s.own, s.lack = true, errWorkspace
		s.environment.Dir = settings.WorkingDir(files.OS(), folderAbove(s.dir))
	}
	s.workspace = s.environment.Dir
	if root, ok := settings.WorkspaceRoot(files.OS(), s.workspace); ok {
		s.workspace = root
	}
	env := s.environment.Env
	s.trim()
	s.gateway = gatewayOf(s.paths.State, env)
	return s.readPolicy()
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// folderAbove is the nearest folder above a path that is there.
func folderAbove(path string) string {
	for dir := files.PresentFolder(files.OS(), path); ; dir = filepath.Dir(dir) {
		if isFolder(dir) || filepath.Dir(dir) == dir {
			return dir
		}
	}
}

// readPolicy asks the settings. Whatever is wrong with them, rules are watched: by the usual file where a variable names none that can be
// read, and else by the defaults.
func (s *session) readPolicy() error {
	policy, wrong, err := pertain.StreamPolicy(s.environment)
	if err != nil && s.paths.Named {
		s.problem(errNamed)
		s.setAside("PERTAIN_CONFIG")
		policy, wrong, err = pertain.StreamPolicy(s.environment)
	}
	if err != nil {
		s.problem(errSettings)
		s.lack, s.environment.NoSettings = errSettings, true // there may be a fleet
		if policy, wrong, err = pertain.StreamPolicy(s.environment); err != nil {
			return errSettings
		}
	}
	if wrong.HasErrors() { // the defaults count for what is wrong; a rule is watched all the same
		s.problem(errSettings)
	}
	s.policy, s.usualPolicy = policy, policy
	if s.otherHome { // that home says nothing of the account's rules
		if s.usualPolicy, _, err = pertain.StreamPolicy(*s.usual); err != nil {
			s.usualPolicy = stream.Policy{}
		}
	}
	return nil
}

// policyOf is what holds for a rule with a trigger.
func (s *session) policyOf(name string) stream.Policy {
	if s.ofAccount[name] {
		return s.usualPolicy
	}
	return s.policy
}

// load reads the rules, with those in the folders on the way to files.
func (s *session) load(paths []string) error {
	book, err := pertain.OpenRules(s.ctx, s.environment, pertain.RuleOptions{Files: paths, Own: s.own})
	if err != nil {
		return errRules
	}
	s.book, s.root, s.files = book, book.Root, paths
	if err := s.loadUsual(); err != nil {
		return err
	}
	s.rules = make(map[string]*rule.Rule, len(book.Rules()))
	for _, r := range book.Rules() {
		s.rules[r.Name] = r
	}
	return nil
}

// loadUsual reads the user's own rules of the account, where the environment names another home, or other settings: whoever has set
// that, rules with triggers that the user relies on watch.
func (s *session) loadUsual() error {
	s.usualBook = nil
	if s.usual == nil {
		return nil
	}
	book, err := pertain.OpenRules(s.ctx, *s.usual, pertain.RuleOptions{Own: true})
	if err != nil {
		return errRules
	}
	s.usualBook = book
	return nil
}

// slashed are rules with slashes in their paths.
func slashed(rules []*rule.Rule) []*rule.Rule {
	if filepath.Separator != '/' {
		rules = slices.Clone(rules)
		for i, r := range rules {
			copied := *r
			copied.Path = filepath.ToSlash(r.Path)
			rules[i] = &copied
		}
	}
	return rules
}

func (s *session) problem(err error) {
	if !slices.Contains(s.problems, err) {
		s.problems = append(s.problems, err)
	}
}

// open goes on with what the conversation remembers. Without that the rules still hold, but nothing is counted.
func (s *session) open() {
	if s.sample {
		s.memory = &memory{unlock: func() {}}
		return
	}
	id := s.request.conversation
	if id == "" {
		id = s.workspace
	}
	m, err := remember(s.ctx, s.paths.State, s.agent, id)
	if err != nil {
		s.problem(errMemory)
	}
	m.record.Named = s.request.conversation != ""
	s.memory = m
}

// note adds an entry to the journal, and gives its id; empty: it is of a rule of others, whose quota is used up.
func (s *session) note(name, path string, action journal.Action) string {
	if !s.isOwn(name) {
		if s.others >= quota.Others {
			return ""
		}
		s.others++
	}
	id := journal.NewID()
	s.entries = append(s.entries, journal.Entry{
		ID: id, Source: journal.Hook, Agent: &s.agent, Workspace: journal.Text(filepath.ToSlash(s.workspace)),
		Conversation: journal.Conversation(s.agent, s.request.conversation), Rule: name, Path: s.journalPath(path), Action: action,
	})
	return id
}

// journalPath is a path of the project as the journal has it, relative to the workspace.
func (s *session) journalPath(path string) *string {
	if path == "" {
		return nil
	}
	if s.root != "" && s.root != s.workspace && !filepath.IsAbs(path) {
		path = projectPath(filepath.Join(s.root, filepath.FromSlash(path)), s.workspace, s.workspace)
	}
	return journal.Text(path)
}

// shown is the path of a rule's file as a model is told it.
func (s *session) shown(path string) string {
	if rel, ok := below(s.root, path); ok {
		if strings.HasPrefix(rel, "~/") { // a folder of this name is not the home
			return "./" + rel
		}
		return rel
	}
	if rel, ok := below(s.paths.Home, path); ok && s.paths.Home != "" {
		return "~/" + rel
	}
	return filepath.ToSlash(path)
}

// binding tells whether the model must comply with a rule.
func (s *session) binding(r *rule.Rule) bool {
	if r == nil {
		return false
	}
	if bound, known := s.bound[r.Name]; known || s.book == nil {
		return bound
	}
	return s.book.Binding(r)
}

// interrupts tells whether a rule may deny or continue, by the settings and by itself.
func (s *session) interrupts(t *stream.Trigger, kind stream.Kind) bool {
	switch cmp.Or(t.InterruptMode, s.policyOf(t.Name).InterruptMode) {
	case stream.InterruptNever:
		return false
	case stream.ProseOnly:
		return kind != stream.Tool
	case stream.ToolOnly:
		return kind == stream.Tool
	}
	return true
}

// budget is how often in a row a rule denies.
func (s *session) budget(name string) int {
	budget := s.policyOf(name).Budget
	if budget == 0 {
		return 3
	}
	return max(budget, 0)
}

// normal is a text by which rules are the same.
func normal(text string) string {
	return strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
}
