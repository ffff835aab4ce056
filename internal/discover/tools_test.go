package discover_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// TestTools puts one file at each location of each tool and says what becomes of
// it: provider, name, level, bucket, then the globs.
func TestTools(t *testing.T) {
	tests := []struct{ path, text, want string }{
		{"/w/.omp/rules/a.md", "T", "native a project none"},
		{"/w/.omp/rules/sub/a.mdc", "---\ndescription: d\n---\nT", "native sub/a project rulebook"},
		{"/home/u/.omp/agent/rules/a.md", "T", "native a user none"},
		{"/w/.cursor/rules/a.mdc", "---\nglobs: a.ts\n---\nT", "cursor a project none a.ts"},
		{"/w/.cursorrules", "T", "cursor cursorrules project always"},
		{"/w/.devin/rules/a.md", "---\ntrigger: always_on\n---\nT", "windsurf a project always"},
		{"/w/.windsurf/rules/a.md", "---\ntrigger: glob\nglobs: a.ts, b.ts\n---\nT", "windsurf a project none a.ts|b.ts"},
		{"/w/.windsurf/rules/a.md", "---\ntrigger: model_decision\ndescription: d\n---\nT", "windsurf a project rulebook"},
		{"/w/.windsurf/rules/a.md", "---\ntrigger: manual\ndescription: d\n---\nT", "windsurf a project none"},
		{"/w/.windsurfrules", "T", "windsurf windsurfrules project always"},
		{"/home/u/.codeium/windsurf/memories/global_rules.md", "---\ndescription: d\n---\nT", "windsurf global_rules user rulebook"},
		{"/home/u/.codeium/windsurf/memories/global_rules.md", "T", "windsurf global_rules user always"},
		{"/home/u/.codeium/windsurf/memories/global_rules.md", "---\ntrigger: manual\n---\nT", "windsurf global_rules user none"},
		{"/w/.clinerules/a.md", "T", "cline a project always"},
		{"/w/.clinerules/a.txt", "T", "cline a project always"},
		{"/w/.clinerules/a.md", "---\npaths:\n  - \"src/**\"\n---\nT", "cline a project none src/**"},
		{"/w/.clinerules/a.md", "---\npaths: []\n---\nT", "cline a project none"},
		{"/w/.clinerules", "T", "cline clinerules project always"},
		{"/home/u/Documents/Cline/Rules/a.md", "T", "cline a user always"},
		{"/home/u/Cline/Rules/a.md", "T", "cline a user always"},
		{"/w/.agents/rules/a.md", "---\ntrigger: always_on\n---\nT", "agents a project always"},
		{"/w/.agent/rules/a.md", "---\ndescription: d\n---\nT", "agents a project rulebook"},
		{"/w/CLAUDE.md", "T", "claude CLAUDE project always"},
		{"/w/.claude/CLAUDE.md", "T", "claude .claude/CLAUDE project always"},
		{"/w/CLAUDE.local.md", "T", "claude CLAUDE.local project always"},
		{"/w/.claude/rules/sub/a.md", "T", "claude sub/a project always"},
		{"/w/.claude/rules/a.md", "---\npaths: src/**, lib/**\n---\nT", "claude a project none src/**|lib/**"},
		{"/w/.claude/rules/a.md", "---\npaths:\n  - \"src/**/*.{ts,tsx}\"\n---\nT", "claude a project none src/**/*.{ts,tsx}"},
		{"/home/u/.claude/CLAUDE.md", "T", "claude ~/CLAUDE user always"},
		{"/home/u/.claude/rules/a.md", "T", "claude a user always"},
		{"/w/AGENTS.md", "T", "agents-md AGENTS project always"},
		{"/w/AGENTS.override.md", "T", "agents-md AGENTS.override project always"},
		{"/home/u/.codex/AGENTS.md", "T", "agents-md ~/AGENTS user always"},
		{"/w/.github/copilot-instructions.md", "T", "github copilot-instructions project always"},
		{"/w/.github/instructions/x/a.instructions.md", "---\napplyTo: \"**/*.ts,**/*.tsx\"\n---\nT", "github x/a project none **/*.ts|**/*.tsx"},
		{"/w/.github/instructions/a.instructions.md", "---\napplyTo: \"**\"\n---\nT", "github a project always **"},
		{"/w/.github/instructions/a.instructions.md", "---\ndescription: d\nexcludeAgent: code-review\n---\nT", "github a project always"},
		{"/w/.github/instructions/a.md", "T", ""},
		{"/home/u/.copilot/instructions/a.instructions.md", "T", "github a user always"},
		{"/w/GEMINI.md", "T", "gemini GEMINI project always"},
		{"/home/u/.gemini/GEMINI.md", "T", "gemini ~/GEMINI user always"},
		{"/w/.continue/rules/a.md", "T", "continue a project always"},
		{"/w/.continue/rules/a.md", "---\nname: A\nglobs: \"**/*.ts, x\"\n---\nT", "continue a project none **/*.ts, x"},
		{"/w/.continue/rules/a.md", "---\nalwaysApply: false\ndescription: d\n---\nT", "continue a project rulebook"},
		{"/w/.continue/rules/a.md", "---\nregex: foo\n---\nT", "continue a project none"},
		{"/w/.continue/rules/a.md", "---\nalwaysApply: true\nglobs: x\n---\nT", "continue a project always x"},
		{"/w/rules.md", "T", "continue rules project always"},
		{"/home/u/.continue/rules/a.md", "T", "continue a user always"},
		{"/w/.kiro/steering/a.md", "T", "kiro a project always"},
		{"/w/.kiro/steering/a.md", "---\ninclusion: always\n---\nT", "kiro a project always"},
		{"/w/.kiro/steering/a.md", "---\ninclusion: fileMatch\nfileMatchPattern: \"src/**\"\n---\nT", "kiro a project none src/**"},
		{"/w/.kiro/steering/a.md", "---\ninclusion: manual\ndescription: d\n---\nT", "kiro a project none"},
		{"/w/.kiro/steering/a.md", "---\ninclusion: auto\nname: a\ndescription: d\n---\nT", "kiro a project rulebook"},
		{"/home/u/.kiro/steering/a.md", "T", "kiro a user always"},
		{"/w/.roo/rules/a.md", "T", "roo a project always"},
		{"/w/.roo/rules-code/a.md", "T", "roo code/a project none"},
		{"/w/.roorules", "T", "roo roorules project always"},
		{"/home/u/.roo/rules/a.txt", "T", "roo a user always"},
		{"/w/.augment/rules/a.md", "---\ntype: always_apply\n---\nT", "augment a project always"},
		{"/w/.augment/rules/a.md", "---\ntype: agent_requested\ndescription: d\n---\nT", "augment a project rulebook"},
		{"/w/.augment/rules/a.md", "---\ntype: manual\n---\nT", "augment a project none"},
		{"/home/u/.augment/rules/a.md", "---\ntype: manual\n---\nT", "augment a user always"},
		{"/w/.amazonq/rules/x/a.md", "T", "amazonq x/a project always"},
		{"/w/.rules", "T", "zed .rules project always"},
		{"/w/AGENT.md", "T", "zed AGENT project always"},
		{"/w/.junie/AGENTS.md", "T", "junie .junie/AGENTS project always"},
		{"/w/.junie/guidelines.md", "T", "junie .junie/guidelines project always"},
		{"/w/.junie/guidelines/a.md", "T", "junie a project always"},
		{"/w/.goosehints", "T", "goose goosehints project always"},
		{"/home/u/.config/goose/.goosehints", "T", "goose ~/goosehints user always"},
		{"/w/QWEN.md", "T", "qwen QWEN project always"},
		{"/w/.firebender/rules/a.mdc", "T", "firebender a project always"},
		{"/w/.firebender/rules/a.mdc", "---\nglobs: \"*.kt, *.kts\"\n---\nT", "firebender a project none *.kt|*.kts"},
		{"/w/.firebender/rules/a.mdc", "---\nalwaysApply: true\n---\nT", "firebender a project always"},
		{"/w/.firebender/rules/sub/a.mdc", "T", ""},
		{"/home/u/.firebender/rules/a.mdc", "T", "firebender a user always"},
		{"/w/.firebender/AGENTS.md", "T", "firebender .firebender/AGENTS project always"},
		{"/home/u/.firebender/AGENTS.md", "T", "firebender ~/.firebender/AGENTS user always"},
		{"/home/u/.config/devin/AGENTS.md", "T", "devin ~/devin/AGENTS user always"},
		{"/home/u/.config/devin/AGENT.md", "T", "devin ~/devin/AGENT user always"},
		{"/w/.qwen/rules/a.md", "---\npaths: [\"src/**\"]\n---\nT", "qwen a project none src/**"},
		{"/home/u/.qwen/rules/a.md", "T", "qwen a user always"},
		{"/home/u/.qwen/AGENTS.md", "T", "qwen ~/.qwen/AGENTS user always"},
		{"/w/.pertain/rules/sub/a.md", "---\nalwaysApply: true\n---\nT", "pertain sub/a project always"},
		{"/w/.agent/rules/b.md", "T", "agents b project always"},
		{"/w/.agents/AGENTS.md", "T", "agents .agents/AGENTS project always"},
		{"/w/.agent/AGENTS.md", "T", "agents .agent/AGENTS project always"},
		{"/home/u/.agents/AGENTS.md", "T", "agents ~/.agents/AGENTS user always"},
		{"/w/.claude/AGENTS.md", "T", "claude .claude/AGENTS project always"},
		{"/home/u/.claude/AGENTS.md", "T", "claude ~/.claude/AGENTS user always"},
		{"/w/.claude/rules/a.md", "---\npaths: \"**\"\n---\nT", "claude a project always **"},
		{"/w/AGENTS.local.md", "T", "agents-md AGENTS.local project always"},
		{"/home/u/.copilot/copilot-instructions.md", "T", "github ~/copilot-instructions user always"},
		{"/w/.gemini/GEMINI.md", "T", "gemini .gemini/GEMINI project always"},
		{"/w/.clinerules/a.xml", "T", "cline a.xml project always"},
		{"/w/.clinerules/workflows/a.md", "T", ""},
		{"/w/.clinerules/hooks/README.md", "T", ""},
		{"/w/.clinerules/skills/pdf/SKILL.md", "T", ""},
		{"/w/.cline/rules/a.md", "T", "cline a project always"},
		{"/home/u/.cline/rules/a.markdown", "T", "cline a user always"},
		{"/w/.roo/rules/a.xml", "T", "roo a.xml project always"},
		{"/w/.roo/rules/plain", "T", "roo plain project always"},
		{"/w/.roo/rules/x.log", "T", ""},
		{"/w/.roorules-code", "T", "roo roorules-code project none"},
		{"/w/.augment-guidelines", "T", "augment augment-guidelines project always"},
		{"/w/AmazonQ.md", "T", "amazonq AmazonQ project always"},
		{"/w/WARP.md", "T", "warp WARP project always"},
		{"/w/.trae/rules/project_rules.md", "T", "trae project_rules project always"},
		{"/w/.trae/rules/a.md", "---\nalwaysApply: false\nglobs: a.ts\n---\nT", "trae a project none a.ts"},
		{"/home/u/.trae/user_rules.md", "T", "trae ~/user_rules user always"},
		{"/w/.kilocode/rules/a.md", "T", "kilo a project always"},
		{"/w/.kilocode/rules-code/a.md", "T", "kilo code/a project none"},
		{"/w/.kilocoderules", "T", "kilo kilocoderules project always"},
		{"/w/.kilo/rules/a.md", "T", "kilo a project always"},
		{"/home/u/.kilo/rules/a.md", "T", "kilo a user always"},
		{"/w/.factory/AGENTS.md", "T", "factory .factory/AGENTS project always"},
		{"/home/u/.factory/AGENTS.md", "T", "factory ~/.factory/AGENTS user always"},
		{"/w/.omp/AGENTS.md", "T", "omp .omp/AGENTS project always"},
		{"/w/.omp/RULES.md", "T", "omp .omp/RULES project always"},
		{"/w/.omp/APPEND_SYSTEM.md", "T", "omp .omp/APPEND_SYSTEM project always"},
		{"/home/u/.omp/agent/RULES.md", "T", "omp ~/.omp/RULES user always"},
		{"/w/.pi/APPEND_SYSTEM.md", "T", "pi .pi/APPEND_SYSTEM project always"},
		{"/home/u/.pi/agent/AGENTS.md", "T", "pi ~/.pi/AGENTS user always"},
		{"/w/CONTEXT.md", "T", "opencode CONTEXT project always"},
		{"/home/u/.config/opencode/AGENTS.md", "T", "opencode ~/opencode/AGENTS user always"},
		{"/w/CRUSH.md", "T", "crush CRUSH project always"},
		{"/home/u/.config/crush/CRUSH.md", "T", "crush ~/crush/CRUSH user always"},
		{"/home/u/.config/amp/AGENTS.md", "T", "amp ~/amp/AGENTS user always"},
		{"/home/u/.config/zed/AGENTS.md", "T", "zed ~/zed/AGENTS user always"},
		{"/home/u/.junie/AGENTS.md", "T", "junie ~/.junie/AGENTS user always"},
		{"/w/.aiassistant/rules/a.md", "T", "aiassistant a project always"},
		{"/w/replit.md", "T", "replit replit project always"},
		{"/w/CONVENTIONS.md", "T", "aider CONVENTIONS project none"},
		{"/w/.idx/airules.md", "T", "firebase airules project always"},
		{"/w/.qoder/rules/a.md", "---\ntrigger: always_on\n---\nT", "qoder a project always"},
		{"/w/CODEBUDDY.md", "T", "codebuddy CODEBUDDY project always"},
		{"/w/.zencoder/rules/a.md", "---\ndescription: d\n---\nT", "zencoder a project rulebook"},
		{"/w/.grok/GROK.md", "T", "grok GROK project always"},
		{"/w/.tabnine/guidelines/a.md", "T", "tabnine a project always"},
		{"/w/.voidrules", "T", "void voidrules project always"},
	}
	bothFlavors(t, func(t *testing.T, flavor files.Flavor) {
		for _, test := range tests {
			w := newWorld(flavor, map[string]string{test.path: test.text, "/w/.git/HEAD": ""})
			var got []string
			set := w.load(t, w.roots("/w"))
			for _, r := range set.All() {
				line := strings.Join([]string{r.Provider, r.Name, string(r.Level), string(r.Bucket)}, " ")
				if len(r.Globs) > 0 {
					line += " " + strings.Join(r.Globs, "|")
				}
				got = append(got, line)
			}
			if strings.Join(got, "\n") != test.want {
				t.Errorf("%s with %q:\n got %q\nwant %q", test.path, test.text, got, test.want)
			}
			if len(set.Warnings()) > 0 {
				t.Errorf("%s: %v", test.path, codes(set.Warnings()))
			}
		}
	})
}

