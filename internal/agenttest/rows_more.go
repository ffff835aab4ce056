package agenttest

import "fmt"

// more are the agents that are tried on demand, by name.
var more = []row{
	{"cline", "cline", "cline", func(t Turn) lead {
		return lead{
			args: []string{"--json", t.Prompt},
			env:  []string{"CLINE_NO_AUTO_UPDATE=1", "CLINE_TELEMETRY_DISABLED=1", "CLINE_SESSION_BACKEND_MODE=local"},
			files: map[string]string{".cline/data/settings/providers.json": fmt.Sprintf(
				`{"version":1,"lastUsedProvider":"openai-compatible","modes":{},"providers":{"openai-compatible":{"settings":{"provider":"openai-compatible","apiKey":"test","model":"scripted","baseUrl":%q},"updatedAt":"2026-01-01T00:00:00.000Z","tokenSource":"manual"}}}`, t.URL+"/v1")},
		}
	}},
	{"continue", "cn", "@continuedev/cli", func(t Turn) lead {
		return lead{
			args: []string{"--config", t.Home + "/.continue/config.yaml", "--auto", "-p", t.Prompt},
			env:  []string{"CONTINUE_TELEMETRY_ENABLED=0"},
			files: map[string]string{".continue/config.yaml": fmt.Sprintf(
				"name: Scripted\nversion: 1.0.0\nschema: v1\nmodels:\n  - name: Scripted\n    provider: openai\n    model: scripted\n    apiBase: %s/v1\n    apiKey: test\n    roles: [chat, edit, apply]\n    capabilities: [tool_use]\n", t.URL)},
		}
	}},
	{"droid", "droid", "@factory/cli", func(t Turn) lead {
		return lead{
			args: []string{"exec", "--auto", "high", "-m", "custom:Scripted-0", "--output-format", "stream-json", t.Prompt},
			env:  []string{"FACTORY_API_KEY=fk-test", "FACTORY_DROID_AUTO_UPDATE_ENABLED=false"},
			files: map[string]string{".factory/settings.json": fmt.Sprintf(
				`{"customModels":[{"model":"scripted","displayName":"Scripted","baseUrl":%q,"provider":"anthropic","apiKey":"test","maxOutputTokens":8192}]}`, t.URL)},
		}
	}},
	{"opencode", "opencode", "opencode-ai", func(t Turn) lead {
		return lead{
			args: []string{"run", "--format", "json", "--auto", "-m", "scripted/scripted", t.Prompt},
			env:  []string{"OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_LSP_DOWNLOAD=1"},
			files: map[string]string{".config/opencode/opencode.json": fmt.Sprintf(
				`{"provider":{"scripted":{"npm":"@ai-sdk/openai-compatible","name":"Scripted","options":{"baseURL":%q,"apiKey":"test"},"models":{"scripted":{"name":"Scripted","tool_call":true}}}}}`, t.URL+"/v1")},
		}
	}},
	{"qwen", "qwen", "@qwen-code/qwen-code", func(t Turn) lead {
		return lead{
			args: []string{"--auth-type", "openai", "--approval-mode", "yolo", "--output-format", "stream-json", "-p", t.Prompt},
			env:  []string{"OPENAI_BASE_URL=" + t.URL + "/v1", "OPENAI_API_KEY=test", "OPENAI_MODEL=scripted"},
			// Else another agent of its own takes notes after the turn.
			files: map[string]string{".qwen/settings.json": `{"memory":{"enableManagedAutoMemory":false,"enableManagedAutoDream":false}}`},
		}
	}},
}

// rows are all of them.
var rows = append(append([]row(nil), common...), more...)
