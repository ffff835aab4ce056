package replica_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/internal/replica"
)

// disk is a Local in memory.
type disk struct {
	mu     sync.Mutex
	states map[string]replica.State
	fails  string     // an id that cannot be read
	stop   sync.Mutex // held by who keeps writes from going on
}

func (d *disk) Load(_ context.Context, id string) (replica.State, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if id == d.fails {
		return replica.State{}, errors.New("damaged")
	}
	return d.states[id], nil
}

func (d *disk) Update(ctx context.Context, id string, change func(*replica.State) (bool, error)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	d.stop.Lock()
	defer d.stop.Unlock()
	d.mu.Lock()
	defer d.mu.Unlock()
	state := d.states[id]
	write, err := change(&state)
	if err == nil && write {
		d.states[id] = state
	}
	return err
}

func (d *disk) Changed(time.Time) ([]string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Sorted(maps.Keys(d.states)), nil
}

// bucket is a shared store that can be stopped: calls then wait, whatever their context says.
type bucket struct {
	mu     sync.Mutex
	values map[string][]byte
	revs   map[string]uint64
	last   uint64
	most   int
	calls  int           // under way
	peak   int           // of calls
	stop   chan struct{} // nil: it answers
	fail   error
}

func newBucket() *bucket {
	return &bucket{values: map[string][]byte{}, revs: map[string]uint64{}, most: 1 << 20}
}

func (b *bucket) enter() (func(), error) {
	b.mu.Lock()
	b.calls++
	b.peak = max(b.peak, b.calls)
	stop, err := b.stop, b.fail
	b.mu.Unlock()
	if stop != nil {
		<-stop
	}
	b.mu.Lock()
	return func() { b.calls--; b.mu.Unlock() }, err
}

func (b *bucket) Get(_ context.Context, key string) ([]byte, uint64, error) {
	leave, err := b.enter()
	defer leave()
	return b.values[key], b.revs[key], err
}

func (b *bucket) Put(_ context.Context, key string, value []byte, revision uint64) (uint64, error) {
	leave, err := b.enter()
	defer leave()
	switch {
	case err != nil:
		return 0, err
	case len(value) > b.most:
		return 0, replica.ErrLarge
	case b.revs[key] != revision:
		return 0, replica.ErrConflict
	}
	b.last++
	b.values[key], b.revs[key] = value, b.last
	return b.last, nil
}

// together is how many calls were under way at once.
func (b *bucket) together() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.peak
}

// stuck makes the store wait until the returned function is called.
func (b *bucket) stuck() func() {
	b.mu.Lock()
	defer b.mu.Unlock()
	stop := make(chan struct{})
	b.stop = stop
	return func() {
		b.mu.Lock()
		b.stop = nil
		b.mu.Unlock()
		close(stop)
	}
}

// union is a merge of lists of numbers.
func union(a, b []byte) []byte {
	var x, y []int
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return a
	}
	all := append(x, y...)
	slices.Sort(all)
	text, _ := json.Marshal(slices.Compact(all))
	return text
}

func machine(name string, b replica.Bucket) (*replica.Values, *disk) {
	d := &disk{states: map[string]replica.State{}}
	return replica.New(replica.Options{Local: d, Bucket: b, Kind: "test", Machine: name, Merge: union, Patience: time.Minute}), d
}

// hasty is a machine that waits for nobody: tests with a store that is stuck take no longer than they must.
func hasty(name string, b replica.Bucket) (*replica.Values, *disk) {
	d := &disk{states: map[string]replica.State{}}
	return replica.New(replica.Options{Local: d, Bucket: b, Kind: "test", Machine: name, Merge: union, Patience: time.Millisecond}), d
}

func add(t *testing.T, v *replica.Values, id string, number int) {
	t.Helper()
	if err := v.Update(t.Context(), id, func(value []byte) ([]byte, error) {
		if value == nil {
			value = []byte("[]")
		}
		return union(value, []byte("["+strconv.Itoa(number)+"]")), nil
	}); err != nil {
		t.Fatal(err)
	}
}

func wants(t *testing.T, v *replica.Values, id, want string) {
	t.Helper()
	if got, err := v.Load(t.Context(), id); err != nil || string(got) != want {
		t.Errorf("loaded %s, %v, want %s", got, err, want)
	}
}

