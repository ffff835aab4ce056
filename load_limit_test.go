package pertain_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/strategy"
)

// blobs is a provider with many files of some sizes.
type blobs struct {
	sizes   []int
	fields  bool // they are in the frontmatter
	aliases bool // they are what aliases there stand for, in KiB
	trusted bool
	reads   atomic.Int64
}

func (b *blobs) ID() string      { return "workspace" }
func (b *blobs) Roots() []string { return nil }

func (b *blobs) entry(i int) strategy.Entry {
	name := fmt.Sprintf("s%03d.strategy.md", i)
	return strategy.Entry{Name: "/w/" + name, Origin: strategy.Origin{Provider: "workspace", Path: name, Trusted: b.trusted}}
}

func (b *blobs) List(context.Context) ([]strategy.Entry, error) {
	var out []strategy.Entry
	for i := range b.sizes {
		out = append(out, b.entry(i))
	}
	return out, nil
}

func (b *blobs) Find(path string) (strategy.Entry, bool) {
	for i := range b.sizes {
		if b.entry(i).Name == path {
			return b.entry(i), true
		}
	}
	return strategy.Entry{}, false
}

func (b *blobs) Read(_ context.Context, e strategy.Entry) ([]byte, error) {
	b.reads.Add(1)
	var i int
	if _, err := fmt.Sscanf(e.Origin.Path, "s%d", &i); err != nil {
		return nil, err
	}
	head := "---\nname: X\n---\n"
	if b.aliases {
		return []byte("---\nname: X\ndescription: &x " + strings.Repeat("x", 1023) + "\nwhen: {clipboard.text: {in: [" + strings.Repeat("*x, ", b.sizes[i]) + "]}}\n---\n"), nil
	}
	if b.fields {
		return []byte("---\nname: X\n#" + strings.Repeat("x", b.sizes[i]-len("name: X\n#\n")) + "\n---\n"), nil
	}
	return []byte(head + strings.Repeat("x", b.sizes[i]-len(head))), nil
}

// state tells which files of a catalog are loaded (+) and which are left out (-).
func state(t *testing.T, c *pertain.Catalog) string {
	t.Helper()
	var out strings.Builder
	for _, s := range c.Strategies() {
		switch {
		case s.Valid && len(s.Diagnostics) == 0:
			out.WriteByte('+')
		case !s.Valid && len(s.Diagnostics) == 1 && s.Diagnostics[0].Code == diag.StrategyTooLarge && len(s.Source.Text()) == 0:
			out.WriteByte('-')
		default:
			t.Errorf("%s: %v", s.ID, s.Diagnostics)
		}
	}
	return out.String()
}

// TestStrategiesHaveALimitTogether: one blob under many names costs a repository
// nothing, and a reader little. Whatever changes, what is read again comes to the
// same as what is read anew.
func TestStrategiesHaveALimitTogether(t *testing.T) {
	const mega = 1 << 20
	b := &blobs{sizes: slices.Repeat([]int{4 * mega}, 200)}
	engine := open(t, pertain.Options{Providers: []strategy.Provider{b}})
	if got := state(t, engine.Catalog()); got != strings.Repeat("+", 16)+strings.Repeat("-", 184) {
		t.Errorf("got %s", got)
	}
	if n := b.reads.Load(); n > 100 {
		t.Errorf("%d files were read", n)
	}
	b.sizes = b.sizes[:20]
	b.agrees(t, engine, []change{{0, mega}, {1, mega}, {2, 2 * mega}, {0, 4 * mega}, {3, 100}, {19, 100}, {18, 100}, {1, 4 * mega}, {2, 4 * mega}, {3, 4 * mega}, {10, 3 * mega}})
}

// TestFieldsHaveALimitTogether: frontmatter of a workspace that is not trusted has a limit, too, and counts the more the longer
// it is. Nobody's own is left out for it.
func TestFieldsHaveALimitTogether(t *testing.T) {
	const kilo = 1 << 10
	for size, want := range map[int]int{256 * kilo: 12, 256*kilo + 1: 5, 384 * kilo: 4, 2 * kilo: 20} {
		b := &blobs{sizes: slices.Repeat([]int{size}, 20), fields: true}
		engine := open(t, pertain.Options{Providers: []strategy.Provider{b}})
		if got := state(t, engine.Catalog()); got != strings.Repeat("+", want)+strings.Repeat("-", 20-want) {
			t.Errorf("%d bytes: got %s", size, got)
		}
		if want < 20 {
			last := engine.Catalog().Strategies()[19].Diagnostics[0]
			if !strings.Contains(last.Message, "the 6 MiB of frontmatter") {
				t.Error(last.Message)
			}
		}
		b.agrees(t, engine, []change{{0, 100}, {1, 300 * kilo}, {2, 100 * kilo}, {19, 100}, {0, 300 * kilo}})
		b.trusted = true
		if got := state(t, open(t, pertain.Options{Providers: []strategy.Provider{b}}).Catalog()); got != strings.Repeat("+", 20) {
			t.Errorf("%d bytes, trusted: got %s", size, got)
		}
	}
}

