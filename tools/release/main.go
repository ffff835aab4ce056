// Release builds Pertain for every supported system and packs each binary with its documents. Start it
// through scripts/release. The same commit, version and Go release give the same bytes.
package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// allTargets are the systems that a release is built for.
var allTargets = []string{"linux/amd64", "linux/arm64", "windows/amd64", "darwin/arm64"}

const (
	command         = "./cmd/pertain"
	versionVariable = "github.com/pertain-dev/pertain/internal/cli.version"
	dateVariable    = "github.com/pertain-dev/pertain/internal/cli.released"
)

// release is one call of this program.
type release struct {
	root    string // the main module
	work    string // a folder for intermediate files, emptied by the caller
	out     string
	version string // without a leading v
	targets []string
	changed time.Time // what archives tell of each file
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		stop()
		fmt.Fprintf(os.Stderr, "release: %v\n", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	var r release
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	flags.StringVar(&r.root, "root", ".", "the folder of the main module")
	flags.StringVar(&r.work, "work", os.TempDir(), "a folder for intermediate files")
	flags.StringVar(&r.out, "out", "", "where the archives go; dist in the main module unless given")
	flags.Func("target", "build for this OS/ARCH alone (repeatable)", func(text string) error {
		if !slices.Contains(allTargets, text) {
			return fmt.Errorf("want one of %s", strings.Join(allTargets, ", "))
		}
		r.targets = append(r.targets, text)
		return nil
	})
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return errors.New("want one argument, the version: scripts/release 1.2.3")
	}
	var err error
	if r.version, err = parseVersion(flags.Arg(0)); err != nil {
		return err
	}
	if r.changed, err = r.sourceTime(ctx); err != nil {
		return err
	}
	if r.targets == nil {
		r.targets = allTargets
	}
	if r.out == "" {
		r.out = filepath.Join(r.root, "dist")
	}
	return r.build(ctx)
}

var versionForm = regexp.MustCompile(`^v?((?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}(?:-[0-9A-Za-z]+(?:[.-][0-9A-Za-z]+)*)?)$`)

func parseVersion(text string) (string, error) {
	match := versionForm.FindStringSubmatch(text)
	if match == nil {
		return "", fmt.Errorf("%q is no version: want MAJOR.MINOR.PATCH, as in 1.2.3 or 1.2.3-rc.1", text)
	}
	return match[1], nil
}

// sourceTime is SOURCE_DATE_EPOCH, the agreed name for it, else the time of the commit.
func (r *release) sourceTime(ctx context.Context) (time.Time, error) {
	text := os.Getenv("SOURCE_DATE_EPOCH")
	if text == "" {
		git := exec.CommandContext(ctx, "git", "-c", "safe.directory=*", "log", "-1", "--format=%ct")
		git.Dir = r.root
		output, err := git.Output()
		if err != nil {
			return time.Time{}, fmt.Errorf("read the time of the commit (or set SOURCE_DATE_EPOCH): %w", err)
		}
		text = strings.TrimSpace(string(output))
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("source time: %w", err)
	}
	return time.Unix(seconds, 0), nil
}

func (r *release) build(ctx context.Context) error {
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return err
	}
	shared, err := r.documents(ctx)
	if err != nil {
		return err
	}
	var sums strings.Builder
	for _, target := range r.targets {
		goos, goarch, _ := strings.Cut(target, "/")
		binary, archive := "pertain", fmt.Sprintf("pertain_%s_%s_%s.tar.gz", r.version, goos, goarch)
		if goos == "windows" {
			binary, archive = "pertain.exe", strings.TrimSuffix(archive, ".tar.gz")+".zip"
		}
		data, err := r.binary(ctx, goos, goarch)
		if err != nil {
			return err
		}
		licenses, err := r.licenses(ctx, goos, goarch)
		if err != nil {
			return err
		}
		entries := append(slices.Clone(shared),
			entry{name: binary, data: data, executable: true},
			entry{name: "THIRD_PARTY_LICENSES", data: licenses})
		name := filepath.Join(r.out, archive)
		if err := writeArchive(name, entries, r.changed); err != nil {
			return err
		}
		packed, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(packed), archive)
		fmt.Printf("%s (%.1f MB)\n", name, float64(len(packed))/1e6)
	}
	// One line each as sha256sum writes and checks them.
	return os.WriteFile(filepath.Join(r.out, "checksums.txt"), []byte(sums.String()), 0o644)
}

// documents are the files that are the same in every archive.
func (r *release) documents(ctx context.Context) ([]entry, error) {
	var entries []entry
	for _, name := range []string{"LICENSE", "NOTICE", "README.md", "CHANGELOG.md"} {
		data, err := os.ReadFile(filepath.Join(r.root, name))
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry{name: name, data: data})
	}

	host := filepath.Join(r.work, "pertain-host.exe") // Windows wants the ending, others do not mind
	if err := r.goBuild(ctx, host, "", ""); err != nil {
		return nil, err
	}
	manual := filepath.Join(r.work, "man1")
	if err := os.MkdirAll(manual, 0o755); err != nil {
		return nil, err
	}
	if _, err := r.output(ctx, nil, host, "man", "--dir", manual); err != nil {
		return nil, err
	}
	err := filepath.WalkDir(manual, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		entries = append(entries, entry{name: "man/man1/" + d.Name(), data: data})
		return err
	})
	if err != nil {
		return nil, err
	}

	for _, shell := range []struct{ name, file string }{
		{"bash", "pertain.bash"}, {"zsh", "_pertain"}, {"fish", "pertain.fish"}, {"powershell", "pertain.ps1"},
	} {
		data, err := r.output(ctx, nil, host, "completion", shell.name)
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry{name: "completions/" + shell.file, data: data})
	}
	return entries, nil
}

func (r *release) binary(ctx context.Context, goos, goarch string) ([]byte, error) {
	name := filepath.Join(r.work, "pertain-"+goos+"-"+goarch)
	if err := r.goBuild(ctx, name, goos, goarch); err != nil {
		return nil, err
	}
	return os.ReadFile(name)
}

func (r *release) goBuild(ctx context.Context, out, goos, goarch string) error {
	flags := fmt.Sprintf("-s -w -buildid= -X %s=%s -X %s=%s", versionVariable, r.version, dateVariable, r.changed.UTC().Format(time.DateOnly))
	_, err := r.output(ctx, buildEnv(goos, goarch), "go", "build", "-trimpath", "-buildvcs=false", "-ldflags", flags, "-o", out, command)
	return err
}

// buildEnv takes away what the caller's environment could change about the binary.
func buildEnv(goos, goarch string) []string {
	env := append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOEXPERIMENT=", "GOAMD64=v1", "GOARM64=v8.0", "GOWORK=off")
	if goos != "" {
		env = append(env, "GOOS="+goos, "GOARCH="+goarch)
	}
	return env
}

// output runs a program in the main module and returns what it prints; env nil means this program's own.
func (r *release) output(ctx context.Context, env []string, name string, args ...string) ([]byte, error) {
	c := exec.CommandContext(ctx, name, args...)
	c.Dir, c.Env, c.Stderr = r.root, env, os.Stderr
	data, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", filepath.Base(name), strings.Join(args, " "), err)
	}
	return data, nil
}
