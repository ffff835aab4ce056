package secret_test

import (
	"testing"

	"github.com/pertain-dev/pertain/internal/discover/secret"
	"github.com/pertain-dev/pertain/internal/files"
)

// TestGround: in a workspace names say what a file is about, unless it is one that people keep secrets in.
func TestGround(t *testing.T) {
	g := secret.Ground{Tree: files.NewMemory(files.Unix), Folder: "/home/me/.config/secrets/w", Home: "/home/me"}
	for rel, want := range map[string]bool{
		".git/config": true, ".GIT/config": true, "a/.git/x.md": true, ".git": true, "bare.git/config": true, ".hg/hgrc": true, ".gitignore": false, ".github/x.md": false,
		".env": true, ".env.local": true, ".envrc": true, "env": true, "env.txt": true, ".env.example": false, ".env.sample.yml": false, "example.env": false, "src/env.ts": false, ".env.ts": true,
		".netrc": true, ".npmrc": true, ".yarnrc.yml": true, ".pypirc": true, ".gitconfig": true, "docs/npmrc.md": false, "docs/.npmrc.md": false,
		".ssh/config": true, ".aws/x.md": true, ".docker/config.json": true, "docs/gcloud/x.txt": false, ".config/gcloud/x": true, "chromium/AGENTS.md": false,
		"id_rsa": true, "k/server.pem": true, "deploy_key": true, "a.tfvars": true, "terraform.tfstate.backup": true, ".claude/settings.local.json": true, ".claude/settings.json": false,
		"secrets.md": false, "passwords.mdc": false, "HISTORY.rst": false, "token.txt": true, "tokens.json": true, "credentials.example.json": false,
		"src/tokenizer.go": false, "PasswordInput.tsx": false, "db/seeds.rb": false, "secrets.py": false, "arduino_secrets.h": false, "src/password.css": false, "secrets.sh": true, ".github/secret_scanning.yml": false, "secret_scanning.yaml": true, "secrets.yml": true, "_.go": false, ".go": false,
		".dev.vars": true, ".dev.vars.staging": true, ".dev.vars.example": false, ".envs/.production": true, ".envs/.local/.django": true, ".envs/README.md": false, ".vault_pass": true, ".vault_pass.txt": true,
		"local.settings.json": true, "settings.json": false, ".sentryclirc": true, ".Renviron": true, ".clasprc.json": true, ".msmtprc": true, ".fetchmailrc": true, "docs/msmtprc.md": false,
		"sftp-config.json": true, ".vscode/sftp-config.json": true, ".ftpconfig": true, ".remote-sync.json": true, "vpn/wg0.conf": true, "wg-home.conf": true, "nginx.conf": false, "wg.md": false,
		".m2/settings.xml": true, ".m2/settings-security.xml": true, "settings.xml": false, ".m2/README.md": false, "gradle.properties": true, "android/gradle.properties": true, "gradle/wrapper/gradle-wrapper.properties": false,
		".idea/dataSources.local.xml": true, ".idea/dataSources.xml": false, ".mcp.json": true, ".cursor/mcp.json": true, "mcp.schema.json": false, "docs/mcp.md": false, "src/mcp.ts": false,
		".claude.json": true, "claude.json": false, ".gemini/oauth_creds.json": true, "creds.yaml": true, "creds.go": false, "hgrc": true, "local.properties": true, "NuGet.Config": true,
		"config/database.yml": true, "docs/database.md": false, "ansible/vault.yml": true, "vault.txt": true, "src/vault.ts": false, "wireguard.conf": true, ".bundle/config": true, "bundle/config": false,
		"appsettings.Development.json": true, "appsettings.json": false,
		"README.md": false, "package.json": false, ".cursorrules": false, ".cursor/rules/x": false,
	} {
		if got := g.Looks(g.Folder + "/" + rel); got != want {
			t.Errorf("%s: %v", rel, got)
		}
	}
	for rel, want := range map[string]bool{
		"secrets/db.yml": true, ".secrets/prod.json": true, "config/credentials/db.json": true, ".dbt/profiles.yml": true, ".curlrc": true, ".config/gh/hosts.yml": true, ".config/op/config": true,
		"secrets/README.md": false, "src/secrets/store.go": false, "secrets/db.example.yml": false, ".config/nextest.toml": false, "gh/hosts.yml": false, "docs/secrets/rotation.rst": false, "secretary/a.yml": false,
	} {
		if got := g.Looks(g.Folder + "/" + rel); got != want {
			t.Errorf("%s, by its folder: %v", rel, got)
		}
	}
	skill := g
	skill.Skill = true
	for rel, want := range map[string]bool{
		"scripts/token.sh": false, "scripts/rotate-secrets-now.ps1": false, "secrets.sh": true, "scripts/api_keys.sh": true, "config/credentials.bat": true, ".env.sh": true, ".ssh/x.sh": true, ".git/hooks/x.sh": true,
		".env": true, "id_rsa": true, "scripts/token.py": false, "tokens.json": true, "SKILL.md": false,
		"tokenizer.json": false, "data/design-tokens.json": false, "price-history.csv": false, "seed-data.sql.gz": false, "private_key.pem": true, "token.json": true, "cookies.txt": true,
		"api-token.key": true, ".bash_history": true, "token_secret.json": true, "history": true,
	} {
		if got := skill.Looks(g.Folder + "/" + rel); got != want {
			t.Errorf("%s, in a skill: %v", rel, got)
		}
	}
	const token = "github.com:\n  oauth_token: gho_16C7e42F292c6912E7710c838347Ae178B4a\n"
	for rel, want := range map[string]bool{
		"hosts.yml": true, "data/hosts.txt": true, "references/hosts.md": false, "scripts/hosts.sh": false, "scripts/hosts.py": false, "hosts.example.yml": false,
	} {
		if got := skill.Lists(g.Folder+"/"+rel, []byte(token)); got != want {
			t.Errorf("%s with a token, in a skill: %v", rel, got)
		}
		if g.Lists(g.Folder+"/"+rel, []byte(token)) {
			t.Errorf("%s with a token is a list", rel)
		}
	}
	for _, other := range []secret.Ground{{Tree: files.NewMemory(files.Unix)}, {Tree: files.NewMemory(files.Unix), Folder: "/home/me", Home: "/home/me"}, {Tree: files.NewMemory(files.Unix), Folder: "/", Home: "/home/me"}, {Tree: files.NewMemory(files.Unix), Folder: "/w"}} {
		for path, want := range map[string]bool{"/home/me/secrets.md": true, "/home/me/.config/gh/hosts.yml": true, "/home/me/AGENTS.md": false, "/home/me/.npmrc": true, "/home/me/.msmtprc": true, "/home/me/npmrc.md": false} {
			if got := other.Looks(path); got != want {
				t.Errorf("%+v: %s: %v", other, path, got)
			}
		}
		if !other.InFolder("/home/me/.ssh/x") || other.InFolder("/home/me/x") {
			t.Errorf("%+v: folders", other)
		}
	}
}
