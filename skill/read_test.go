package skill_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/skill"
)

// guarded is a tree in which everything outside of the skill says SECRET.
func guarded(flavor files.Flavor) (*files.Memory, skill.Library) {
	tree, l := memory(flavor, map[string]string{
		"/home/.claude/skills/pdf/SKILL.md":           valid("pdf"),
		"/home/.claude/skills/pdf/references/x.md":    "X",
		"/home/.claude/skills/pdf/100%.txt":           "PERCENT",
		"/home/.claude/skills/pdf/a b#c?.md":          "ODD",
		"/home/.claude/skills/pdf2/SKILL.md":          "SECRET of a neighbour",
		"/home/.claude/skills/secret.md":              "SECRET",
		"/home/secret.md":                             "SECRET",
		"/secret.md":                                  "SECRET",
		"/work/.pertain/skills/own/SKILL.md":          valid("own"),
		"/home/.claude/skills/leak/SKILL.md":          valid("leak"),
		"/home/.claude/skills/pdf-evil/SKILL.md":      "SECRET",
		"/elsewhere/skill/SKILL.md":                   valid("linked"),
		"/elsewhere/skill/inside.md":                  "INSIDE",
		"/elsewhere/secret.md":                        "SECRET",
		"/home/.claude/skills/pdf/..hidden/..name.md": "DOTS",
	})
	tree.MakeLink("/secret.md", "/home/.claude/skills/pdf/link.md")
	tree.MakeLink("../../../secret.md", "/home/.claude/skills/pdf/relative.md")
	tree.MakeLink("/home", "/home/.claude/skills/pdf/up")
	tree.MakeLink("references/x.md", "/home/.claude/skills/pdf/within.md")
	tree.MakeLink("/home/.claude/skills/pdf-evil", "/home/.claude/skills/pdf/prefix")
	tree.MakeLink("/elsewhere/skill", "/home/.claude/skills/linked")
	tree.MakeLink("/elsewhere/skill", "/work/.pertain/skills/escape")
	tree.MakeLink("/secret.md", "/home/.claude/skills/mainlink/SKILL.md")
	tree.MakeSpecial("/home/.claude/skills/pdf/pipe")
	return tree, l
}

