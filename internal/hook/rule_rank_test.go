package hook_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestOwnRulesComeFirst: however many rules a stranger's repository has, the user's own are told, at every moment.
func TestOwnRulesComeFirst(t *testing.T) {
	w := newWorld(t)
	w.file("~/.omp/agent/rules/mine.md", "---\nttsr_trigger: SECRETWORD\nscope: 'tool:write(*.ts)'\n---\nNever say it.\n")
	w.file("~/.omp/agent/rules/minealways.md", "---\nalwaysApply: true\n---\nMy kindness.\n")
	w.file("~/.omp/agent/rules/mineglob.md", "---\nglobs: '**/*.ts'\n---\nMy strict types.\n")
	w.file("~/.omp/agent/rules/minelisted.md", "---\ndescription: My way of tests\n---\nMy tables.\n")
	for i := range 400 {
		w.file(fmt.Sprintf(".pertain/rules/a%d.md", i), fmt.Sprintf("---\nalwaysApply: true\n---\nAlways %d, and some more words of it.\n", i))
		w.file(fmt.Sprintf(".pertain/rules/b%d.md", i), fmt.Sprintf("---\nglobs: '**/*.ts'\n---\nFile %d, and some more words of it.\n", i))
		w.file(fmt.Sprintf(".pertain/rules/c%d.md", i), fmt.Sprintf("---\nttsr_trigger: SECRETWORD\n---\nWatched %d, and some more words.\n", i))
	}
	has(t, w.begin("startup"), "My kindness.", "My way of tests", "must comply with `minealways`", "did not fit")
	for range 2 { // read, then kept
		has(t, w.read("a.ts"), "My strict types.", "must comply with `mineglob`", "did not fit")
		w.begin("startup")
		has(t, w.write("a.ts", "SECRETWORD"), `"deny"`, "Never say it.", "rule `mine`", "must comply with `mine`")
	}
	// A text of the user's own that is too long to be told is the first that is named.
	w.file("~/.omp/agent/rules/minelong.md", "---\nalwaysApply: true\n---\n"+strings.Repeat("My long text. ", 2500)+"\n")
	has(t, w.begin("startup"), "My kindness.", "concerns the work:\\n- rule://minelong")
}

// TestOwnRemindersStay: where reminders wait for a later answer, those of the user's own rules outlast a stranger's.
func TestOwnRemindersStay(t *testing.T) {
	w := newWorld(t)
	w.file("~/.omp/agent/rules/mine.md", "---\nttsr_trigger: SECRETWORD\ninterruptMode: never\n---\nNever say it.\n")
	for i := range 50 {
		w.file(fmt.Sprintf(".pertain/rules/c%d.md", i), fmt.Sprintf("---\nttsr_trigger: OTHER\ninterruptMode: never\n---\nWatched %d.\n", i))
	}
	w.begin("startup")
	w.claude("Stop", fields{"last_assistant_message": "SECRETWORD"})
	w.claude("Stop", fields{"last_assistant_message": "OTHER"})
	has(t, w.claude("UserPromptSubmit", fields{"prompt": "go on"}), "Never say it.", "Watched")
}