func TestCopilotFoldersOfTheEnvironment(t *testing.T) {
	w := newWorld(files.Unix, map[string]string{"/shared/team/a.instructions.md": "T"})
	roots := w.roots("/w")
	roots.Instructions = []string{"/shared/team", "/missing"}
	if r := only(t, w.load(t, roots)); r.Name != "a" || r.Level != rule.User {
		t.Errorf("%s %s", r.Name, r.Level)
	}
}

// TestOneFileTools: Zed and Junie read the first file of a list; what another
// tool has found already is not listed twice.
func TestOneFileTools(t *testing.T) {
	tests := []struct {
		files []string
		want  []string
	}{
		{[]string{".rules", "AGENTS.md"}, []string{"agents-md:AGENTS", "zed:.rules"}},
		{[]string{".cursorrules", "AGENT.md"}, []string{"cursor:cursorrules", "zed:AGENT"}},
		{[]string{"AGENT.md", "AGENTS.md"}, []string{"agents-md:AGENTS", "zed:AGENT"}},
		{[]string{".junie/AGENTS.md", ".junie/guidelines.md"}, []string{"junie:.junie/AGENTS"}},
		{[]string{"AGENTS.md", ".junie/guidelines.md"}, []string{"agents-md:AGENTS"}},
		{[]string{".roo/rules/a.md", ".roorules"}, []string{"roo:a"}},
	}
	for _, test := range tests {
		texts := map[string]string{}
		for _, path := range test.files {
			texts["/w/"+path] = "Text of " + path
		}
		w := newWorld(files.Unix, texts)
		if diff := cmp.Diff(test.want, names(w.load(t, w.roots("/w")).All())); diff != "" {
			t.Errorf("%v (-want +got):\n%s", test.files, diff)
		}
	}
}

