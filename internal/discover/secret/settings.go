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
	".curlrc", ".wgetrc", ".viminfo", ".pass", // what was typed, and passwords for servers
}

// settingsFolders are folders, hidden or not, in which whatever is no text about them is a secret.
var settingsFolders = []string{"secret", "secrets", "credential", "credentials", "creds", "passwords"}

// programFolders are those below `.config`, and programHomes those of their own, in which programs keep the token of their user.
var (
	programFolders = []string{"gh", "hub", "glab-cli", "op", "stripe", "rclone", "doctl", "hcloud"}
	programHomes   = []string{".oci", ".fly", ".dbt", ".npm", ".openai"}
)

// isInSettingsFolder tells of the folders of a path, in small letters, whether what is in the last is a secret, but for text and programs.
func isInSettingsFolder(folders []string) bool {
	for i, folder := range folders {
		if slices.Contains(settingsFolders, strings.TrimPrefix(folder, ".")) || slices.Contains(programHomes, folder) ||
			i > 0 && folders[i-1] == ".config" && slices.Contains(programFolders, folder) {
			return true
		}
	}
	return false
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
		slices.Contains(settingsNames, base) || isInSettingsFolder(folders) && !isProgram(base) ||
		base == ".dev.vars" || strings.HasPrefix(base, ".dev.vars.") || // Wrangler, also .dev.vars.staging
		strings.HasPrefix(base, ".vault_pass") || strings.HasPrefix(base, ".vault-pass") || // Ansible
		strings.HasPrefix(base, "wg") && strings.HasSuffix(base, ".conf") || // WireGuard
		strings.HasPrefix(base, "appsettings.") && strings.HasSuffix(base, ".json") && base != "appsettings.json" || // ASP.NET, of one environment
		slices.Contains(wordsOf(base), "creds") && !endsWith(base, programs...) ||
		slices.Contains(folders, ".envs") || base == "config" && slices.Contains(folders, ".bundle") ||
		strings.HasPrefix(base, "settings") && strings.HasSuffix(base, ".xml") && slices.Contains(folders, ".m2") // Maven
}
