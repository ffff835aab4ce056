package cli

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/follow"
	"github.com/pertain-dev/pertain/internal/mcpserver"
)

func (a *app) mcpCommand() *cobra.Command {
	var where situation
	var verbose bool
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve rules and strategies to an agent (Model Context Protocol)",
		Long: `Talk to an agent over standard input and output, as its MCP settings ask for: it
gets the rules of the repository as resources, tools that tell which of them
apply to the files it is about to edit, and the recommended strategies as
prompts.

The folders that the agent names (its roots) decide what it is told about. With
--cwd, that folder counts alone. No connection is opened.`,
		Example: `  pertain mcp
  claude mcp add pertain -- pertain mcp
  npx @modelcontextprotocol/inspector --cli pertain mcp --method tools/list`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if where.file == "-" {
				return usage("--context -: standard input belongs to the agent; name a file")
			}
			if err := a.checkMCP(where); err != nil { // a wrong call is told before the agent is answered
				return err
			}
			in, ok := a.call.Stdin.(io.ReadCloser)
			if !ok {
				in = io.NopCloser(a.call.Stdin)
			}
			shared, err := a.newServer(where, serverLogger(a.call.Stderr, verbose))
			if err != nil {
				return err
			}
			defer a.followFleet(cmd.Context(), telling(shared.logger))()
			server := mcpserver.New(a.mcpOptions(shared))
			return server.Serve(follow.Share(cmd.Context()), in, nopWriteCloser{a.call.Stdout})
		},
	}
	cmd.Flags().StringVar(&where.file, "context", "", "read the context from this `FILE` (JSON or YAML) instead of collecting it")
	cmd.Flags().BoolVar(&verbose, "verbose", false, "tell on standard error of each request")
	a.strategyFlags(cmd)
	return cmd
}

// checkMCP looks at what the call names. The context is read again whenever it is
// needed: it may change while the agent works.
func (a *app) checkMCP(where situation) error {
	if _, err := a.locate(); err != nil || where.file == "" {
		return err
	}
	data, _, err := a.readContext(where.file)
	if err != nil {
		return err
	}
	if _, err := facts.Decode("<context>", data); err != nil {
		return usage("--context %s: %s", where.file, err)
	}
	return nil
}

// mcpOptions are what both ways to speak MCP share.
func (a *app) mcpOptions(shared *server) mcpserver.Options {
	return mcpserver.Options{
		Version:     Version(),
		Logger:      shared.logger,
		IgnoreRoots: a.cwd != "",
		Open: func(ctx context.Context, dir string) (mcpserver.Workspace, error) {
			if dir == "" {
				dir = a.dir()
			}
			return a.openWorkspace(ctx, dir, shared)
		},
	}
}

// nopWriteCloser leaves standard output open: it belongs to the process.
type nopWriteCloser struct{ io.Writer }

func (nopWriteCloser) Close() error { return nil }