func TestWrongKeys(t *testing.T) {
	tests := []struct{ path, frontmatter, code, hint string }{
		{"/w/.clinerules/a.md", "globs: src/**", "rule.wrong_key [2,1]", "the right key is `paths`"},
		{"/w/.cursor/rules/a.mdc", "paths: src/**", "rule.wrong_key [2,1]", "the right key is `globs`"},
		{"/w/.cursor/rules/a.mdc", "glob: src/**", "rule.wrong_key [2,1]", "the right key is `globs`"},
		{"/w/.cursor/rules/a.mdc", "trigger: always_on", "rule.wrong_key [2,1]", "the right key is `alwaysApply`"},
		{"/w/.windsurf/rules/a.md", "applyTo: \"**\"", "rule.wrong_key [2,1]", "the right key is `globs`"},
		{"/w/.claude/rules/a.md", "globs: src/**", "rule.wrong_key [2,1]", "the right key is `paths`"},
		{"/w/.claude/rules/a.md", "alwaysApply: true", "rule.wrong_key [2,1]", "the right key is `paths`"},
		{"/w/.kiro/steering/a.md", "globs: src/**", "rule.wrong_key [2,1]", "the right key is `fileMatchPattern`"},
		{"/w/.augment/rules/a.md", "alwaysApply: true", "rule.wrong_key [2,1]", "the right key is `type`"},
		{"/w/.github/instructions/a.instructions.md", "globs: src/**", "rule.wrong_key [2,1]", "the right key is `applyTo`"},
		{"/w/.cursor/rules/a.mdc", "desciption: d", "rule.unknown_field [2,1]", "did you mean `description`?"},
		{"/w/.cursor/rules/a.mdc", "AlwaysApply: true", "rule.unknown_field [2,1]", "did you mean `alwaysApply`?"},
		{"/w/.windsurf/rules/a.md", "trigger: always", "rule.invalid_field [2,10]", "did you mean `always_on`?"},
	}
	for _, test := range tests {
		w := newWorld(files.Unix, map[string]string{test.path: "---\n" + test.frontmatter + "\n---\nT"})
		list := w.load(t, w.roots("/w")).Warnings()
		if len(list) != 1 || codes(list)[0] != test.code || list[0].Hint != test.hint {
			t.Errorf("%s, %s: %v %+v", test.path, test.frontmatter, codes(list), list)
		}
	}
}

