package toolcall

import (
	"strconv"
	"strings"
)

// patch reads patches by lines: those of apply_patch (`*** Update File:`), unified
// diffs, context diffs, sections of numbered lines (omp's), and blocks of SEARCH and
// REPLACE. A text that is none of them counts whole.
type patch struct {
	reader   *Reader
	scope    *scope              // whose file is meant where the patch names none
	folder   *scope              // that may name the folder of its files; nil: none does
	meant    func(string) []file // how the files may be meant; nil: as they are written
	reversed bool                // what it takes away is added, and what it adds goes
	segments []int               // of the file that is changed, by each name that it may have; none yet: nil
	form     patchForm
	outer    patchForm       // that goes on after a block of SEARCH and REPLACE
	known    bool            // something of a patch has been seen
	raw      strings.Builder // what came before
	from     string          // of a line `--- a/x`
	index    string          // of a line `Index: x`
	adds     bool            // the file is new: all lines of it are added
	any      bool            // the files are too many to be told apart
	old      int             // lines that a hunk of a unified diff still has, of each side
	new      int
	counted  bool // the hunk has said how many lines it has
}

// patchForm is where in which kind of patch a line stands.
type patchForm uint8

const (
	noForm      patchForm = iota
	applyForm             // between `*** Begin Patch` and `*** End Patch`
	hunkForm              // in a hunk of a unified diff
	searchForm            // what is looked for
	putForm               // what is put in its place
	sectionForm           // in a section of numbered lines
	contextForm           // in a context diff
)

func newPatch(r *Reader, scope *scope) *patch { return &patch{reader: r, scope: scope} }

func (p *patch) line(text string, last bool) {
	if !p.known && !p.begins(text) {
		p.raw.WriteString(text)
		if !last {
			p.raw.WriteByte('\n')
			return
		}
		if strings.TrimSpace(p.raw.String()) != "" {
			p.start("")
			p.add(p.raw.String())
		}
		p.stop()
		return
	}
	if text != "" || !last {
		p.known = true
		if text = strings.TrimSuffix(text, "\r"); p.reversed {
			text = p.turned(text)
		}
		p.read(text)
	}
	if last {
		p.stop()
	}
}

// begins tells whether a line can be the first of a patch.
func (p *patch) begins(text string) bool {
	_, isHeader := cutHeader(text)
	return isHeader || isSection(text) || strings.HasPrefix(text, "@@") || strings.HasPrefix(text, "diff --git ") ||
		strings.HasPrefix(text, "--- ") || strings.HasPrefix(text, "+++ ") || strings.HasPrefix(text, "Index: ") || marks(text, "<-", " SEARCH")
}

// read reads one line of a patch.
func (p *patch) read(text string) {
	switch {
	case p.form == searchForm:
		if marks(text, "=", "") {
			p.form = putForm
		}
	case p.form == putForm:
		if marks(text, ">+", " REPLACE") {
			p.form = p.outer
			return
		}
		p.put(text)
	case p.searches(text): // whatever stands before it: no line of another form looks so
		p.form, p.outer = searchForm, p.form
	case p.form == hunkForm && p.counted && (p.old > 0 || p.new > 0):
		p.hunkLine(text)
	case strings.HasPrefix(text, "***************"):
		p.contextHunk()
	case p.form == contextForm && p.contextLine(text):
	case p.headed(text):
	case isSection(text) && p.form != hunkForm:
		p.section(text)
	case p.form == sectionForm:
		p.sectionLine(text)
	case p.form == applyForm:
		if strings.HasPrefix(text, "+") {
			p.put(text[1:])
		}
	default:
		p.unified(text)
	}
}

// searches tells a line that begins a block of SEARCH and REPLACE. In a hunk, dashes say that a line goes.
func (p *patch) searches(text string) bool {
	if p.form == hunkForm && !p.reader.blocks {
		return marks(text, "<", " SEARCH")
	}
	return marks(text, "<-", " SEARCH")
}

// cutHeader is what a line says after the stars of apply_patch, which may stand after blanks.
func cutHeader(text string) (header string, ok bool) {
	return strings.CutPrefix(strings.TrimLeftFunc(text, isBlank), "*** ")
}

// headed reads a header of apply_patch. After blanks it may as well be a line that stays as it is, in a file that is changed: then
// what follows counts for both.
func (p *patch) headed(text string) bool {
	header, ok := cutHeader(text)
	if !ok {
		return false
	}
	name, value, _ := strings.Cut(header, ":")
	value = strings.TrimFunc(value, isBlank)
	stays := text[0] != '*' && len(p.segments) > 0 && !p.adds
	switch strings.TrimFunc(name, isBlank) {
	case "Begin Patch":
		p.form = applyForm
	case "Add File", "Update File", "Move to":
		p.form = applyForm
		if stays {
			p.also(false, value)
			break
		}
		p.adds = name == "Add File"
		p.start(value)
	case "Delete File":
		p.form = applyForm
		if !stays {
			p.stop()
		}
	case "End Patch":
		if !stays {
			p.stop()
			p.form = noForm
		}
	}
	return true
}

