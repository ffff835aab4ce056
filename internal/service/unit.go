package service

import (
	"errors"
	"strings"
	"unicode"
)

// UnitName is what systemd calls the service.
const UnitName = "pertain.service"

// unitMark is the first line of a unit that is ours.
const unitMark = "# Written by `pertain service install`; `pertain service remove` removes it.\n"

// errName is for a program that a unit cannot name.
var errName = errors.New("the path of the program has characters that a unit file cannot hold")

// Unit is the file by which systemd starts the program for a user. It is not shut off
// from the user's files: questions are about these. What is read of the desktop is
// never written to the disk, by a core dump or by swapping.
func Unit(program string) (string, error) {
	if strings.ContainsFunc(program, unicode.IsControl) || !strings.HasPrefix(program, "/") {
		return "", errName
	}
	quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`, `%`, `%%`, `$`, `$$`).Replace(program)
	return unitMark + `[Unit]
Description=Pertain: keeps the desktop and the strategies at hand

[Service]
ExecStart="` + quoted + `" service run
Restart=on-failure
RestartSec=1
NoNewPrivileges=yes
LimitCORE=0
MemorySwapMax=0

[Install]
WantedBy=default.target
`, nil
}

// IsOwnUnit tells whether a unit was written by this program.
func IsOwnUnit(text string) bool { return strings.HasPrefix(text, unitMark) }
