// Mutate finds out what the tests of a package would miss: it plants one small
// fault after the other into the package's files, runs the tests, and reports the
// faults that no test has seen. Nothing is changed on disk: the go command gets
// the changed file by an overlay.
//
//	go -C tools run ./mutate -count 40 -seed 1 ./cond ./facts
//	go -C tools run ./mutate -count 0 ./cond
//	go -C tools run ./mutate -faults mutate/index.txt
//
// The first plants a random sample of what the operators in operators.go find,
// the second all of it, and the third the faults of a list, all of which must be seen. Where some of what a
// package does is held by tests of another one, suites.txt says so, and they count; its own that are listed
// there run before its others.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"time"
)

// settings are what the call says.
type settings struct {
	root       string // the main module
	packages   []string
	count      int
	seed       uint64
	limit      time.Duration // processor time of each run of tests
	patience   int           // how many times of it a run may take on the clock: others may use the machine too
	memory     int           // MiB that a run of tests may take; 0: no limit
	run        string        // which tests
	suites     string        // file of tests of other packages that count
	also       []suite       // more of them, for every package
	equivalent string
	faults     string
	only       string
	again      string // what an earlier call has printed
	least      float64
}

// suite is tests of another package that count as well.
type suite struct{ dir, run string }

func main() {
	s := settings{root: ".."}
	flag.StringVar(&s.root, "root", s.root, "`folder` of the module whose packages are changed")
	flag.IntVar(&s.count, "count", 40, "how many faults to plant in each package; 0: all there are")
	flag.Uint64Var(&s.seed, "seed", 1, "which sample")
	flag.DurationVar(&s.limit, "limit", time.Minute, "processor time of one run of tests; a fault that uses it up has been seen")
	flag.IntVar(&s.patience, "patience", 10, "how many times of -limit a run may take on the clock; a fault that makes tests wait for ever takes as long")
	flag.IntVar(&s.memory, "memory", 6144, "address space of one run of tests in `MiB`, where the system can limit it; 0: no limit")
	flag.StringVar(&s.run, "run", "", "run only the package's tests that match this `regexp`")
	flag.StringVar(&s.equivalent, "equivalent", "mutate/equivalent.txt", "`file` that lists faults that change nothing")
	flag.StringVar(&s.suites, "suites", "mutate/suites.txt", "`file` that lists tests of other packages that count")
	flag.StringVar(&s.faults, "faults", "", "plant the faults of this `file` instead of a sample")
	flag.StringVar(&s.only, "only", "", "plant only in files whose path contains this `text`")
	flag.StringVar(&s.again, "again", "", "plant only what has survived an earlier call, by what it printed into this `file`")
	flag.Float64Var(&s.least, "least", 0, "exit with 1 if less than this `percentage` was seen")
	flag.Func("also", "tests of another package that count too, as `PACKAGE:REGEXP` (repeatable)", func(value string) error {
		other, err := parseSuite(value)
		s.also = append(s.also, other)
		return err
	})
	flag.Parse()
	s.packages = flag.Args()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	ok, err := mutate(ctx, s)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

// mutate plants what the settings say and prints the outcome of each; ok is
// false if too much was not seen.
func mutate(ctx context.Context, s settings) (ok bool, err error) {
	if s.root, err = filepath.Abs(s.root); err != nil {
		return false, err
	}
	work, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return false, err
	}
	defer func() { _ = os.RemoveAll(work) }()
	r := &runner{settings: s, work: work}
	if r.others, err = readSuites(s.suites); err != nil {
		return false, err
	}
	if s.faults != "" {
		return r.planted(ctx)
	}
	if len(s.packages) == 0 {
		return false, fmt.Errorf("name the packages to plant faults in, such as ./cond")
	}
	known, err := readEquivalents(s.equivalent)
	if err != nil {
		return false, err
	}
	ok = true
	for _, dir := range s.packages {
		tally, err := r.sample(ctx, filepath.ToSlash(filepath.Clean(dir)), known)
		if err != nil {
			return false, err
		}
		fmt.Printf("%s: %s\n", dir, tally)
		ok = ok && tally.score() >= s.least
	}
	return ok, nil
}
