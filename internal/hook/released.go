package hook

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/settings"
	"github.com/pertain-dev/pertain/toolcall"
)

// That a gateway lives shows nothing about one call: a repository's settings may lead the agent past it. So the gateway writes
// down what it has watched and released, before the agent gets it, and a hook leaves out that alone. The file holds keyed
// hashes and times; the key is the agent's, and nowhere on the disk.

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
}

// Announced is a gateway that hooks know of.
type Announced struct {
	Key string // for [GatewayProofVariable]

	mu       sync.Mutex
	log      files.Target
	withdraw func()
}

// Withdraw ends it.
func (a *Announced) Withdraw() { a.withdraw() }

// Release writes down what the agent gets. What cannot be written is watched by the hook once more.
func (a *Announced) Release(r Released) {
	at := strconv.FormatInt(now().Unix(), 10)
	root := workspaceOf(r.Workspace)
	var lines []byte
	add := func(words ...string) { lines = append(lines, strings.Join(append(words, at), " ")+"\n"...) }
	if r.Tool != "" {
		content := keyed(a.Key, "content", root, toolcall.Plain(r.Tool), saying(r.Arguments))
		add("call", "-", content)
		for _, id := range r.IDs {
			add("call", keyedID(a.Key, root, id, r.Tool), content)
		}
	}
	for _, text := range r.Texts {
		add("text", "-", keyed(a.Key, "text", root, normal(text)))
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

// keyedID is that of a call's id. What the tool does belongs to it: some agents name their tools otherwise before hooks.
func keyedID(key, root, id, tool string) string {
	return keyed(key, "id", root, id, toolcall.KindOf(tool).String())
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

// release is what a gateway has released of what a hook is asked about.
type release uint8

const (
	notReleased  release = iota
	releasedByID         // a call of this id, whose arguments are not the same: agents mend some before they run them
	releasedAll          // this very call or text
)

// released tells what the gateway has released of the request.
func (s *session) released() release {
	if s.gateway == "" {
		return notReleased
	}
	r := &s.request
	kind, id, content := "call", "", ""
	switch r.moment {
	case before:
		content = keyed(s.gateway, "content", s.workspace, toolcall.Plain(r.tool), saying(r.arguments))
		if r.call != "" {
			id = keyedID(s.gateway, s.workspace, r.call, r.tool)
		}
	case end, said:
		kind, content = "text", keyed(s.gateway, "text", s.workspace, normal(r.message))
	default:
		return notReleased
	}
	best := notReleased
	for line := range bytes.Lines(releasedLog(s.paths.State, s.gateway)) {
		words := strings.Fields(string(line))
		if len(words) != 4 || words[0] != kind || !bytes.HasSuffix(line, []byte{'\n'}) {
			continue
		}
		seconds, err := strconv.ParseInt(words[3], 10, 64)
		if age := s.started.Sub(time.Unix(seconds, 0)); err != nil || age > releasedAge || age < -releasedAge {
			continue
		}
		switch {
		case words[2] == content: // some agents have ids of their own, or none
			return releasedAll
		case id != "" && words[1] == id:
			best = releasedByID
		}
	}
	return best
}

// releasedLog is what a gateway has written down, if nobody else can have.
func releasedLog(state, key string) []byte {
	target, err := files.OwnTarget(gatewayFile(state, key) + releasedSuffix)
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
