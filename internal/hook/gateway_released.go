package hook

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/settings"
	"github.com/pertain-dev/pertain/internal/writing"
	"github.com/pertain-dev/pertain/stream"
	"github.com/pertain-dev/pertain/toolcall"
)

// A gateway judges what the model says before the agent has it, and a hook judges the same call when it is about to be made: by more
// rules, since those of the folders on the way to its files count, and from where the agent works then. So a hook watches
// everything, whatever a gateway has found, and leaves out what the model is told of by that already. That a gateway lives shows
// nothing about one call: a repository's settings may lead the agent past it. So it writes down which rules it tells of, before the
// agent gets what they fired in. The file holds keyed hashes and times; the key is the agent's, and nowhere on the disk.

const (
	releasedSuffix = ".released"
	maxReleased    = 64 << 10 // bytes of a file before it is put aside: some thousand calls
	releasedAge    = time.Hour
	maxCanonical   = 1 << 20 // bytes of arguments that are compared by what they say; longer ones as they are written
)

// Released is what a gateway has watched and given to the agent: a tool call, or texts.
type Released struct {
	Workspace string // the folder whose rules have watched it
	IDs       []string
	Tool      string // "": it is texts
	Arguments string
	Texts     []string
	Told      []*stream.Trigger // the rules that fired in it and that the gateway tells the model of
}

// Announced is a gateway that hooks know of.
type Announced struct {
	Key string // for [GatewayProofVariable]

	mu       sync.Mutex
	log      writing.Target
	withdraw func()
}

// Withdraw ends it.
func (a *Announced) Withdraw() { a.withdraw() }

// Release writes down what the model is told of. What cannot be written it is told twice.
func (a *Announced) Release(r Released) {
	if len(r.Told) == 0 {
		return
	}
	at := strconv.FormatInt(now().Unix(), 10)
	root := workspaceOf(r.Workspace)
	var lines []byte
	add := func(what string) {
		for _, t := range r.Told {
			lines = append(lines, what+" "+keyedRule(a.Key, t)+" "+at+"\n"...)
		}
	}
	if r.Tool != "" {
		add(keyedCall(a.Key, root, r.Tool, r.Arguments))
		for _, id := range r.IDs {
			add(keyedID(a.Key, root, id, r.Tool))
		}
	}
	for _, text := range r.Texts {
		add(keyedText(a.Key, root, text))
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	_ = a.log.Append(lines, 0o600, maxReleased)
}

// workspaceOf is the workspace of a folder: what watches a call in another one are other rules.
func workspaceOf(dir string) string {
	dir = settings.WorkingDir(files.OS(), filepath.Clean(dir))
	if root, ok := settings.WorkspaceRoot(files.OS(), dir); ok {
		return root
	}
	return dir
}

// keyed is a hash of words that nobody makes without the key.
func keyed(key string, words ...string) string {
	h := hmac.New(sha256.New, []byte(key))
	for _, word := range words {
		h.Write([]byte(strconv.Itoa(len(word))))
		h.Write([]byte{' '})
		h.Write([]byte(word))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// keyedCall is that of a call.
func keyedCall(key, root, tool, arguments string) string {
	return keyed(key, "content", root, toolcall.Plain(tool), saying(arguments))
}

// keyedID is that of a call's id. What the tool does belongs to it: some agents name their tools otherwise before hooks.
func keyedID(key, root, id, tool string) string {
	return keyed(key, "id", root, id, toolcall.KindOf(tool).String())
}

// keyedText is that of a text.
func keyedText(key, root, text string) string { return keyed(key, "text", root, normal(text)) }

// keyedRule is that of a rule: its name, its file and what it looks for.
func keyedRule(key string, t *stream.Trigger) string {
	return keyed(key, append([]string{"rule", t.Name, t.Path}, t.Patterns...)...)
}

// saying is what arguments say, however the JSON is written.
func saying(arguments string) string {
	if len(arguments) > maxCanonical {
		return arguments
	}
	d := json.NewDecoder(strings.NewReader(arguments))
	d.UseNumber()
	var value any
	if d.Decode(&value) != nil || d.More() {
		return arguments
	}
	text, err := json.Marshal(value)
	if err != nil {
		return arguments
	}
	return string(text)
}

// untold leaves out the hits that the gateway tells the model of. A call that a rule keeps from being made has passed no gateway that
// the rule was asked by, so that of calls reminders alone are left out.
func (s *session) untold(hits []hit) []hit {
	if s.gateway == "" || len(hits) == 0 {
		return hits
	}
	r := &s.request
	var keys []string
	if r.moment == before {
		if keys = []string{keyedCall(s.gateway, s.workspace, r.tool, r.arguments)}; r.call != "" {
			keys = append(keys, keyedID(s.gateway, s.workspace, r.call, r.tool)) // agents mend some arguments before they run a call
		}
	} else {
		keys = []string{keyedText(s.gateway, s.workspace, r.message)}
	}
	told := s.told(keys)
	return slices.DeleteFunc(hits, func(h hit) bool {
		return (h.said || !s.interrupts(h.trigger, stream.Tool)) && told[keyedRule(s.gateway, h.trigger)]
	})
}

// told are the rules that the gateway tells of, for what has one of some keys.
func (s *session) told(keys []string) map[string]bool {
	out := map[string]bool{}
	for line := range bytes.Lines(releasedLog(s.paths.State, s.gateway)) {
		words := strings.Fields(string(line))
		if len(words) != 3 || !slices.Contains(keys, words[0]) || !bytes.HasSuffix(line, []byte{'\n'}) {
			continue
		}
		seconds, err := strconv.ParseInt(words[2], 10, 64)
		if age := s.started.Sub(time.Unix(seconds, 0)); err == nil && age <= releasedAge && age >= -releasedAge {
			out[words[1]] = true
		}
	}
	return out
}

// releasedLog is what a gateway has written down, if nobody else can have.
func releasedLog(state, key string) []byte {
	target, err := writing.OwnTarget(gatewayFile(state, key) + releasedSuffix)
	if err != nil {
		return nil
	}
	if info, err := files.OS().Stat(target.Path()); err != nil || info.Foreign || info.Shared {
		return nil
	}
	text, err := target.Logged(2 * maxReleased)
	if err != nil {
		return nil
	}
	return text
}