func TestRead(t *testing.T) {
	_, l := guarded(files.Unix)
	for address, want := range map[string]string{
		"skill://claude.pdf":                           valid("pdf"),
		"skill://claude.pdf/":                          valid("pdf"),
		"skill://claude.pdf/SKILL.md":                  valid("pdf"),
		"SKILL://CLAUDE.PDF/references/x.md":           "X",
		"skill://pdf/references/x.md":                  "X",
		"skill://pdf/references%2Fx.md":                "",
		"skill://pdf/100%25.txt":                       "PERCENT",
		"skill://pdf/a%20b%23c%3F.md":                  "ODD",
		"skill://pdf/a b#c?.md":                        "ODD",
		"skill://pdf/within.md":                        "X",
		"skill://pdf/..hidden/..name.md":               "DOTS",
		"skill://linked/inside.md":                     "INSIDE",
		"skill://pdf/references":                       "",
		"skill://pdf/nothing.md":                       "",
		"skill://pdf/pipe":                             "",
		"skill://pdf/100%.txt":                         "",
		"skill://":                                     "",
		"skill:///etc/passwd":                          "",
		"rule://pdf":                                   "",
		"skill://pdf/../secret.md":                     "",
		"skill://pdf/../../../secret.md":               "",
		"skill://pdf/references/../../secret.md":       "",
		"skill://pdf/%2e%2e/secret.md":                 "",
		"skill://pdf/%2E%2E%2fsecret.md":               "",
		"skill://pdf/..%5c..%5csecret.md":              "",
		`skill://pdf/..\..\secret.md`:                  "",
		"skill://pdf/%252e%252e/secret.md":             "",
		"skill://pdf//secret.md":                       "",
		"skill://pdf/./references/x.md":                "",
		"skill://pdf/%2fsecret.md":                     "",
		"skill://pdf/references/x.md%00.png":           "",
		"skill://..":                                   "",
		"skill://../claude.pdf":                        "",
		"skill://%2e%2e/secret.md":                     "",
		"skill://claude.pdf%2f..%2fsecret.md":          "",
		"skill://claude.pdf%2freferences":              "",
		"skill://claude..":                             "",
		"skill://pdf/link.md":                          "",
		"skill://pdf/relative.md":                      "",
		"skill://pdf/up/secret.md":                     "",
		"skill://pdf/prefix/SKILL.md":                  "",
		"skill://pdf/up/.claude/skills/pdf/SKILL.md/x": "",
		"skill://linked/../secret.md":                  "",
		"skill://mainlink":                             "",
		"skill://workspace.escape":                     "",
		"skill://workspace.escape/inside.md":           "",
	} {
		got, err := l.Read(t.Context(), address)
		if (err == nil) != (want != "") || string(got.Data) != want {
			t.Errorf("%s: want %q, got %q, %v", address, want, got.Data, err)
		}
		if err != nil && (strings.Contains(err.Error(), "SECRET") || strings.Contains(err.Error(), "\n")) {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestReadOnWindows(t *testing.T) {
	tree, l := memory(files.Windows, map[string]string{
		`C:\skills\pdf\SKILL.md`:        valid("pdf"),
		`C:\skills\pdf\references\x.md`: "X",
		`C:\skills\secret.md`:           "SECRET",
		`C:\secret.md`:                  "SECRET",
	})
	l.Roots = []skill.Root{{Source: "claude", Dir: `C:\skills`}}
	tree.MakeLink(`C:\secret.md`, `C:\skills\pdf\link.md`)
	for address, want := range map[string]string{
		"skill://pdf/references/x.md":    "X",
		"skill://pdf/REFERENCES/X.MD":    "X", // the same file there
		`skill://pdf/references\x.md`:    "",
		`skill://pdf/..\secret.md`:       "",
		"skill://pdf/..%5Csecret.md":     "",
		"skill://pdf/C:%5Csecret.md":     "",
		"skill://pdf/C:/secret.md":       "",
		"skill://pdf/SKILL.md::$DATA":    "",
		"skill://pdf/SKILL.md.":          "",
		"skill://pdf/... /secret.md":     "",
		"skill://pdf/.. /secret.md":      "",
		"skill://pdf/LINK.md":            "",
		"skill://pdf/%2e%2e%20/x":        "",
		"skill://pdf/%5C%5Chost%5Cshare": "",
	} {
		got, err := l.Read(t.Context(), address)
		if (err == nil) != (want != "") || string(got.Data) != want {
			t.Errorf("%s: want %q, got %q, %v", address, want, got.Data, err)
		}
	}
}

func TestMainFileThatIsALinkIsListedButNotRead(t *testing.T) {
	_, l := guarded(files.Unix)
	s, err := load(t, l).Find("mainlink")
	if err != nil || s.Valid || strings.Contains(s.Body, "SECRET") || !strings.Contains(s.Diagnostics[0].Message, "leads out of the skill's folder") {
		t.Errorf("%+v, %v", s, err)
	}
	if s, _ := load(t, l).Find("workspace.escape"); s.Valid || s.Body != "" {
		t.Errorf("%+v", s)
	}
}

func FuzzAddress(f *testing.F) {
	for _, seed := range []string{"skill://pdf/../secret.md", "skill://pdf/%2e%2e/secret.md", "skill://pdf/up/secret.md", "skill://pdf/references/x.md"} {
		f.Add(seed)
	}
	_, l := guarded(files.Unix)
	f.Fuzz(func(t *testing.T, address string) {
		got, err := l.Read(t.Context(), address)
		if err == nil && strings.Contains(string(got.Data), "SECRET") && !strings.Contains(strings.ToLower(got.Location.ID), "pdf2") && !strings.Contains(got.Location.ID, "evil") {
			t.Errorf("%q reads %q", address, got.Data)
		}
		name, path, err := skill.ParseAddress(address)
		if err != nil {
			return
		}
		again, path2, err := skill.ParseAddress(skill.Address(name, path...))
		if err != nil || again != name || len(path2) != len(path) {
			t.Errorf("%q: %q %q, then %q %q, %v", address, name, path, again, path2, err)
		}
	})
}

func TestAddressErrorsAreReadErrors(t *testing.T) {
	_, l := guarded(files.Unix)
	_, err := l.Read(t.Context(), "skill://pdf/../x")
	var read *skill.ReadError
	if !errors.As(err, &read) || !read.Outside {
		t.Errorf("%v", err)
	}
}

// TestReadOthers: what somebody else has put into a folder of the workspace that others may write is no skill of its.
func TestReadOthers(t *testing.T) {
	for _, tt := range []struct {
		shared, foreign, address string
		ok                       bool
	}{
		{"/work/.pertain", "/work/.pertain/skills/k/SKILL.md", "skill://workspace.k", false},
		{"/work/.pertain/skills", "/work/.pertain/skills/k", "skill://workspace.k/more.md", false},
		{"/work/.pertain/skills/k", "/work/.pertain/skills/k/more.md", "skill://workspace.k/more.md", false},
		{"/work/.pertain/skills/k", "/work/.pertain/skills/k/more.md", "skill://workspace.k", true},
		{"/work/other", "/work/.pertain/skills/k/SKILL.md", "skill://workspace.k", true},
		{"/home/.config", "/home/.config/more.md", "skill://workspace.k", true},
	} {
		tree, library := memory(files.Unix, map[string]string{
			"/work/.pertain/skills/k/SKILL.md": "---\nname: k\ndescription: d\n---\nText.\n", "/work/.pertain/skills/k/more.md": "More.", "/work/other/x": "", "/home/.config/more.md": "",
		})
		tree.Share(tt.shared)
		tree.GiveAway(tt.foreign)
		found, err := library.Read(t.Context(), tt.address)
		var refused *skill.ReadError
		if (err == nil) != tt.ok || err != nil && (!errors.As(err, &refused) || !refused.Outside || !strings.Contains(refused.Reason, "belongs to another user")) {
			t.Errorf("%+v: %q %v", tt, found.Data, err)
		}
	}
}

// TestLinksMakeNoSecretPartOfASkill: a link can make the whole workspace a skill, and what the user has there is none of its files.
func TestLinksMakeNoSecretPartOfASkill(t *testing.T) {
	const token = "hvs.CAESIJ0123456789abcdefghijklmnop"
	tree, l := memory(files.Unix, map[string]string{
		"/work/SKILL.md": valid("all"), "/work/.git/config": "SECRET", "/work/.bare/config": "SECRET", "/work/.bare/HEAD": "SECRET", "/work/.env": "SECRET", "/work/deploy_key": "SECRET", "/work/todo.md": "SECRET " + token,
		"/work/docs/secrets.md": "about", "/work/.env.example": "about",
		"/work/.pertain/skills/own/SKILL.md": valid("own"), "/work/.pertain/skills/own/token.sh": token, "/work/.pertain/skills/own/.env": "SECRET",
		"/work/.agents/skills/moved/SKILL.md": valid("moved"), "/work/.agents/skills/moved/token.sh": token, "/work/.agents/skills/moved/.env": "SECRET",
		"/work/.pertain/skills/main/.env": "SECRET",
	})
	tree.MakeFolder("/work/.bare/objects")
	tree.MakeFolder("/work/.bare/refs")
	tree.MakeLink("../..", "/work/.pertain/skills/all")
	tree.MakeLink("../../.agents/skills/moved", "/work/.pertain/skills/moved")
	tree.MakeLink(".env", "/work/.pertain/skills/own/notes.md")
	tree.MakeLink(".env", "/work/.agents/skills/moved/notes.md")
	tree.MakeLink(".env", "/work/.pertain/skills/main/SKILL.md")
	for address, want := range map[string]string{
		"skill://workspace.all":                 valid("all"),
		"skill://workspace.all/docs/secrets.md": "about",
		"skill://workspace.all/.env.example":    "about",
		"skill://workspace.all/.git/config":     "",
		"skill://workspace.all/.bare/config":    "",
		"skill://workspace.all/.env":            "",
		"skill://workspace.all/deploy_key":      "",
		"skill://workspace.all/todo.md":         "",
		"skill://workspace.own/token.sh":        token,
		"skill://workspace.own/notes.md":        "",
		"skill://workspace.moved":               valid("moved"),
		"skill://workspace.moved/token.sh":      token,
		"skill://workspace.moved/notes.md":      "",
		"skill://workspace.main":                "",
	} {
		found, err := l.Read(t.Context(), address)
		var refused *skill.ReadError
		if string(found.Data) != want || (err == nil) != (want != "") || err != nil && (!errors.As(err, &refused) || !refused.Outside) {
			t.Errorf("%s: %q, %v", address, found.Data, err)
		}
	}
}

// TestSecretsInASkillAreNotRead: whoever keeps a skill works in its folder: the clone's .git/config, an .env and keys are none of its
// files, whoever's skill it is and however they are reached. Folders above its own say nothing.
func TestSecretsInASkillAreNotRead(t *testing.T) {
	for _, dir := range []string{"/home/.claude/skills/foo", "/work/.pertain/skills/foo", "/secrets/.ssh/foo"} {
		secrets := []string{
			".env", ".git/config", ".git/HEAD", ".gitconfig", "id_rsa", ".ssh/known", "inner/.git/config", "vendor.git/config", ".bare/config", "config/server.pem", "scripts/api_keys.sh", "scripts/.npmrc", "notes.md/.env", "sure.md",
		}
		others := []string{
			"SKILL.md", ".env.example", ".gitignore", "docs/secrets.md", "scripts/token.py", "scripts/token.sh", "scripts/password.ts", "inner/README.md", ".bare.md", "known.md",
		}
		content := map[string]string{dir + "/config.py": "x", dir + "/scripts/secrets.py": "WIFI = 'swordfish'\n"}
		for _, name := range secrets {
			content[dir+"/"+name] = "TOP"
		}
		for _, name := range others {
			content[dir+"/"+name] = valid("foo")
		}
		content[dir+"/.bare/HEAD"] = "TOP"
		delete(content, dir+"/sure.md")
		delete(content, dir+"/known.md")
		tree, l := memory(files.Unix, content)
		tree.MakeFolder(dir + "/.bare/objects")
		tree.MakeFolder(dir + "/.bare/refs")
		tree.MakeLink(".git/config", dir+"/sure.md")
		tree.MakeLink("SKILL.md", dir+"/known.md")
		id := "claude.foo"
		switch dir {
		case "/work/.pertain/skills/foo":
			id = "workspace.foo"
		case "/secrets/.ssh/foo":
			tree.MakeLink(dir, "/home/.claude/skills/foo")
		}
		for _, name := range append(secrets, "scripts/secrets.py") {
			found, err := l.Read(t.Context(), "skill://"+id+"/"+name)
			var refused *skill.ReadError
			if err == nil || len(found.Data) > 0 || !errors.As(err, &refused) || !refused.Outside || !strings.Contains(refused.Reason, "looks like a secret") {
				t.Errorf("%s: %s: %q, %v", id, name, found.Data, err)
			}
		}
		for _, name := range others {
			if found, err := l.Read(t.Context(), "skill://"+id+"/"+name); err != nil || string(found.Data) != valid("foo") {
				t.Errorf("%s: %s: %v", id, name, err)
			}
		}
		location, _, err := l.Find(t.Context(), id, nil)
		if err != nil {
			t.Fatal(err)
		}
		for path, want := range map[string]string{
			"":        ".bare.md .env.example .gitignore SKILL.md config.py known.md; config docs inner notes.md scripts",
			"scripts": "password.ts secrets.py token.py token.sh; ",
			"inner":   "README.md; ",
			".git":    "; ",
			".ssh":    "; ",
			".bare":   "; ",
		} {
			list, folders := l.Names(location, strings.FieldsFunc(path, func(r rune) bool { return r == '/' })...)
			if got := strings.Join(list, " ") + "; " + strings.Join(folders, " "); got != want {
				t.Errorf("%s: %q lists %q", id, path, got)
			}
		}
	}
}
