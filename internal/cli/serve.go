package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain/internal/follow"
	"github.com/pertain-dev/pertain/internal/httpapi"
	"github.com/pertain-dev/pertain/internal/mcpserver"
)

// serveFlags are the flags of serve.
type serveFlags struct {
	where   situation
	listen  string
	hosts   []string
	verbose bool
}

// minToken is how long a token of the user's own choice must be, and tokenLetters
// what it is made of: letters that mean nothing else in an address, in which the
// page gets it.
const (
	minToken     = 16
	tokenLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._~-"
)

func (a *app) serveCommand() *cobra.Command {
	var flags serveFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve a page for people, an HTTP API for programs, and MCP for agents",
		Long: `Answer over HTTP until interrupted: a page that shows what is recommended now and
why, which strategies have mistakes, which rules reach a file, and where a
strategy can be tried before it is saved; the same as a JSON API, with
server-sent events; MCP for agents at /mcp; metrics.

Only programs of this machine can connect, and only with the token: it is in the
address that is printed, and new with each start unless PERTAIN_TOKEN is set.
Connections are not encrypted. To serve others, name an address with --listen and
each name by which it is reached with --host.`,
		Example: `  pertain serve
  pertain serve --context situation.json --listen 127.0.0.1:0
  curl -H "Authorization: Bearer $PERTAIN_TOKEN" http://127.0.0.1:7351/api/v1/match`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.serve(cmd.Context(), flags) },
	}
	cmd.Flags().StringVar(&flags.listen, "listen", "127.0.0.1:7351", "`ADDRESS` to listen on; port 0 picks a free one")
	cmd.Flags().StringArrayVar(&flags.hosts, "host", nil, "answer also to this `NAME`, for an address that others can reach (repeatable)")
	cmd.Flags().StringVar(&flags.where.file, "context", "", "read the context from this `FILE` (JSON or YAML, - for standard input) instead of collecting it")
	cmd.Flags().BoolVar(&flags.verbose, "verbose", false, "log each request on standard error, as JSON lines")
	a.jsonFlag(cmd)
	a.strategyFlags(cmd)
	return cmd
}

func (a *app) serve(ctx context.Context, flags serveFlags) error {
	at, err := checkListen(flags)
	if err != nil {
		return err
	}
	token := a.call.Env("PERTAIN_TOKEN")
	if token == "" {
		token = httpapi.NewToken()
	} else if len(token) < minToken || strings.Trim(token, tokenLetters) != "" {
		return usage("PERTAIN_TOKEN: a token has at least %d of the letters a-z, A-Z, 0-9 and . _ ~ -; `openssl rand -hex 32` makes one", minToken)
	}
	if a.call.Grace != nil {
		a.call.Grace(15 * time.Second) // for the requests under way
	}
	if a.call.Env("GOGC") == "" { // most of the memory stays: the catalog; going through it for every few requests would cost more than they do
		defer debug.SetGCPercent(debug.SetGCPercent(300))
	}
	ctx, stop := context.WithCancel(follow.Share(ctx))
	defer stop()
	logger := jsonLogger(a.call.Stderr, flags.verbose)
	shared, err := a.newServer(flags.where, logger)
	if err != nil {
		return err
	}
	w, err := a.openWorkspace(ctx, a.dir(), shared)
	if err != nil {
		return err
	}
	defer w.Close()
	if flags.where.file != "" { // one that cannot be read is told now, not to the first client
		if _, _, err := w.Snapshot(ctx, ""); err != nil {
			return err
		}
	}
	fleet, err := a.share(ctx, logger)
	if err != nil {
		return err
	}
	agents := a.mcpOptions(shared)
	agents.IgnoreRoots = agents.IgnoreRoots || !at.local() || flags.where.file == "-"
	defer a.followFleet(ctx, telling(logger))()
	server := httpapi.New(servedWorkspace{w}, httpapi.Options{
		Token: token, Hosts: at.hosts, Version: Version(), Logger: logger, MCP: mcpserver.New(agents).Handler(ctx),
		Fleet: a.fleetReports(fleet), Ask: w.app.servedAsk(at, logger),
	})
	listener, err := httpapi.Listen(at.address)
	if err != nil {
		return usage("--listen %s: %s", flags.listen, listenProblem(err))
	}
	if err := a.announce(at.url(listener.Addr().String()), token); err != nil {
		_ = listener.Close()
		return err
	}
	carried := fleet.run(ctx, true)
	err = server.Serve(ctx, listener)
	stop()
	carried()
	return err
}

// announce tells where the server is. The token is in the fragment, which
// browsers never send.
func (a *app) announce(url, token string) error {
	if a.json {
		return json.NewEncoder(a.call.Stdout).Encode(map[string]string{"url": url, "token": token, "mcp": url + "mcp"})
	}
	_, err := fmt.Fprintf(a.call.Stdout, "open %s#token=%s\nend with Ctrl-C\n", url, token)
	return err
}

func listenProblem(err error) string {
	if errors.Is(err, syscall.EADDRINUSE) {
		return "another program uses this port; name another one, or 127.0.0.1:0 for any"
	}
	if errors.Is(err, syscall.EACCES) {
		return "ports below 1024 are not for everyone; name a higher one"
	}
	return "this address cannot be listened on"
}

// jsonLogger writes one JSON document a line, for programs that collect logs.
func jsonLogger(w io.Writer, verbose bool) *slog.Logger {
	level := slog.LevelWarn
	if verbose {
		level = slog.LevelInfo
	}
	return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level}))
}
