package cli

import (
	"encoding/json"
	"path/filepath"
	"strings"

	"github.com/pertain-dev/pertain/internal/files"
)

// openCodeOwn are the providers that OpenCode knows by itself and that are led here, with the APIs that they speak.
var openCodeOwn = []struct{ name, api string }{{"anthropic", "anthropic"}, {"google", "gemini"}, {"openai", "openai"}}

// openCodeListed are the providers that OpenCode 1.18.33 brings along. It asks models.dev for others, and keeps them in a file.
var openCodeListed = `
302ai abacus abliteration-ai above agentrouter agnes ai-router ai21 aiand aihubmix ainetcafe aixy aki-io alibaba alibaba-cn
alibaba-coding-plan alibaba-coding-plan-cn alibaba-token-plan alibaba-token-plan-cn amazon-bedrock ambient amd anthropic anyapi
arcee atomic-chat auriko azure azure-cognitive-services bailing baseten bee berget blueclaw bothub cerebras chutes clarifai
claudinio cline-pass cloudferro-sherlock cloudflare-ai-gateway cloudflare-workers-ai cohere coralbricks cortecs crof crossmodel
crusoe daoxe databricks deepinfra deepseek digitalocean dinference drun ebcloud echo edenai empiriolabs evroc fastrouter
fireworks-ai freemodel friendli frogbot github-copilot gitlab gmicloud google google-vertex google-vertex-anthropic greenpt groq
helicone hetzner hpc-ai huggingface hyper iflowcn impossibl inception inceptron inco infer inference inferx infomaniak io-net
iteracompute jalapeno jiekou kenari kilo kimi-code-plan-cn kimi-code-plan-global klokintegration kosmik kuae-cloud-coding-plan
lilac llama llmgateway llmgateway-providers llmtech llmtr lmstudio longcat lucidquery lynkr meganova melious merge-gateway meta
minimax minimax-cn minimax-cn-coding-plan minimax-coding-plan mistral mixlayer moark modal model-oracle-ai modelis modelscope
moonshotai moonshotai-cn morph nan nano-gpt nearai nebius neon neosmith neuralwatt nova novita-ai nvidia oci ofox ollama
ollama-cloud openai opencode opencode-go openreason openrouter opper orcarouter ovhcloud pareto pendra perplexity perplexity-agent
pioneer poe poolside privatemode-ai qihang-ai qiniu-ai qvac regolo-ai requesty routing-run runinfra sakana salad-cloud sap-ai-core
sarvam scaleway scnet-token-plan scx-ai sensenova siliconflow siliconflow-cn snowflake-cortex stackit standardcompute stepfun
stepfun-ai stepfun-ai-step-plan stepfun-step-plan subconscious submodel synthetic tempr tencent-coding-plan tencent-token-plan
tencent-tokenhub tensorx the-grid-ai thinkingmachines tinfoil togetherai tokengo tokenrouter trustedrouter umans-ai
umans-ai-coding-plan unorouter upstage v0 vancine venice vercel vispark vivgrid volcengine volcengine-coding-plan vultr wafer.ai
wallaby wandb watsonx xai xiaomi xiaomi-token-plan-ams xiaomi-token-plan-cn xiaomi-token-plan-sgp xpersona zai zai-coding-plan
zeldoc zenifra zenmux zhipuai zhipuai-coding-plan
`

// openCodeAPI is the API of a provider that is led here by itself; "": it is none of them.
func openCodeAPI(name string) string {
	for _, p := range openCodeOwn {
		if p.name == name {
			return p.api
		}
	}
	return ""
}

// openCodeKnows gives what tells whether OpenCode has a provider, or the user's key for one, without a project's settings: it would ask
// that key's owner at an address of the project.
func (a *app) openCodeKnows(own map[string]any) func(name string) bool {
	known := map[string]bool{}
	for _, name := range strings.Fields(openCodeListed) {
		known[name] = true
	}
	add := func(tree map[string]any) {
		for name := range tree {
			known[name] = true
		}
	}
	add(own)
	folder := func(variable, usual string) string {
		if dir := a.call.Env(variable); dir != "" || a.paths().Home == "" {
			return dir
		}
		return filepath.Join(a.paths().Home, usual)
	}
	read := false
	return func(name string) bool {
		if known[name] || read {
			return known[name]
		}
		read = true // these are large, and mostly not needed
		var logins map[string]any
		if json.Unmarshal([]byte(a.call.Env("OPENCODE_AUTH_CONTENT")), &logins) == nil {
			add(logins)
		}
		add(a.namesIn(folder("XDG_DATA_HOME", filepath.Join(".local", "share")), "opencode", "auth.json"))
		add(a.namesIn(folder("XDG_CACHE_HOME", ".cache"), "opencode", "models.json"))
		add(a.namesIn(a.call.Env("OPENCODE_MODELS_PATH")))
		return known[name]
	}
}

// namesIn reads an object from a file of the user's; what is none, or in no folder, is empty.
func (a *app) namesIn(folder string, path ...string) map[string]any {
	var tree map[string]any
	if folder == "" {
		return nil
	}
	text, err := files.OS().ReadFile(filepath.Join(append([]string{a.abs(folder)}, path...)...), 64<<20)
	if err != nil || json.Unmarshal(text, &tree) != nil {
		return nil
	}
	return tree
}