func TestNestedFoldersAndNames(t *testing.T) {
	texts := map[string]string{
		"/w/.git/HEAD":                        "",
		"/w/.gitignore":                       "build/\n*.tmp\n!keep.tmp\n",
		"/w/AGENTS.md":                        "root",
		"/w/packages/api/AGENTS.md":           "api",
		"/w/packages/api/.cursor/rules/a.mdc": "---\nglobs: \"*.ts\"\n---\nrule",
		"/w/packages/api/src/CLAUDE.md":       "deep",
		"/w/packages/web/AGENTS.md":           "web",
		"/w/build/AGENTS.md":                  "ignored",
		"/w/node_modules/x/AGENTS.md":         "ignored",
		"/w/packages/api/.gitignore":          "/gen\n",
		"/w/packages/api/gen/AGENTS.md":       "ignored",
	}
	bothFlavors(t, func(t *testing.T, flavor files.Flavor) {
		w := newWorld(flavor, texts)
		roots := w.roots("/w")
		roots.Folders, roots.Notes = discover.FoldersTo(w.tree, w.path("/w"), []string{w.path("/w/packages/api/src/x.ts"), w.path("/elsewhere/y.ts")})
		set := w.load(t, roots)
		want := []string{"cursor:packages/api/a", "claude:packages/api/src/CLAUDE", "agents-md:AGENTS", "agents-md:packages/api/AGENTS"}
		if diff := cmp.Diff(want, names(set.All())); diff != "" {
			t.Errorf("on the way to a file (-want +got):\n%s", diff)
		}

		nested, _, err := discover.NestedFolders(t.Context(), w.tree, w.path("/w"))
		if err != nil {
			t.Fatal(err)
		}
		roots.Folders = nested
		want = append(want, "agents-md:packages/web/AGENTS")
		if diff := cmp.Diff(want, names(w.load(t, roots).All())); diff != "" {
			t.Errorf("all (-want +got):\n%s", diff)
		}

		// From inside the package names are bare but where an outer one has the same.
		set = w.load(t, w.roots("/w/packages/api"))
		want = []string{"cursor:a", "agents-md:AGENTS", "agents-md:packages/api/AGENTS"}
		if diff := cmp.Diff(want, names(set.All())); diff != "" {
			t.Errorf("from inside (-want +got):\n%s", diff)
		}
	})
}