// TestAliasesHaveALimitTogether: three hundred files of some hundred bytes that stand for as much as one may count as what they stand for.
func TestAliasesHaveALimitTogether(t *testing.T) {
	b := &blobs{sizes: slices.Repeat([]int{250}, 300), aliases: true}
	engine := open(t, pertain.Options{Providers: []strategy.Provider{b}})
	if got := state(t, engine.Catalog()); got != strings.Repeat("+", 6)+strings.Repeat("-", 294) {
		t.Errorf("got %s", got)
	}
	if last := engine.Catalog().Strategies()[299].Diagnostics[0]; !strings.Contains(last.Message, "the 6 MiB of frontmatter") || !strings.Contains(last.Message, "with what aliases stand for") {
		t.Error(last.Message)
	}
	b.sizes = b.sizes[:10]
	b.agrees(t, engine, []change{{0, 10}, {1, 10}, {9, 10}, {0, 250}})
	b.trusted = true
	if got := state(t, open(t, pertain.Options{Providers: []strategy.Provider{b}}).Catalog()); got != strings.Repeat("+", 10) {
		t.Errorf("trusted: got %s", got)
	}
}

// change is another size of a file.
type change struct{ file, size int }

// agrees makes changes, and compares what is read again with what is read anew.
func (b *blobs) agrees(t *testing.T, engine *pertain.Engine, changes []change) {
	t.Helper()
	if _, err := engine.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, change := range changes {
		b.sizes[change.file] = change.size
		changed, err := engine.Reload(t.Context(), b.entry(change.file).Name)
		if err != nil {
			t.Fatal(err)
		}
		anew := open(t, pertain.Options{Providers: []strategy.Provider{b}})
		if got, want := state(t, changed), state(t, anew.Catalog()); got != want {
			t.Errorf("file %d of %d bytes:\n got %s\nwant %s", change.file, change.size, got, want)
		}
		again, err := engine.Reload(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(again.Strategies(), changed.Strategies()) {
			t.Errorf("file %d: reading again what has not changed gives other strategies", change.file)
		}
	}
}

// derived is a provider whose files all start from one.
type derived struct{ *blobs }

func (d derived) Read(_ context.Context, e strategy.Entry) ([]byte, error) {
	return []byte("---\nname: " + e.Origin.Path + "\nfrom: skill://big\n---\n"), nil
}

// big resolves the one source.
type big string

func (big) CanResolve(strategy.Reference, *diag.Source, strategy.Origin) bool { return true }

func (text big) Resolve(context.Context, strategy.Reference, *diag.Source, strategy.Origin) (strategy.Included, error) {
	return strategy.Included{Name: "/w/big.md", Data: []byte(text)}, nil
}

// TestStrategiesShareTheirSource: a load parses what strategies start from once, however many they are, and keeps it once.
func TestStrategiesShareTheirSource(t *testing.T) {
	const many = 50
	options := pertain.Options{
		Providers: []strategy.Provider{derived{&blobs{sizes: make([]int, many)}}},
		Resolvers: []strategy.Resolver{big("---\ndescription: x\n---\n" + strings.Repeat("y", 1000))},
	}
	parsed := map[*diag.Source]bool{}
	for _, s := range open(t, options).Catalog().Strategies() {
		if !s.Valid || len(s.Includes) != 1 {
			t.Fatalf("%s: %v", s.ID, s.Diagnostics)
		}
		parsed[s.Includes[0]] = true
	}
	if len(parsed) != 1 {
		t.Errorf("the source was parsed %d times for %d strategies", len(parsed), many)
	}
}

// TestManyLeftOutAreToldOnce: of files over the limit each says so of itself, and the first for all among what is told of the catalog.
func TestManyLeftOutAreToldOnce(t *testing.T) {
	sizes := make([]int, 30)
	for i := range sizes {
		sizes[i] = 1 << 20
	}
	engine, err := pertain.Open(t.Context(), pertain.Options{Providers: []strategy.Provider{&blobs{sizes: sizes, fields: true}}})
	if err != nil {
		t.Fatal(err)
	}
	all := state(t, engine.Catalog())
	left := strings.Count(all, "-")
	var told []string
	for _, d := range engine.Catalog().Diagnostics() {
		if d.Code == diag.StrategyTooLarge {
			told = append(told, d.Message)
		}
	}
	if left < 10 || len(told) != 1 || !strings.HasSuffix(told[0], fmt.Sprintf("; nor can %d more of this provider", left-1)) {
		t.Errorf("%s: %q", all, told)
	}
	for _, s := range engine.Catalog().Strategies() {
		if !s.Valid && strings.Contains(s.Diagnostics[0].Message, "nor can") {
			t.Errorf("%s says it of others: %s", s.ID, s.Diagnostics[0].Message)
		}
	}
}