func carries(t *testing.T, v *replica.Values) {
	t.Helper()
	if _, err := v.Carry(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// TestMoves: what one machine changed the next one finds, and the first finds what became of it.
func TestMoves(t *testing.T) {
	b := newBucket()
	one, _ := machine("one", b)
	two, _ := machine("two", b)
	wants(t, one, "x", "")
	add(t, one, "x", 1)
	add(t, two, "x", 2)
	add(t, one, "x", 3)
	add(t, one, "x", 4) // by the revision that it knows
	wants(t, two, "x", "[1,2,3,4]")
	wants(t, two, "y", "")
}

// TestCounts: changes of many machines at once are each made once: whoever comes second is asked again.
func TestCounts(t *testing.T) {
	b := newBucket()
	var all sync.WaitGroup
	for i := range 5 {
		v, _ := machine(fmt.Sprint(i), b)
		all.Go(func() {
			for range 20 {
				if err := v.Update(t.Context(), "x", func(value []byte) ([]byte, error) {
					var n int
					_ = json.Unmarshal(value, &n) // nothing is 0
					return []byte(strconv.Itoa(n + 1)), nil
				}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	v, _ := machine("last", b)
	wants(t, v, "x", "100")
}

// TestAway: while the store does not answer the copies decide, and are brought together afterwards; nobody waits for a call that does not end.
func TestAway(t *testing.T) {
	b := newBucket()
	one, _ := hasty("one", b)
	two, _ := hasty("two", b)
	back := b.stuck()
	add(t, one, "x", 1)
	add(t, two, "x", 2)
	wants(t, one, "x", "[1]")
	wants(t, two, "x", "[2]")
	for i := range 1000 {
		add(t, one, fmt.Sprint(i), i)
	}
	back()
	carries(t, one)
	carries(t, two)
	if _, err := one.Load(t.Context(), "x"); err != nil { // it has not heard of what the other one carried, and may be late again
		t.Fatal(err)
	}
	carries(t, one)
	last, _ := machine("last", b)
	wants(t, last, "x", "[1,2]")
	wants(t, last, "999", "[999]")
	wants(t, one, "x", "[1,2]")
	if peak := b.together(); peak > 4 {
		t.Errorf("%d calls were under way at once", peak)
	}
}

// TestLateLoad: a machine that was too slow to hear of a value hears of it by whoever carries, and then knows it without the store.
func TestLateLoad(t *testing.T) {
	b := newBucket()
	one, _ := machine("one", b)
	add(t, one, "x", 1)
	slow, disk := hasty("slow", b)
	back := b.stuck()
	wants(t, slow, "x", "")
	back()
	carries(t, slow)
	back = b.stuck()
	defer back()
	wants(t, slow, "x", "[1]")
	if got := disk.states["x"].Value; string(got) != "[1]" {
		t.Errorf("the disk has %s", got)
	}
}

// TestStuckCalls: calls that never end are never joined by more than there are slots.
func TestStuckCalls(t *testing.T) {
	b := newBucket()
	back := b.stuck()
	var all sync.WaitGroup
	for i := range 500 { // each has not heard that the others wait
		all.Go(func() {
			v, _ := hasty(fmt.Sprint(i), b)
			add(t, v, "x", i)
		})
	}
	v, _ := hasty("one", b)
	for i := range 500 {
		all.Go(func() { add(t, v, fmt.Sprint(i), i) })
	}
	all.Wait()
	if peak := b.together(); peak > 500+128 {
		t.Errorf("%d calls were under way at once", peak)
	}
	back()
}

// TestRestart: what a process that ended has not carried, the next one does.
func TestRestart(t *testing.T) {
	b := newBucket()
	one, d := hasty("one", b)
	b.fail = errors.New("no quorum")
	add(t, one, "x", 1)
	if _, err := one.Carry(t.Context()); err == nil {
		t.Error("carried without a store")
	}
	b.fail = nil
	again := replica.New(replica.Options{Local: d, Bucket: b, Kind: "test", Machine: "one", Merge: union, Mark: filepath.Join(t.TempDir(), "mark")})
	carries(t, again)
	two, _ := machine("two", b)
	wants(t, two, "x", "[1]")
}

// TestOldCopy: a value that was written before there was a fleet is not lost to one that the fleet has, and edits of those who know nothing of it count.
func TestOldCopy(t *testing.T) {
	b := newBucket()
	one, d := machine("one", b)
	two, _ := machine("two", b)
	add(t, two, "x", 2)
	d.states["x"] = replica.State{Value: []byte("[1]")}
	carries(t, one)
	wants(t, two, "x", "[1,2]")
	state := d.states["x"]
	state.Value, state.Edits = []byte("[1,2,3]"), state.Edits+1
	d.states["x"] = state
	next := replica.New(replica.Options{Local: d, Bucket: b, Kind: "test", Machine: "one", Merge: union, Patience: time.Minute})
	wants(t, next, "x", "[1,2,3]")
	carries(t, next)
	wants(t, two, "x", "[1,2,3]")
}

// TestDisk: the disk has what the store has once it has caught up, and everything at once while the store is away.
func TestDisk(t *testing.T) {
	b := newBucket()
	one, d := machine("one", b)
	add(t, one, "x", 1)
	carries(t, one)
	if got := string(d.states["x"].Value); got != "[1]" {
		t.Errorf("the disk has %s", got)
	}
	add(t, one, "x", 2)
	b.fail = errors.New("no quorum")
	add(t, one, "x", 3) // the store is not heard from any more
	if got := string(d.states["x"].Value); got != "[1,2,3]" {
		t.Errorf("the disk has %s", got)
	}
	wants(t, one, "x", "[1,2,3]")
	// Another process of this machine goes on with the copy, and this one hears of it.
	other := replica.New(replica.Options{Local: d, Bucket: b, Kind: "test", Machine: "one", Merge: union, Patience: time.Minute})
	add(t, other, "x", 4)
	wants(t, one, "x", "[1,2,3,4]")
	b.fail = nil
	carries(t, one)
	carries(t, other)
	last, _ := machine("last", b)
	wants(t, last, "x", "[1,2,3,4]")
}

// TestForged: who does not know the id can neither read nor write what is believed, nor stop it from being written.
func TestForged(t *testing.T) {
	b := newBucket()
	one, _ := machine("one", b)
	add(t, one, "the-private-name", 12345)
	add(t, one, "other", 2)
	for key, value := range b.values {
		if strings.Contains(key, "private") || strings.Contains(string(value), "12345") {
			t.Errorf("%s holds %q", key, value)
		}
	}
	keys := slices.Sorted(maps.Keys(b.values))
	for _, forged := range [][]byte{b.values[keys[1]], []byte("[666]"), {1}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}, nil} {
		b.values[keys[0]] = forged // of another id, of no form
		b.last++
		b.revs[keys[0]] = b.last
		two, _ := machine("two", b)
		for _, id := range []string{"the-private-name", "other"} {
			if got, err := two.Load(t.Context(), id); err != nil || strings.Contains(string(got), "666") {
				t.Errorf("%s: %s, %v", id, got, err)
			}
		}
	}
	wants(t, one, "the-private-name", "[12345]")
	wants(t, one, "other", "[2]")
	carries(t, one)
	two, _ := machine("two", b)
	wants(t, two, "the-private-name", "[12345]")
	wants(t, two, "other", "[2]")
}

// TestLarge: what the store does not take stays here.
func TestLarge(t *testing.T) {
	b := newBucket()
	b.most = 10
	one, _ := machine("one", b)
	add(t, one, "x", 1)
	wants(t, one, "x", "[1]")
	carries(t, one)
	if len(b.values) != 0 {
		t.Error("it was taken")
	}
}

// TestDamaged: a copy that cannot be read does not keep others from being carried.
func TestDamaged(t *testing.T) {
	b := newBucket()
	one, d := machine("one", b)
	d.states["a"] = replica.State{}
	d.states["b"] = replica.State{Value: []byte("[7]")}
	d.fails = "a"
	carries(t, one)
	two, _ := machine("two", b)
	wants(t, two, "b", "[7]")
}

// TestRun carries by itself, and ends when it is told to.
func TestRun(t *testing.T) {
	b := newBucket()
	one, _ := hasty("one", b)
	back := b.stuck()
	add(t, one, "x", 1)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); one.Run(ctx, time.Millisecond) }()
	back()
	two, _ := machine("two", b)
	for {
		if got, err := two.Load(t.Context(), "x"); err != nil || string(got) == "[1]" {
			break
		}
	}
	stop()
	<-ended
}

// TestSlowDisk: where somebody carries, nobody waits for the disk, and it has everything when that ends.
func TestSlowDisk(t *testing.T) {
	b := newBucket()
	one, d := hasty("one", b)
	add(t, one, "x", 1)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); one.Run(ctx, 0) }()
	for !replica.Running(one) {
		runtime.Gosched()
	}
	d.stop.Lock()
	b.mu.Lock()
	b.fail = errors.New("no quorum")
	b.mu.Unlock()
	for i := range 100 {
		add(t, one, "x", i)
		add(t, one, fmt.Sprint(i), i)
	}
	d.stop.Unlock()
	stop()
	<-ended
	if len(d.states) != 101 || !strings.HasPrefix(string(d.states["x"].Value), "[0,1,2") {
		t.Errorf("the disk has %d values", len(d.states))
	}
}

// TestChangeFails: a change that fails changes nothing.
func TestChangeFails(t *testing.T) {
	b := newBucket()
	one, _ := machine("one", b)
	add(t, one, "x", 1)
	no := errors.New("no")
	if err := one.Update(t.Context(), "x", func([]byte) ([]byte, error) { return nil, no }); !errors.Is(err, no) {
		t.Error(err)
	}
	wants(t, one, "x", "[1]")
}
