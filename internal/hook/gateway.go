package hook

import (
	"context"
	"crypto/rand"
	"path/filepath"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/packed"
	"github.com/pertain-dev/pertain/internal/writing"
)

// `pertain with` starts an agent whose answers a gateway watches, and hooks leave to it what it watches. A variable alone shows
// nothing: the settings of a repository may set any. So a gateway leaves a file in the state folder that only who was started
// by it can name, and holds its lock for as long as it lives.

// Variables that `pertain with` sets for the agent: the gateway's address, and the name of what shows that there is one. Agents
// keep variables from their hooks whose names sound like secrets.
const (
	GatewayVariable      = "PERTAIN_GATEWAY"
	GatewayProofVariable = "PERTAIN_GATEWAY_PROOF"
)

const (
	gatewayFolder = "gateways"
	gatewaySuffix = ".gateway"
	gatewayForm   = "pertain gateway 3"
	maxGateway    = 64 << 10 // bytes
)

// leading are the variables by which an agent finds its model, or the settings that name it, and those by which it names a
// conversation. The settings of a repository may set each of them, and then the agent's requests go past the gateway, or are
// taken for those of another conversation.
var leading = []string{
	"ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "all_proxy", "http_proxy", "https_proxy", "no_proxy",
	"ANTHROPIC_AWS_BASE_URL", "ANTHROPIC_BASE_URL", "ANTHROPIC_CUSTOM_HEADERS", "ANTHROPIC_BEDROCK_BASE_URL", "ANTHROPIC_BEDROCK_MANTLE_BASE_URL", "ANTHROPIC_FOUNDRY_BASE_URL",
	"ANTHROPIC_FOUNDRY_RESOURCE", "ANTHROPIC_UNIX_SOCKET", "ANTHROPIC_VERTEX_BASE_URL",
	"CLAUDE_CODE_USE_ANTHROPIC_AWS", "CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_FOUNDRY", "CLAUDE_CODE_USE_MANTLE", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CONFIG_DIR",
	"AZURE_OPENAI_ENDPOINT", "CODEX_HOME", "CODEX_OSS_BASE_URL", "CODEX_OSS_PORT", "OPENAI_API_BASE", "OPENAI_BASE_URL",
	"COPILOT_API_URL", "COPILOT_PROVIDER_BASE_URL", "COPILOT_PROVIDER_TYPE",
	"CLOUD_SHELL", "CODE_ASSIST_ENDPOINT", "GEMINI_CLI_CUSTOM_HEADERS", "GEMINI_CLI_SYSTEM_DEFAULTS_PATH", "GEMINI_CLI_SYSTEM_SETTINGS_PATH", "GEMINI_CLI_USE_COMPUTE_ADC",
	"GOOGLE_GEMINI_BASE_URL", "GOOGLE_GENAI_USE_GCA", "GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_VERTEX_BASE_URL",
	"OPENCODE_CONFIG", "OPENCODE_CONFIG_CONTENT", "OPENCODE_CONFIG_DIR", "PI_CODING_AGENT_DIR",
}

// ledBy is all of them as an agent has them, set or not. Some hold passwords, so that it is a hash, by a key that is not kept.
func ledBy(key string, env func(name string) string) string {
	parts := []string{"led", key}
	for _, name := range leading {
		parts = append(parts, name, env(name))
	}
	return hash(parts...)
}

// Announce shows hooks that a gateway watches an agent, until withdraw or the end of the process. env is what the agent is started
// with.
func Announce(ctx context.Context, state, address string, env func(name string) string) (*Announced, error) {
	if state == "" {
		return nil, errNoState
	}
	key := rand.Text()
	target, unlock, err := writing.LockOwn(ctx, gatewayFile(state, key))
	if err != nil {
		return nil, err
	}
	log, err := writing.OwnTarget(gatewayFile(state, key) + releasedSuffix)
	if err != nil {
		unlock()
		return nil, err
	}
	withdraw := func() {
		_ = target.Remove() // without the lock it shows nothing
		_ = log.RemoveLogged()
		unlock()
		_ = target.RemoveLock()
	}
	var w packed.Writer
	w.Text(gatewayForm)
	w.Text(address)
	w.Text(ledBy(key, env))
	if err := target.Write(w.Bytes(), 0o600); err != nil {
		withdraw()
		return nil, err
	}
	sweepGateways(state)
	return &Announced{Key: key, log: log, withdraw: withdraw}, nil
}

func gatewayFile(state, key string) string {
	return filepath.Join(state, gatewayFolder, hash("gateway", key)+gatewaySuffix)
}

// gatewayOf is the key of the gateway that watches the agent that this is a hook of: one that lives, and that the agent's requests
// still go to. Empty: there is none.
func gatewayOf(state string, env func(name string) string) string {
	address, key := env(GatewayVariable), env(GatewayProofVariable)
	if address == "" || key == "" || state == "" {
		return ""
	}
	path := gatewayFile(state, key)
	if info, err := files.OS().Stat(path); err != nil || info.Foreign || info.Shared {
		return ""
	}
	data, err := files.OS().ReadFile(path, maxGateway)
	if err != nil {
		return ""
	}
	r := packed.NewReader(string(data))
	if r.Text() != gatewayForm || r.Text() != address || r.Text() != ledBy(key, env) || !r.Done() {
		return ""
	}
	if !writing.Locked(path) {
		return ""
	}
	return key
}
