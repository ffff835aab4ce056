package pertain_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/docs/reference"
)

// sentenceSection is a section of the specification in conformance/sentences.yaml.
type sentenceSection struct {
	Document, Section, Title string
	Page                     string // of the reference, that explains it
	Sentences                []struct {
		ID, Says, Later, Note string
	}
}

// TestEverySentenceHasACase holds conformance/sentences.yaml against the cases.
func TestEverySentenceHasACase(t *testing.T) {
	paths, err := filepath.Glob(filepath.FromSlash("conformance/sentences*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var sections []sentenceSection
	for _, path := range paths {
		var more []sentenceSection
		if err := loadStrictly(path, &more); err != nil {
			t.Fatal(err)
		}
		sections = append(sections, more...)
	}
	cover := coverage{by: map[string][]string{}, ids: map[string]bool{}}
	for _, file := range loadCases(t) {
		cover.addFile(t, file)
	}
	known := map[string]bool{}
	for _, section := range sections {
		if topic, ok := strings.CutPrefix(strings.TrimSuffix(section.Page, ".md"), "docs/reference/"); !ok || !hasPage(topic) {
			t.Errorf("%s §%s has no page of the reference: %q", section.Document, section.Section, section.Page)
		}
		for _, s := range section.Sentences {
			switch {
			case known[s.ID]:
				t.Errorf("the sentence id %s is used twice", s.ID)
			case s.ID == "" || s.Says == "":
				t.Errorf("%s §%s has a sentence without id or text: %q", section.Document, section.Section, s.ID)
			case s.Later != "" && s.Note != "":
				t.Errorf("%s is both later and without a case", s.ID)
			case s.Note != "" && len(cover.by[s.ID]) > 0:
				t.Errorf("%s is said to have no case, but %s covers it", s.ID, cover.by[s.ID][0])
			case s.Note == "" && s.Later == "" && len(cover.by[s.ID]) == 0:
				t.Errorf("%s has no case: %s", s.ID, s.Says)
			}
			known[s.ID] = true
		}
	}
	for _, id := range sortedKeys(cover.by) {
		if !known[id] {
			t.Errorf("%s covers %s, which is no sentence", cover.by[id][0], id)
		}
	}
}

// coverage collects which cases name which sentences.
type coverage struct {
	by  map[string][]string // sentence id → case ids
	ids map[string]bool
}

func (c coverage) addFile(t *testing.T, file caseFile) {
	t.Helper()
	for _, one := range file.Cases {
		c.add(t, one.ID, one.Covers)
	}
	for _, table := range file.Lint {
		for _, row := range table.Rows {
			c.add(t, table.ID+"/"+row.ID, slices.Concat(table.Covers, row.Covers))
		}
	}
	for _, table := range file.Conditions {
		for _, row := range table.Rows {
			c.add(t, table.ID+"/"+row.ID, slices.Concat(table.Covers, row.Covers))
		}
	}
	for _, table := range file.Queries {
		for _, row := range table.Rows {
			c.add(t, table.ID+"/"+row.ID, slices.Concat(table.Covers, row.Covers))
		}
	}
}

func (c coverage) add(t *testing.T, id string, covers []string) {
	t.Helper()
	if c.ids[id] {
		t.Errorf("the case id %s is used twice", id)
	}
	c.ids[id] = true
	if len(covers) == 0 {
		t.Errorf("%s covers no sentence", id)
	}
	for _, sentence := range covers {
		c.by[sentence] = append(c.by[sentence], id)
	}
}

// hasPage tells whether the reference has a topic.
func hasPage(topic string) bool {
	_, ok := reference.Page(topic)
	return ok
}