// TestSameNameDifferentText: the loser is named with both paths; the same text
// and links collapse without a word.
func TestSameNameDifferentText(t *testing.T) {
	w := newWorld(files.Unix, map[string]string{
		"/w/.git/HEAD":            "",
		"/w/.cursor/rules/a.mdc":  "---\ndescription: one\n---\nSame text.",
		"/w/.windsurf/rules/a.md": "---\ndescription: two\n---\nSame text.\n\n",
		"/w/.cursor/rules/b.mdc":  "---\ndescription: d\n---\nText of Cursor.",
		"/w/.windsurf/rules/b.md": "---\ndescription: d\n---\nText of Windsurf.",
		"/w/CLAUDE.md":            "Read me.",
	})
	w.tree.MakeLink("../.cursor/rules/b.mdc", "/w/.clinerules/b.md")
	w.tree.MakeLink("CLAUDE.md", "/w/AGENTS.md")
	set := w.load(t, w.roots("/w"))
	list := set.Warnings()
	if len(list) != 1 || codes(list)[0] != "rule.shadowed" {
		t.Fatalf("warnings = %v", codes(list))
	}
	for _, path := range []string{"/w/.windsurf/rules/b.md", "/w/.cursor/rules/b.mdc"} {
		if !strings.Contains(list[0].Message, path) {
			t.Errorf("%q does not name %s", list[0].Message, path)
		}
	}
	if len(list[0].Related) != 1 || list[0].File() != "/w/.windsurf/rules/b.md" {
		t.Errorf("%+v", list[0])
	}
	if got := strings.Count(set.Prompt(rule.PromptOptions{}), "Read me."); got != 1 {
		t.Errorf("the linked file is %d times in the prompt", got)
	}
}

// TestClineCLI: what Cline's command line does with fields that only its editor extension may look at is said.
func TestClineCLI(t *testing.T) {
	for fields, want := range map[string]bool{"paths: [\"src/**\"]": true, "paths: [\"lib/**\"]": true, "paths: []": true, "alwaysApply: false": true, "alwaysApply: true": false, "": false} {
		text := "---\n" + fields + "\n---\nText."
		if fields == "" {
			text = "Text."
		}
		w := newWorld(files.Unix, map[string]string{"/w/.git/HEAD": "", "/w/.clinerules/a.md": text})
		v := w.load(t, w.roots("/w")).For([]rule.File{{Path: "/w/src/a.ts"}}, true)[0][0]
		if got := strings.Contains(v.Note, "Cline CLI 3.0.65 loads this always"); got != want {
			t.Errorf("%q: %s, %q", fields, v.Why, v.Note)
		}
		for _, v := range w.view(t, "cline", w.roots("/w")).For([]rule.File{{Path: "/w/src/a.ts"}}, true)[0] {
			if !v.Applies || v.Note != "" {
				t.Errorf("%q, in its own view: %v", fields, v)
			}
		}
	}
}
