package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// outcome is what became of a mutant.
type outcome string

const (
	killed     outcome = "killed"
	late       outcome = "killed (time)"
	survived   outcome = "survived"
	equivalent outcome = "equivalent"
	invalid    outcome = "invalid" // it does not compile
)

// tally counts outcomes.
type tally map[outcome]int

// score is how many of a hundred were seen, of those that could be.
func (t tally) score() float64 {
	seen := t[killed] + t[late]
	if seen+t[survived] == 0 {
		return 100
	}
	return 100 * float64(seen) / float64(seen+t[survived])
}

// tried is how many could be planted.
func (t tally) tried() int { return t[killed] + t[late] + t[survived] + t[equivalent] }

func (t tally) String() string {
	return fmt.Sprintf("%.1f %%: %d of %d seen (%d by time), %d equivalent, %d do not compile",
		t.score(), t[killed]+t[late], t[killed]+t[late]+t[survived], t[late], t[equivalent], t[invalid])
}

type runner struct {
	settings
	others map[string][]suite // by package, what suites.txt says
	work   string
}

// sample plants a random sample of a package's mutants.
func (r *runner) sample(ctx context.Context, dir string, known map[string]string) (tally, error) {
	all, err := r.find(dir)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("there is nothing to change in %s", dir)
	}
	if err := r.healthy(ctx, dir); err != nil {
		return nil, err
	}
	if r.count == 0 {
		return r.plant(ctx, dir, all, known)
	}
	rng := rand.New(rand.NewPCG(r.seed, 0))
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	counts := tally{}
	for len(all) > 0 && counts.tried() < r.count { // what does not compile does not count
		n := min(len(all), r.count-counts.tried())
		more, err := r.plant(ctx, dir, all[:n], known)
		if err != nil {
			return nil, err
		}
		for result, found := range more {
			counts[result] += found
		}
		all = all[n:]
	}
	return counts, nil
}

// plant tries some of a package's mutants: those in functions together, the others one by one.
func (r *runner) plant(ctx context.Context, dir string, all []mutant, known map[string]string) (tally, error) {
	counts := tally{}
	tell := func(m *mutant, result outcome) {
		if counts[result]++; result != invalid {
			r.print(result, m)
		}
	}
	var inside, outside []mutant
	for i := range all {
		if _, told := known[all[i].key()]; told {
			tell(&all[i], equivalent)
		} else if all[i].function != "" {
			inside = append(inside, all[i])
		} else {
			outside = append(outside, all[i])
		}
	}
	if err := r.together(ctx, dir, inside, tell); err != nil {
		return nil, err
	}
	for i := range outside {
		result, err := r.try(ctx, dir, &outside[i])
		if err != nil {
			return nil, err
		}
		tell(&outside[i], result)
	}
	return counts, nil
}

func (r *runner) print(result outcome, m *mutant) {
	fmt.Printf("%-13s %s\n", result, m)
	if result == survived {
		fmt.Printf("              %s\n", m.key())
	}
}

// planted plants every fault of a list. All must be seen.
func (r *runner) planted(ctx context.Context) (bool, error) {
	list, err := readFaults(r.faults, r.root)
	if err != nil {
		return false, err
	}
	counts, checked := tally{}, map[string]bool{}
	for i := range list {
		m := &list[i]
		dir := filepath.ToSlash(filepath.Dir(m.path))
		if !checked[dir] {
			if err := r.healthy(ctx, dir); err != nil {
				return false, err
			}
			checked[dir] = true
		}
		result, err := r.try(ctx, dir, m)
		if err != nil {
			return false, err
		}
		counts[result]++
		fmt.Printf("%-13s %s:%d  %s\n", result, m.path, m.line, m.change)
	}
	fmt.Printf("%s: %s\n", r.faults, counts)
	return counts[survived]+counts[invalid] == 0, nil
}

// find collects the mutants of a package's files for this system, tests and
// generated files left out.
func (r *runner) find(dir string) ([]mutant, error) {
	cmd := exec.Command("go", "list", "-f", `{{join .GoFiles "\n"}}`, "./"+dir)
	cmd.Dir = r.root
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list ./%s: %w", dir, err)
	}
	var all []mutant
	for _, name := range strings.Fields(string(out)) {
		path := dir + "/" + name
		if dir == "." {
			path = name
		}
		if !strings.Contains(path, r.only) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(r.root, path))
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(strings.Split(string(data), "\n"), func(line string) bool {
			return strings.HasPrefix(line, "// Code generated ") && strings.HasSuffix(line, " DO NOT EDIT.")
		}) {
			continue
		}
		found, err := mutants(path, data)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return r.onceMore(all)
}

