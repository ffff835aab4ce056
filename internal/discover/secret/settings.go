package secret

import (
	"slices"
	"strings"
)

// settings are in the names of files in which programs keep keys and tokens among other things.
var settings = []string{
	"gitconfig", "npmrc", "yarnrc", "pypirc", "terraformrc", "terraform.rc", "tfstate", "tfvars", "my.cnf", "mylogin.cnf", "pip.conf", "dockercfg", "dockerconfig",
	"kubeconfig", "s3cfg", ".boto", "rclone.conf", "keystore", ".p8", "agekey", "service-account", "service_account", "serviceaccount", "adminsdk",
	"auth.json", "settings.local.json", "wp-config.php", "local_settings.py",
}

// blanks are parts of the names of files that show what such a file looks like, to be filled in.
var blanks = []string{"example", "examples", "sample", "template", "tmpl", "tpl", "dist", "schema", "defaults"}

// isBlank tells of the last name of a path, in small letters, whether such a file is to be filled in.
func isBlank(base string) bool {
	return slices.ContainsFunc(strings.Split(base, "."), func(part string) bool { return slices.Contains(blanks, part) })
}

// isSettings tells of a path, with slashes and in small letters, whether a program keeps keys and tokens in that file.
func isSettings(path string) bool {
	base := path[strings.LastIndexByte(path, '/')+1:]
	return !isProse(base) && !isBlank(base) && slices.ContainsFunc(settings, func(name string) bool { return strings.Contains(base, name) })
}
