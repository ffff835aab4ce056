package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

var licenseName = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice)(\.(txt|md))?$`)

// licenses returns the license texts of everything that is linked into the binary of one system, the Go
// runtime first: their authors ask that the text goes with the binary.
func (r *release) licenses(ctx context.Context, goos, goarch string) ([]byte, error) {
	env := buildEnv(goos, goarch)
	goroot, err := r.output(ctx, env, "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	const form = "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}"
	list, err := r.output(ctx, env, "go", "list", "-deps", "-f", form, command)
	if err != nil {
		return nil, err
	}
	modules := strings.Split(strings.TrimSpace(string(list)), "\n")
	slices.Sort(modules)
	modules = slices.Compact(modules)

	var b bytes.Buffer
	if err := appendLicenses(&b, "The Go programming language", strings.TrimSpace(string(goroot))); err != nil {
		return nil, err
	}
	for _, line := range modules {
		fields := strings.Split(line, "\t")
		if len(fields) != 3 { // the blank line of a program without dependencies
			continue
		}
		if err := appendLicenses(&b, fields[0]+" "+fields[1], fields[2]); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

// appendLicenses fails where it finds none: such a dependency must not be shipped.
func appendLicenses(b *bytes.Buffer, title, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	found := false
	for _, e := range entries {
		if !licenseName.MatchString(e.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		found = true
		fmt.Fprintf(b, "%s: %s\n\n%s\n\n", title, e.Name(), bytes.TrimSpace(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))))
	}
	if !found {
		return fmt.Errorf("%s has no license file in %s", title, dir)
	}
	return nil
}
