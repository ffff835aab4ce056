package secret

import (
	"slices"
	"strings"
)

// settings are in the names of files in which programs keep keys and tokens among other things.
var settings = []string{
	"gitconfig", "npmrc", "yarnrc", "pypirc", "terraformrc", "terraform.rc", "tfstate", "tfvars", "my.cnf", "mylogin.cnf", "pip.conf", "dockercfg", "dockerconfig",
	"kubeconfig", "s3cfg", ".boto", "rclone.conf", "keystore", ".p8", "agekey", "service-account", "service_account", "serviceaccount", "adminsdk",
	"auth.json", "settings.local.json", "wp-config.php", "local_settings.py", "hgrc", "wireguard",
}

// settingsNames are whole names of such files: parts of them are in the names of others.
var settingsNames = []string{
	"local.settings.json",                        // Azure Functions
	".sentryclirc", ".renviron", ".clasprc.json", // Sentry, R, Apps Script
	".msmtprc", ".fetchmailrc", // mail
	"sftp-config.json", ".ftpconfig", ".remote-sync.json", // what editors upload with
	"gradle.properties", "datasources.local.xml", // Gradle, and the data sources of JetBrains' editors
	"mcp.json", ".mcp.json", ".claude.json", // servers of agents, with the keys in `env` and `headers`
	"local.properties", "nuget.config", "database.yml", "database.yaml", // Android, .NET, Rails
	"vault.yml", "vault.yaml", "vault.txt", // Ansible
}

// blanks are parts of the names of files that show what such a file looks like, to be filled in.
var blanks = []string{"example", "examples", "sample", "template", "tmpl", "tpl", "dist", "schema", "defaults"}

// isBlank tells of the last name of a path, in small letters, whether such a file is to be filled in.
func isBlank(base string) bool {
	return slices.ContainsFunc(strings.Split(base, "."), func(part string) bool { return slices.Contains(blanks, part) })
}

// isSettings tells of a path, with slashes and in small letters, whether a program keeps keys and tokens in that file.
func isSettings(path string) bool {
	segments := strings.Split(path, "/")
	folders, base := segments[:len(segments)-1], segments[len(segments)-1]
	if isProse(base) || isBlank(base) {
		return false
	}
	return slices.ContainsFunc(settings, func(name string) bool { return strings.Contains(base, name) }) ||
		slices.Contains(settingsNames, base) ||
		base == ".dev.vars" || strings.HasPrefix(base, ".dev.vars.") || // Wrangler, also .dev.vars.staging
		strings.HasPrefix(base, ".vault_pass") || strings.HasPrefix(base, ".vault-pass") || // Ansible
		strings.HasPrefix(base, "wg") && strings.HasSuffix(base, ".conf") || // WireGuard
		strings.HasPrefix(base, "appsettings.") && strings.HasSuffix(base, ".json") && base != "appsettings.json" || // ASP.NET, of one environment
		slices.Contains(wordsOf(base), "creds") && !endsWith(base, programs...) ||
		slices.Contains(folders, ".envs") || base == "config" && slices.Contains(folders, ".bundle") ||
		strings.HasPrefix(base, "settings") && strings.HasSuffix(base, ".xml") && slices.Contains(folders, ".m2") // Maven
}
