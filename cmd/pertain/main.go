// Command pertain decides which prompts and rules pertain to what is happening
// right now.
package main

import (
	"os"

	"github.com/pertain-dev/pertain/internal/cli"
)

func main() { os.Exit(cli.Run()) }
