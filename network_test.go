package pertain_test

import (
	"fmt"
	"go/token"
	"io/fs"
	"os"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// networkFolders are the packages of this module that may open a connection, each with what the user
// does to ask for it. The promise is "no telemetry, no network unless you ask".
var networkFolders = map[string]string{
	"internal/httpapi":   "the user starts `pertain serve`, which listens on this machine alone unless told otherwise, and never dials",
	"gateway":            "the user starts `pertain gateway` or `pertain with`; it speaks to the upstreams of the settings, or the providers' own, with what agents send there",
	"internal/ask":       "the user starts `pertain ask`, or asks from a picker or the page, and has agreed to that upstream and to what the strategy reads; it speaks to the upstream of the settings alone",
	"internal/mcpserver": "the user starts `pertain mcp`, which talks on standard input and output, or `pertain serve`",

	"internal/fleet": "the user names servers in the setting `fleet.url`; without it nothing is dialled",

	"internal/modeltest": "nothing does: it is a model for tests, on the loopback, and no program imports it",

	"internal/service": "nothing but the Unix socket of the user's own service is made and dialled, in XDG_RUNTIME_DIR, and its other end must be the same user's",

	"collect/internal/terminal": "nothing but the Unix socket is dialled at which the kitty in front lets itself be asked",
	"collect/internal/wayland":  "nothing but the Unix socket of the user's own compositor is dialled",

	"collect/internal/devtools": "start a browser with a debugging port: its tab is read from that port on this machine, 127.0.0.1",
}

// networkModules are packages of other modules that import net without ever dialing.
var networkModules = map[string]string{
	"github.com/modelcontextprotocol/go-sdk/auth":          "authorization of HTTP clients and servers; only its types are used",
	"github.com/modelcontextprotocol/go-sdk/internal/util": "tells loopback addresses",
	"github.com/modelcontextprotocol/go-sdk/mcp":           "its clients dial, and only its servers are used: on a connection that they are given",
	"github.com/modelcontextprotocol/go-sdk/oauthex":       "authorization of HTTP clients; only its types are used",
	"golang.org/x/oauth2":                                  "types of the MCP SDK's clients, which are not used",
	"golang.org/x/oauth2/internal":                         "types of the MCP SDK's clients, which are not used",

	"codeberg.org/readeck/go-readability":  "FromURL fetches pages; internal/preprocess hands it HTML, and a test holds that",
	"github.com/coder/websocket":           "speaks to the browser's debugging port on this machine, over a client of collect's own that dials 127.0.0.1 alone",
	"github.com/creachadair/jrpc2":         "counts requests in variables of expvar, which nobody publishes; the channel that it speaks on is internal/lsp's own",
	"github.com/creachadair/jrpc2/channel": "knows the error of a closed connection; it opens none",
	"github.com/godbus/dbus/v5":            "dials the address that it is given: collect refuses all but Unix sockets",
	"github.com/jezek/xgb":                 "dials the display that it is given: collect refuses all but this machine's",
	"github.com/nats-io/nats.go":           "dials the servers of `fleet.url`, for internal/fleet alone",
	"github.com/nats-io/nats.go/util":      "copies settings of TLS",
	"github.com/nats-io/nats.go/jetstream": "an error type of net; it speaks on the connection that it is given",
	"github.com/spf13/pflag":               "flag types for IP addresses and networks: it parses them",
	"golang.org/x/sys/windows":             "declares the system's structures with types of net; fsnotify needs it",
}

// networkStandard are the packages of the standard library through which a program can reach a network, those below them included.
var networkStandard = []string{"C", "crypto/tls", "expvar", "log/syslog", "net"}

// socketNames are how a program would open a connection past those packages, by system calls.
var socketNames = []string{
	"Accept", "Accept4", "AcceptEx", "Bind", "Connect", "ConnectEx", "Dial", "Listen", "Sendto", "SendtoInet4", "SendtoInet6", "Socket",
	"SYS_CONNECT", "SYS_SENDTO", "SYS_SOCKET", "WSASocket", "WSAStartup",
}

// TestNoNetworkImports proves the promise for all code, also that which no test runs.
// TestNoNetworkCalls watches the program itself.
func TestNoNetworkImports(t *testing.T) {
	fsys, tree := os.DirFS("."), ownTree(t)
	problems, err := networkProblems(fsys, tree, networkFolders)
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range problems {
		t.Error(problem)
	}
	for folder := range networkFolders {
		if tree.packages[folder] == nil {
			t.Errorf("networkFolders lists %s, which does not exist", folder)
		}
	}

	_, outside := tree.reach("cmd/pertain")
	packages, missing, err := tree.otherModules(sortedKeys(outside))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range missing {
		t.Logf("source not in the module cache, so not looked at: %s", p)
	}
	for _, p := range sortedKeys(packages) {
		for _, imported := range packages[p] {
			if denied(imported, networkStandard) && networkModules[p] == "" {
				t.Errorf("cmd/pertain reaches %s, which imports %q; if it never dials, say so in networkModules", p, imported)
			}
		}
	}
}

// networkProblems returns one line for each way to the network outside the allowed folders.
func networkProblems(fsys fs.FS, tree *sourceTree, allowed map[string]string) ([]string, error) {
	var problems []string
	for _, folder := range sortedKeys(tree.packages) {
		if allowed[folder] != "" {
			continue
		}
		pkg := tree.packages[folder]
		for _, p := range sortedKeys(pkg.imports) {
			if denied(p, networkStandard) {
				problems = append(problems, fmt.Sprintf("%s: imports %q, and %s is not in networkFolders", pkg.imports[p][0], p, folder))
			}
		}
		for _, name := range pkg.files {
			calls, err := socketCalls(fsys, name)
			if err != nil {
				return nil, err
			}
			problems = append(problems, calls...)
		}
	}
	return problems, nil
}

// socketCalls returns the positions in one file that use a name of socketNames out of a system call package.
func socketCalls(fsys fs.FS, name string) ([]string, error) {
	file, err := parseSource(fsys, name)
	if err != nil {
		return nil, err
	}
	var found []string
	file.uses(func(at token.Position, local, imported, name string) {
		if isSystemCalls(imported) && slices.Contains(socketNames, name) {
			found = append(found, fmt.Sprintf("%s: uses %s.%s", at, local, name))
		}
	})
	return found, nil
}

func TestNetworkCheckerFindsViolations(t *testing.T) {
	fsys := fstest.MapFS{
		"go.mod":      {Data: []byte("module example.org/m\n")},
		"a/a.go":      {Data: []byte("package a\n\nimport _ \"net/url\"\nimport _ \"net/http/httptest\"\n")},
		"a/a_test.go": {Data: []byte("package a\n\nimport _ \"net\"\n")},
		"b/b.go":      {Data: []byte("package b\n\nimport sys \"golang.org/x/sys/unix\"\n\nvar _, _ = sys.Socket, sys.Stat\n")},
		"c/c.go":      {Data: []byte("package c\n\nimport _ \"net\"\n")},
	}
	tree, err := readTree(fsys)
	if err != nil {
		t.Fatal(err)
	}
	got, err := networkProblems(fsys, tree, map[string]string{"c": "the user asks for it"})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`a/a.go: imports "net/http/httptest", and a is not in networkFolders`,
		"b/b.go:5:12: uses sys.Socket",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
