//go:build !unix

package cli

func surviveFileLimit() {}
