package match

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// The fields that conditions ask about.
var (
	url          = field{"extra.browser.active_tab.url", "browser_url"}
	title        = field{"extra.browser.active_tab.title", "browser_title"}
	domain       = field{"extra.browser.active_tab.domain", "browser_domain"}
	clipboard    = field{"clipboard.text", "clipboard_text"}
	selection    = field{"attachments.selection.text", "selection_text"}
	attached     = field{"attachments.text", "attached_text"}
	extension    = field{"attachments.files[].extension", "file_extensions"}
	mime         = field{"attachments.files[].mimeType", "file_types"}
	selected     = field{"extra.file_manager.selection.items[].extension", "item_extensions"}
	kinds        = field{"extra.file_manager.selection.items[].kind", "item_kinds"}
	itemSizes    = field{"extra.file_manager.selection.items[].size", "item_sizes"}
	files        = field{"attachments.files", "file_extensions"}
	process      = field{"//TopLevel/@process", "processes"}
	folder       = field{"extra.file_manager.current_folder.path", "folder_path"}
	system       = field{"environment.os", "system"}
	architecture = field{"environment.architecture", "architecture"}
	locale       = field{"environment.locale", "locale"}
	zone         = field{"environment.timeZone", "time_zone"}
	date         = field{"environment.currentDate", "date"}
	modalities   = field{"assistant.model.modalities", "modalities"}
	model        = field{"assistant.model.id", "model_id"}
	assistant    = field{"assistant.name", "assistant_name"}
	toolCalls    = field{"assistant.model.supportsToolCall", "tool_calls"}
	hasText      = field{"clipboard.hasText", "has_text"}
	hasImage     = field{"clipboard.hasImage", "has_image"}
	workspace    = field{"extra.workspace.name", "workspace_name"}
	branch       = field{"extra.workspace.git.branch", "git_branch"}
	hasChanges   = field{"extra.workspace.git.hasChanges", "has_changes"}
)

// Values that both conditions and contexts are made of.
var (
	extensions = strings.Fields(`.pdf .docx .txt .md .png .jpg .gif .svg .go .rs .py .ts .tsx .js .json .yaml .toml .xml .html .css
		.csv .xlsx .pptx .odt .ods .zip .tar .gz .7z .mp3 .wav .mp4 .mkv .mov .eml .ics .vcf .log .sql .sh .c .h .cpp .java .kt .swift .rb .php .lua .r
		.tex .bib .epub .psd .ai .blend .stl .dwg .ttf .ipynb`)
	processes = strings.Fields(`code firefox chrome nautilus thunderbird slack teams excel word powerpoint outlook figma gimp blender inkscape
		terminal konsole iterm vlc spotify obsidian zotero evince okular libreoffice dolphin explorer finder xcode idea goland pycharm rider
		datagrip dbeaver postman insomnia docker virtualbox steam discord telegram signal zoom webex skype notion todoist trello jira
		photoshop illustrator lightroom premiere audacity ardour reaper musescore calibre anki texstudio rstudio matlab octave qgis freecad
		kicad fritzing arduino putty filezilla winscp keepass bitwarden gedit kate mousepad emacs gvim sublime zed helix notepad`)
	systems    = []string{"linux", "windows", "macos"}
	chips      = []string{"amd64", "arm64"}
	locales    = []string{"en-us", "en-gb", "de-de", "fr-fr", "es-es", "it-it", "pt-br", "ja-jp", "zh-cn", "ko-kr", "pl-pl", "nl-nl", "sv-se", "cs-cz"}
	zones      = []string{"europe/berlin", "europe/paris", "america/new_york", "america/los_angeles", "asia/tokyo", "asia/shanghai", "australia/sydney", "africa/cairo"}
	models     = []string{"small-1", "small-2", "large-1", "large-2", "vision-1", "vision-2", "code-1", "code-2"}
	senses     = []string{"text", "image", "audio", "video", "pdf"}
	itemKinds  = []string{"file", "folder", "virtual", "unknown"}
	mimeKinds  = []string{"application/", "image/", "text/", "audio/", "video/", "font/"}
	branches   = []string{"main", "master", "develop", "feature/", "fix/", "release/", "hotfix/", "docs/"}
	assistants = []string{"writer", "coder", "translator", "researcher", "tutor", "analyst"}
)

// accented are words whose case is not ASCII's. Peers' regular expressions take
// their letters for no part of a word, so no other word may stand inside them.
var accented = strings.Fields("élève école garçon forêt château müller straße größe übung señor mañana ångström łódź kraków žižek façade")

// words are made of syllables, and a few are accented.
func words(r *rand.Rand, n int) []string {
	syllables := strings.Fields("ba co di fu ga hel in jo kar lem mo nat or pex qui ros sta ter ul vin wor xan yel zo tion ment ing")
	seen := map[string]bool{}
	out := slices.Clone(accented)
	for len(out) < n {
		var b strings.Builder
		for range 2 + r.IntN(3) {
			b.WriteString(syllables[r.IntN(len(syllables))])
		}
		if w := b.String(); len(w) > 3 && !seen[w] {
			seen[w] = true
			out = append(out, w)
		}
	}
	return out
}

// vocabulary is what conditions and contexts of one workload share.
type vocabulary struct {
	words      []string
	domains    []string
	workspaces []string
}

func newVocabulary(r *rand.Rand) vocabulary {
	v := vocabulary{words: words(r, 6000)}
	for i := range 300 {
		v.domains = append(v.domains, fmt.Sprintf("site%d-%s.%s", i, ascii(v.words[r.IntN(len(v.words))]), pick(r, []string{"com", "org", "dev", "net"})))
	}
	for range 30 {
		v.workspaces = append(v.workspaces, ascii(v.words[r.IntN(len(v.words))]))
	}
	return v
}

// ascii is a word that may stand in a host name or a regular expression.
func ascii(word string) string {
	return strings.Map(func(r rune) rune {
		if r >= 0x80 {
			return 'e'
		}
		return r
	}, word)
}

func pick(r *rand.Rand, list []string) string { return list[r.IntN(len(list))] }
