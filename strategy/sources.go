package strategy

import (
	"sync"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
)

// Together is a normalizer for files that are read in one go, such as those of one
// load: a source that several of them name with `from` is parsed and compiled
// once. Without it, three hundred files of two lines would cost three hundred
// times the file that they name. It holds these sources in memory, so it should
// not be kept for longer.
func (n *Normalizer) Together() *Normalizer {
	if n.sources != nil {
		return n // it is one already
	}
	with := *n
	with.sources = &sources{read: map[sourceKey]*sourceFile{}}
	return &with
}

// TogetherWith is the normalizer with the sources of another one, which came from
// [Normalizer.Together]. Both check the same preprocessors.
func (n *Normalizer) TogetherWith(other *Normalizer) *Normalizer {
	with := *n
	with.sources = other.sources
	return &with
}

// maxShared is how many bytes of sources are kept; what does not fit is read for each
// file that names it.
const maxShared = 64 << 20

// sources are the files that `from` named so far.
type sources struct {
	mu    sync.Mutex
	read  map[sourceKey]*sourceFile
	bytes int
}

// sourceKey is everything that decides what a source says. Whether it may be read
// at all is decided anew for each file that names it.
type sourceKey struct {
	name, folder, text string
	kind               FromKind
}

// of finds or reads a source; a nil receiver shares nothing.
func (s *sources) of(kind FromKind, found Included) *sourceFile {
	if s == nil {
		return readSource(kind, found)
	}
	s.mu.Lock()
	key := sourceKey{name: found.Name, folder: found.Folder, text: string(found.Data), kind: kind}
	file := s.read[key]
	if file == nil {
		file = &sourceFile{}
		if s.bytes+len(found.Data) <= maxShared {
			s.bytes += len(found.Data)
			s.read[key] = file
		}
	}
	s.mu.Unlock()
	file.once.Do(func() { file.parse(kind, found) })
	return file
}

// sourceFile is a source as a definition, and what its fields come to. Nothing of
// it is changed by the strategies that share it.
type sourceFile struct {
	once       sync.Once // parse
	source     *diag.Source
	effort     int                 // of parsing it
	unread     diag.List           // why it cannot be read; empty: it can
	nested     *document.Node      // its own `from`; nil: it has none
	definition *definitionV1       // nil: it is not valid, as problems say
	problems   diag.List           // what was found while parsing
	fields     map[string]*reading // by the name of the field
	mu         sync.Mutex          // of fields
}

func readSource(kind FromKind, found Included) *sourceFile {
	f := &sourceFile{}
	f.parse(kind, found)
	return f
}

func (f *sourceFile) parse(kind FromKind, found Included) {
	f.fields = map[string]*reading{}
	f.source, f.unread = document.Decode(found.Name, found.Data)
	if f.unread.HasErrors() {
		return
	}
	f.unread = nil
	if kind == FromStrategy || IsFile(found.Name) {
		doc, problems := document.Parse(f.source, document.Strict)
		f.effort += doc.Effort()
		if nested := doc.Frontmatter.Get("from"); nested != nil && nested.Kind != document.Null {
			f.nested = nested
			return
		}
		if kind == FromStrategy {
			if problems.HasErrors() {
				f.problems = problems
				return
			}
			f.definition, f.problems = parseV1(doc)
			f.problems = append(f.problems, document.Unseen(f.source)...).Limit()
			return
		}
	}
	doc, list := document.Parse(f.source, document.Lenient)
	f.effort += doc.Effort()
	for i := range list {
		list[i].Hint = "put the value in quotes, or mend this line" // the usual hint repeats the value, and this is any file
	}
	f.definition = markdownDefinition(doc, kind, found)
	f.problems = append(list, document.Unseen(f.source)...).Limit()
}

// reading is what a field of a source comes to.
type reading struct {
	once     sync.Once
	value    any
	problems diag.List
}

func (f *sourceFile) field(name string) *reading {
	f.mu.Lock()
	defer f.mu.Unlock()
	r := f.fields[name]
	if r == nil {
		r = &reading{}
		f.fields[name] = r
	}
	return r
}

// once reads a field that may hold any number of things: of a source once for all
// strategies that take it from there.
func once[T any](c *checker, name string, node *document.Node, read func(*checker, *document.Node) T) T {
	if c.included == nil || node == nil || node.Source() != c.included.source {
		return read(c, node)
	}
	r := c.included.field(name)
	r.once.Do(func() {
		apart := &checker{source: c.source}
		r.value = read(apart, node)
		r.problems = apart.list.Limit()
	})
	c.addFrom(r.problems)
	return r.value.(T)
}
