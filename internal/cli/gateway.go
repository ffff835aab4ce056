package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain/gateway"
	"github.com/pertain-dev/pertain/internal/follow"
	"github.com/pertain-dev/pertain/internal/httpapi"
	"github.com/pertain-dev/pertain/internal/settings"
)

// gatewayFlags are the flags of gateway and with.
type gatewayFlags struct {
	listen                    string
	hosts                     []string
	jsonLog                   bool
	anthropic, openai, gemini string
}

func (a *app) gatewayCommand() *cobra.Command {
	var flags gatewayFlags
	cmd := &cobra.Command{
		Use:   "gateway",
		Short: "Stand between agents and their models, and interrupt answers that break a rule",
		Long: `Answer in the place of a model's provider until interrupted: requests go on to the
provider, and answers come back as they are, but for what breaks a rule with a
trigger. Such an answer is broken off before the violation has left; the model is
reminded of the rule and asked again, and its second answer goes on in the same
stream. Agents need nothing but another address; ` + "`pertain with AGENT`" + ` starts one
with that.

It speaks Anthropic's Messages, OpenAI's Chat Completions and Responses, and
Gemini's API, and passes everything else on. Keys go through it and are never
stored or logged. The rules are those of the working directory, or, below
/w/NAME, of the folder that the setting gateway.workspaces gives that name.

Only programs of this machine can connect. To serve others, name an address with
--listen, each name by which it is reached with --host, and a token with
PERTAIN_TOKEN, which clients show as x-pertain-token. /pertain/ is a page that
shows what rules did, /metrics is for Prometheus.`,
		Example: `  pertain gateway
  ANTHROPIC_BASE_URL=http://127.0.0.1:7352 claude
  pertain gateway --listen 127.0.0.1:0 --openai http://127.0.0.1:11434 --json-log`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.gateway(cmd.Context(), flags) },
	}
	cmd.Flags().StringVar(&flags.listen, "listen", "127.0.0.1:7352", "`ADDRESS` to listen on; port 0 picks a free one")
	cmd.Flags().StringArrayVar(&flags.hosts, "host", nil, "answer also to this `NAME`, for an address that others can reach (repeatable)")
	cmd.Flags().BoolVar(&flags.jsonLog, "json-log", false, "log requests and what rules did on standard error, as JSON lines")
	upstreamFlags(cmd, &flags)
	a.jsonFlag(cmd)
	return cmd
}

// upstreamFlags say where the models are.
func upstreamFlags(cmd *cobra.Command, flags *gatewayFlags) {
	cmd.Flags().StringVar(&flags.anthropic, "anthropic", "", "send requests of Anthropic's API to this `URL`")
	cmd.Flags().StringVar(&flags.openai, "openai", "", "send requests of OpenAI's APIs to this `URL`")
	cmd.Flags().StringVar(&flags.gemini, "gemini", "", "send requests of Gemini's API to this `URL`")
}

func (a *app) gateway(ctx context.Context, flags gatewayFlags) error {
	at, err := checkListen(serveFlags{listen: flags.listen, hosts: flags.hosts})
	if err != nil {
		return err
	}
	token := ""
	if len(at.hosts) > 0 {
		if token = a.call.Env("PERTAIN_TOKEN"); len(token) < minToken || strings.Trim(token, tokenLetters) != "" {
			return usage("--host: others can use this gateway, so set PERTAIN_TOKEN to at least %d of the letters a-z, A-Z, 0-9 and . _ ~ -; `openssl rand -hex 32` makes one", minToken)
		}
	}
	if a.call.Grace != nil {
		a.call.Grace(10 * time.Second) // for the answers under way
	}
	logger := serverLogger(a.call.Stderr, false)
	if flags.jsonLog {
		logger = jsonLogger(a.call.Stderr, true)
	}
	ctx, stop := context.WithCancel(follow.Share(ctx))
	defer stop()
	g, err := a.openGateway(ctx, flags, upstreams{}, upstreams{}, logger)
	if err != nil {
		return err
	}
	defer a.followFleet(ctx, telling(logger))()
	g.options.Hosts, g.options.Token = at.hosts, token
	shared, err := a.share(ctx, logger)
	if err != nil {
		return err
	}
	if shared != nil && g.options.Memory != nil {
		g.options.Memory = shared.conversations
	}
	listener, err := httpapi.Listen(at.address)
	if err != nil {
		return usage("--listen %s: %s", flags.listen, listenProblem(err))
	}
	if err := a.announceGateway(at.url(listener.Addr().String())); err != nil {
		_ = listener.Close()
		return err
	}
	carried := shared.run(ctx, true)
	err = gateway.New(g.options).Serve(ctx, listener)
	stop()
	carried()
	return err
}