// onceMore keeps the mutants that have survived an earlier call, if one is given.
func (r *runner) onceMore(all []mutant) ([]mutant, error) {
	if r.again == "" {
		return all, nil
	}
	data, err := os.ReadFile(r.again)
	if err != nil {
		return nil, err
	}
	keys := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		keys[strings.TrimSpace(line)] = true
	}
	return slices.DeleteFunc(all, func(m mutant) bool { return !keys[m.key()] }), nil
}

// healthy makes sure that the tests pass without a fault.
func (r *runner) healthy(ctx context.Context, dir string) error {
	for _, s := range r.counting(dir) {
		result, output, err := r.test(ctx, s)
		if err != nil {
			return err
		}
		switch result {
		case survived:
		case late:
			return fmt.Errorf("the tests of ./%s take longer than -limit %s without a fault: raise it, or choose some by -run", s.dir, r.limit)
		default:
			return fmt.Errorf("the tests of ./%s fail without a fault:\n%s", s.dir, output)
		}
	}
	return nil
}

// counting are the tests that count for a package: those of its own that are listed, since they see most faults
// soonest, then all of its own, then those of others.
func (r *runner) counting(dir string) []suite {
	own, others := []suite{}, []suite{{dir, r.run}}
	for _, s := range slices.Concat(r.others[dir], r.also) {
		if s.dir == dir {
			own = append(own, s)
		} else {
			others = append(others, s)
		}
	}
	return append(own, others...)
}

// try plants one mutant and runs the tests.
func (r *runner) try(ctx context.Context, dir string, m *mutant) (outcome, error) {
	original := filepath.Join(r.root, filepath.FromSlash(m.path))
	data, err := os.ReadFile(original)
	if err != nil {
		return "", err
	}
	changed := filepath.Join(r.work, "mutant.go")
	if err := os.WriteFile(changed, m.apply(data), 0o600); err != nil {
		return "", err
	}
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{original: changed}})
	if err != nil {
		return "", err
	}
	file := filepath.Join(r.work, "overlay.json")
	if err := os.WriteFile(file, overlay, 0o600); err != nil {
		return "", err
	}
	binary, built := filepath.Join(r.work, "tests.exe"), ""
	for _, s := range r.counting(dir) {
		if built != s.dir {
			if _, err := r.build(ctx, s, file, binary); err != nil {
				return invalid, ctx.Err()
			}
			built = s.dir
		}
		if result, _, err := r.execute(ctx, s, binary); err != nil || result != survived {
			return result, err
		}
	}
	return survived, nil
}

// test builds and runs tests of the files as they are.
func (r *runner) test(ctx context.Context, s suite) (result outcome, output string, err error) {
	binary := filepath.Join(r.work, "tests.exe")
	if output, err := r.build(ctx, s, "", binary); err != nil {
		return invalid, output, ctx.Err()
	}
	return r.execute(ctx, s, binary)
}

// build makes a binary of tests and returns what the compiler says.
func (r *runner) build(ctx context.Context, s suite, overlay, binary string, more ...string) (string, error) {
	args := append([]string{"test", "-c", "-vet=off", "-o", binary}, more...)
	if overlay != "" {
		args = append(args, "-overlay", overlay)
	}
	cmd := exec.CommandContext(ctx, "go", append(args, "./"+s.dir)...)
	cmd.Dir = r.root
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// execute runs tests that are built, with more of an environment.
func (r *runner) execute(ctx context.Context, s suite, binary string, environment ...string) (result outcome, output string, err error) {
	args := []string{binary, "-test.failfast", "-test.timeout", r.clock().String()}
	if s.run != "" {
		args = append(args, "-test.run", s.run)
	}
	if runtime.GOOS != "windows" {
		bounds := fmt.Sprintf("ulimit -t %d; ", int(max(1, r.limit.Seconds())))
		if r.memory > 0 {
			bounds += fmt.Sprintf("ulimit -v %d; ", r.memory<<10)
		}
		args = append([]string{"sh", "-c", bounds + `exec "$@"`, "sh"}, args...)
	}
	within, cancel := context.WithTimeout(ctx, r.clock()+10*time.Second)
	defer cancel()
	cmd := exec.CommandContext(within, args[0], args[1:]...)
	cmd.Dir, cmd.WaitDelay = filepath.Join(r.root, filepath.FromSlash(s.dir)), time.Second
	cmd.Env = append(os.Environ(), environment...)
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return "", "", ctx.Err()
	}
	var failed *exec.ExitError
	switch {
	case err == nil:
		return survived, "", nil
	case within.Err() != nil, strings.Contains(string(out), "panic: test timed out"):
		return late, string(out), nil
	case errors.As(err, &failed):
		if failed.ExitCode() < 0 { // the system ended it
			return late, string(out), nil
		}
		return killed, string(out), nil
	}
	return "", "", err
}

// clock is how long a run of tests may take: others may use the machine too.
func (r *runner) clock() time.Duration { return time.Duration(r.patience) * r.limit }
