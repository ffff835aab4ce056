package discover_test

import (
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/files"
)

// wide writes a text in UTF-16.
func wide(text string, mark, big bool) string {
	var b strings.Builder
	if mark {
		text = "\uFEFF" + text
	}
	for _, unit := range utf16.Encode([]rune(text)) {
		if big {
			unit = unit<<8 | unit>>8
		}
		b.Write([]byte{byte(unit), byte(unit >> 8)})
	}
	return b.String()
}

// reached loads a project that leads to a file of the home, once by a link and, as a
// trusted one, by an import; it tells how often the file was read.
func reached(t *testing.T, path, text string) (times int) {
	t.Helper()
	for _, imports := range []bool{false, true} {
		w := newWorld(files.Unix, map[string]string{"/w/.git/HEAD": "", "/w/.omp/rules/good.md": "x", path: text})
		roots := w.roots("/w")
		if imports {
			roots.Trusted = true
			w.tree.WriteFile("/w/CLAUDE.md", "Text.\n\n@"+path+"\n")
		} else {
			w.tree.MakeLink(path, "/w/AGENTS.md")
		}
		set := w.load(t, roots)
		read := false
		for _, r := range set.All() {
			read = read || r.Name != "good" && (!imports || len(r.Includes) > 0)
		}
		if read {
			times++
		} else if list := set.Warnings(); len(list) != 1 || list[0].Code != diag.RuleOutsideWorkspace {
			t.Errorf("%s, import %v: %v", path, imports, list)
		}
	}
	return times
}

// TestKeysAreNotRead: a private key in a text outside of the project keeps it from
// being read, in each form that tools write.
func TestKeysAreNotRead(t *testing.T) {
	const pem = "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\n"
	for name, text := range map[string]string{
		"PEM":                 pem,
		"OpenPGP":             "-----BEGIN PGP PRIVATE KEY BLOCK-----\n",
		"SSH2":                "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n",
		"PuTTY 2":             "PuTTY-User-Key-File-2: ssh-rsa\n",
		"PuTTY 3":             "PuTTY-User-Key-File-3: ssh-ed25519\n",
		"age":                 "# created\nAGE-SECRET-KEY-1QQQ\n",
		"age, small letters":  "age-secret-key-1qqq\n",
		"UTF-16":              wide(pem, true, false),
		"UTF-16, big":         wide(pem, true, true),
		"UTF-16 without mark": wide(pem, false, false),
		"big without mark":    wide(pem, false, true),
		"UTF-16, other text":  wide("Schlüssel 鍵\n"+pem, true, false),
	} {
		if n := reached(t, "/home/u/notes/mine.md", text); n != 0 {
			t.Errorf("%s: read %d times", name, n)
		}
	}
	for _, text := range []string{"Keep the private key in the vault.", wide("Use tabs.", true, false), "Use PuTTY and age."} {
		if n := reached(t, "/home/u/notes/mine.md", text); n != 2 {
			t.Errorf("%q: read %d times", text, n)
		}
	}
}

// TestSecretNames: so are files whose names are those of secrets.
func TestSecretNames(t *testing.T) {
	for _, name := range []string{
		"key.txt", "Keys.md", "age-key.txt", "ssh_keys.md", "server.pem.txt", "putty.ppk.txt", "vault.kdbx.md", "secrets.md", "credentials-old.txt",
		".netrc.txt", ".env.md", "id_rsa.txt", "github-token.txt",
	} {
		if n := reached(t, "/home/u/notes/"+name, "Text."); n != 0 {
			t.Errorf("%s: read %d times", name, n)
		}
	}
	for _, name := range []string{"keyboard.md", "key-bindings.md", "monkey.md", "AGENTS.md"} {
		if n := reached(t, "/home/u/notes/"+name, "Text."); n != 2 {
			t.Errorf("%s: read %d times", name, n)
		}
	}
}