// announceGateway tells where the gateway is.
func (a *app) announceGateway(url string) error {
	if a.json {
		return json.NewEncoder(a.call.Stdout).Encode(map[string]string{"url": url, "page": url + "pertain/"})
	}
	_, err := fmt.Fprintf(a.call.Stdout, "open %s\nend with Ctrl-C\n", url)
	return err
}

// upstreams are addresses that the environment of an agent names.
type upstreams struct{ anthropic, openai, gemini gateway.Upstream }

// liveGateway is what a gateway works with, kept current.
type liveGateway struct {
	options gateway.Options
}

// openGateway finds what a gateway works with; set is what an agent's settings name, and lent what those of a stranger do. What it
// follows ends with ctx.
func (a *app) openGateway(ctx context.Context, flags gatewayFlags, set, lent upstreams, logger *slog.Logger) (*liveGateway, error) {
	named, err := flags.upstreams(set)
	if err != nil {
		return nil, err
	}
	config, err := a.openConfig(named, lent, logger)
	if err != nil {
		return nil, err
	}
	spaces := newWorkspaces(ctx, a, config, logger)
	if _, err := spaces.open(""); err != nil { // what is wrong with the rules here is told now
		return nil, err
	}
	return &liveGateway{options: gateway.Options{
		Workspace: spaces.now,
		Settings:  config.settings,
		Memory:    a.conversations(),
		Journal:   gatewayJournal{a},
		Logger:    logger,
		Version:   Version(),
	}}, nil
}

// upstreams are those that flags name, and else those that are set.
func (f gatewayFlags) upstreams(set upstreams) (upstreams, error) {
	for _, one := range []struct {
		flag, text string
		to         *gateway.Upstream
	}{{"anthropic", f.anthropic, &set.anthropic}, {"openai", f.openai, &set.openai}, {"gemini", f.gemini, &set.gemini}} {
		if one.text == "" {
			continue
		}
		u, ok := upstreamURL(one.text)
		if !ok {
			return set, usage("--%s %s: write an address such as https://host or http://127.0.0.1:8080/prefix", one.flag, one.text)
		}
		*one.to = gateway.Upstream{URL: u}
	}
	return set, nil
}

// upstreamURL reads the address of an upstream.
func upstreamURL(text string) (*url.URL, bool) {
	u, err := url.Parse(strings.TrimSpace(text))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.Fragment != "" {
		return nil, false
	}
	return u, true
}

// settingsUpstreams are those of the settings.
func settingsUpstreams(s settings.Gateway) (out upstreams, err error) {
	for _, one := range []struct {
		key, text string
		to        *gateway.Upstream
	}{{"anthropic", s.Anthropic, &out.anthropic}, {"openai", s.OpenAI, &out.openai}, {"gemini", s.Gemini, &out.gemini}} {
		if one.text == "" {
			continue
		}
		u, ok := upstreamURL(one.text)
		if !ok {
			return out, usage("the setting gateway.%s is no address; write such as https://host or http://127.0.0.1:8080/prefix", one.key)
		}
		one.to.URL = u
	}
	return out, nil
}