// unified reads a line of a unified diff outside of the lines that a hunk counts.
func (p *patch) unified(text string) {
	switch {
	case strings.HasPrefix(text, "diff --git "), strings.HasPrefix(text, "Index: "):
		p.stop()
		p.form, p.from = noForm, ""
		p.index, _ = strings.CutPrefix(text, "Index: ")
	case strings.HasPrefix(text, "--- ") && (p.form != hunkForm || p.counted):
		p.from = strings.TrimPrefix(text, "--- ")
	case strings.HasPrefix(text, "--- "): // a header, or a line `-- ` that goes; the next line tells
		p.from = strings.TrimPrefix(text, "--- ")
	case strings.HasPrefix(text, "+++ ") && (p.form != hunkForm || p.from != ""):
		p.stop()
		p.form, p.index = noForm, ""
		if path, ok := diffPath(p.from, strings.TrimPrefix(text, "+++ ")); ok {
			p.start(path)
		}
		if p.from == "" { // no diff says so: in a patch that names its file elsewhere it is a line
			p.put(text[1:])
		}
		p.from = ""
	case strings.HasPrefix(text, "@@"):
		p.hunk(text)
	case strings.HasPrefix(text, "+"): // outside of a hunk, too: there are files that are made so
		p.from = ""
		p.put(text[1:])
	default:
		p.from = ""
	}
}

// hunk begins a hunk.
func (p *patch) hunk(text string) {
	p.form, p.from = hunkForm, ""
	p.old, p.new, p.counted = 0, 0, false
	fields := strings.Fields(text)
	if len(fields) < 3 || !strings.HasPrefix(fields[1], "-") || !strings.HasPrefix(fields[2], "+") {
		return
	}
	old, ok1 := hunkLines(fields[1][1:])
	added, ok2 := hunkLines(fields[2][1:])
	p.old, p.new, p.counted = old, added, ok1 && ok2
}

// hunkLines reads how many lines of a side a hunk has: 12,3 has three, 12 has one.
func hunkLines(text string) (int, bool) {
	start, count, given := strings.Cut(text, ",")
	if _, err := strconv.ParseUint(start, 10, 31); err != nil {
		return 0, false
	}
	if !given {
		return 1, true
	}
	n, err := strconv.ParseUint(count, 10, 31)
	return int(n), err == nil
}

// hunkLine reads a line that the hunk counts.
func (p *patch) hunkLine(text string) {
	switch {
	case strings.HasPrefix(text, "+"):
		p.new--
		p.put(text[1:])
	case strings.HasPrefix(text, "-"):
		p.old--
	case strings.HasPrefix(text, `\`): // no line break at the end
	case strings.HasPrefix(text, "@@"), strings.HasPrefix(text, "diff --git "), strings.HasPrefix(text, "*** "):
		p.counted = false // it has counted wrongly
		p.read(text)
	default:
		p.old--
		p.new--
	}
}

// put adds a line to the file.
func (p *patch) put(line string) {
	if p.segments == nil {
		p.start(diffName(p.index))
	}
	p.add(line + "\n")
}

func (p *patch) add(text string) {
	p.reader.add(text, p.segments...)
}

// start begins a file, which may have several names.
func (p *patch) start(names ...string) {
	p.stop()
	p.any = false
	p.segments = p.open(names)
}

func (p *patch) open(names []string) (segments []int) {
	var list []file
	for _, name := range names {
		meant := []file{folder{}.file(name)}
		if p.meant != nil {
			meant = p.meant(name)
		}
		for _, f := range meant {
			list = and(list, f)
		}
	}
	segments = p.reader.openFiles(Patch, list, p.scope, p.folder, func() int { return p.reader.further(Patch) })
	p.reader.join(segments)
	if len(list) == 1 && list[0] == (file{}) {
		p.reader.segments[segments[0]].unnamed = true
	}
	return segments
}

// also makes what follows count for another file beside the present one, and if it is moved there, what came before, too.
func (p *patch) also(moved bool, names ...string) {
	if p.any {
		return
	}
	before := ""
	if moved && len(p.segments) > 0 {
		before = p.reader.segments[p.segments[0]].text.String()
	}
	if len(p.segments) < maxPaths {
		more := p.open(names)
		p.reader.add(before, more...)
		p.segments = append(p.segments, more...)
		return
	}
	p.start()
	p.any, p.segments = true, []int{p.reader.further(Patch)}
	p.reader.add(before, p.segments...)
}

// stop ends a file.
func (p *patch) stop() {
	for _, segment := range p.segments {
		p.reader.close(segment)
	}
	p.segments = nil
}

// diffPath is the file that a unified diff changes; false if it takes it away.
func diffPath(from, to string) (string, bool) {
	from, to = diffName(from), diffName(to)
	if to == "/dev/null" {
		return "", false
	}
	prefixed := strings.HasPrefix(to, "b/") && (from == "" || from == "/dev/null" || strings.HasPrefix(from, "a/"))
	if prefixed {
		to = to[len("b/"):]
	}
	return to, true
}

// diffName reads a name of a unified diff: before a tab that a time follows, and
// without the quotes that git writes.
func diffName(text string) string {
	text, _, _ = strings.Cut(text, "\t")
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, `"`) {
		if name, err := strconv.Unquote(text); err == nil {
			return name
		}
	}
	return text
}

// marks tells whether a line is five or more of one of some characters with a text
// after them, as in `<<<<<<< SEARCH`.
func marks(line, characters, after string) bool {
	line = strings.TrimRight(line, " \t")
	head, ok := strings.CutSuffix(line, after)
	return ok && len(head) >= 5 && strings.IndexByte(characters, head[0]) >= 0 && strings.Trim(head, head[:1]) == ""
}
