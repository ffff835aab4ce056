package agenttest

import "fmt"

// common are the agents that are tried with every change, by name.
var common = []row{
	{"claude", "claude", "@anthropic-ai/claude-code", func(t Turn) lead {
		return lead{
			args: []string{"-p", t.Prompt, "--permission-mode", "acceptEdits", "--output-format", "stream-json", "--verbose"},
			env: []string{
				"ANTHROPIC_BASE_URL=" + t.URL, "ANTHROPIC_API_KEY=test", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1", "IS_SANDBOX=1",
			},
		}
	}},
	{"codex", "codex", "@openai/codex", func(t Turn) lead {
		return lead{
			args: []string{
				"exec", "--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "-c", "model_provider=scripted", "-c", "model=gpt-5.1-codex",
				"-c", fmt.Sprintf("model_providers.scripted={name=%q,base_url=%q,env_key=%q,wire_api=%q}", "scripted", t.URL+"/v1", "SCRIPTED_KEY", "responses"), t.Prompt,
			},
			env: []string{"SCRIPTED_KEY=test"},
		}
	}},
	{"copilot", "copilot", "@github/copilot", func(t Turn) lead {
		return lead{
			args: []string{"-p", t.Prompt, "--allow-all-tools"},
			env: []string{
				"COPILOT_PROVIDER_BASE_URL=" + t.URL + "/v1", "COPILOT_PROVIDER_API_KEY=test", "COPILOT_PROVIDER_TYPE=openai", "COPILOT_MODEL=scripted", "COPILOT_OFFLINE=true",
			},
		}
	}},
	{"gemini", "gemini", "@google/gemini-cli", func(t Turn) lead {
		return lead{
			args:  []string{"-p", t.Prompt, "--approval-mode", "yolo", "--output-format", "stream-json"},
			env:   []string{"GOOGLE_GEMINI_BASE_URL=" + t.URL, "GEMINI_API_KEY=test", "GEMINI_CLI_TRUST_WORKSPACE=true"},
			files: map[string]string{".gemini/settings.json": `{"security":{"auth":{"selectedType":"gemini-api-key"}}}`},
		}
	}},
	{"pi", "pi", "@mariozechner/pi-coding-agent", func(t Turn) lead {
		return lead{
			args: []string{"--provider", "scripted", "--model", "scripted", "--mode", "json", "-p", t.Prompt},
			files: map[string]string{".pi/agent/models.json": fmt.Sprintf(
				`{"providers":{"scripted":{"baseUrl":%q,"api":"anthropic-messages","apiKey":"test","models":[{"id":"scripted","name":"Scripted","reasoning":false,"input":["text"],"contextWindow":200000,"maxTokens":8192,"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0}}]}}}`, t.URL)},
		}
	}},
}
