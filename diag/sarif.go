package diag

import (
	"encoding/json"
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/pertain-dev/pertain/internal/visible"
)

// SARIFOptions describe the run for [SARIF].
type SARIFOptions struct {
	Version string // version of the program; empty is left out
	Root    string // absolute folder; files below it are named relative to it
	// Notices are what is to be said of the run itself, beside what it found. By
	// SARIF's Appendix I an error among them says that the results may not be complete.
	Notices []SARIFNotice
	// Failed says that the run ends with an exit code that denotes failure.
	Failed bool
}

// SARIFNotice says something about a run, such as that a file could not be read.
type SARIFNotice struct {
	Severity Severity
	Message  string
	File     string // absolute; "" if it is about none
}

type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool                `json:"tool"`
		ColumnKind  string                   `json:"columnKind"`
		URIBaseIDs  map[string]sarifArtifact `json:"originalUriBaseIds,omitempty"`
		Invocations []sarifInvocation        `json:"invocations"`
		Results     []sarifResult            `json:"results"`
	}
	sarifInvocation struct {
		ExecutionSuccessful bool                `json:"executionSuccessful"`
		Notifications       []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations,omitempty"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version,omitempty"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               Code      `json:"id"`
		ShortDescription sarifText `json:"shortDescription"`
		Default          struct {
			Level string `json:"level"`
		} `json:"defaultConfiguration"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID    Code            `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations,omitempty"`
		Related   []sarifLocation `json:"relatedLocations,omitempty"`
	}
	sarifLocation struct {
		ID       *int          `json:"id,omitempty"`
		Physical sarifPhysical `json:"physicalLocation"`
		Message  *sarifText    `json:"message,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI       string `json:"uri"`
		URIBaseID string `json:"uriBaseId,omitempty"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndLine     int `json:"endLine"`
		EndColumn   int `json:"endColumn"`
	}
)

// SARIF prints the list as a SARIF 2.1.0 log with one run, for code scanning
// services and editors.
func SARIF(w io.Writer, list List, opts SARIFOptions) error {
	run := sarifRun{
		Tool:        sarifTool{Driver: sarifDriver{Name: "pertain", Version: opts.Version, Rules: []sarifRule{}}},
		ColumnKind:  "unicodeCodePoints",
		Invocations: []sarifInvocation{{ExecutionSuccessful: !opts.Failed, Notifications: sarifNotices(opts)}},
		Results:     []sarifResult{},
	}
	if opts.Root != "" {
		run.URIBaseIDs = map[string]sarifArtifact{"ROOT": {URI: strings.TrimSuffix(fileURI(opts.Root), "/") + "/"}}
	}
	indexes := map[Code]int{}
	for _, d := range list {
		index, seen := indexes[d.Code]
		if !seen {
			index = len(run.Tool.Driver.Rules)
			indexes[d.Code] = index
			info, ours := d.Code.Info()
			if !ours { // a rule of the user's own
				info = CodeInfo{Code: d.Code, Severity: d.Severity, Sentence: d.Message}
			}
			rule := sarifRule{ID: d.Code, ShortDescription: sarifText{info.Sentence}}
			rule.Default.Level = sarifLevel(info.Severity)
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, rule)
		}
		result := sarifResult{RuleID: d.Code, RuleIndex: index, Level: sarifLevel(d.Severity), Message: sarifText{d.Sentence()}}
		if d.Source != nil {
			result.Locations = []sarifLocation{{Physical: physicalLocation(d.Source, d.Span, opts.Root)}}
		}
		for i, r := range d.Related {
			if r.Source != nil {
				result.Related = append(result.Related, sarifLocation{
					ID: &i, Physical: physicalLocation(r.Source, r.Span, opts.Root), Message: &sarifText{r.Message},
				})
			}
		}
		run.Results = append(run.Results, result)
	}
	enc := json.NewEncoder(visible.JSONWriter(w))
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(sarifLog{
		Schema:  "https://json.schemastore.org/sarif-2.1.0.json",
		Version: "2.1.0",
		Runs:    []sarifRun{run},
	})
}

func sarifNotices(opts SARIFOptions) []sarifNotification {
	var out []sarifNotification
	for _, n := range opts.Notices {
		notification := sarifNotification{Level: sarifLevel(n.Severity), Message: sarifText{n.Message}}
		if n.File != "" {
			notification.Locations = []sarifLocation{{Physical: sarifPhysical{Artifact: sarifFile(n.File, opts.Root)}}}
		}
		out = append(out, notification)
	}
	return out
}

func sarifLevel(s Severity) string {
	if s == Info {
		return "note"
	}
	return s.String()
}

func physicalLocation(s *Source, span Span, root string) sarifPhysical {
	location := sarifPhysical{Artifact: sarifFile(s.Name(), root)}
	if span.IsValid() {
		start, end := s.Position(span.Start), s.Position(span.End)
		location.Region = &sarifRegion{start.Line, start.Column, end.Line, end.Column}
	}
	return location
}

func sarifFile(name, root string) sarifArtifact {
	if rel, ok := below(slashed(root), slashed(name)); ok {
		return sarifArtifact{URI: (&url.URL{Path: rel}).String(), URIBaseID: "ROOT"}
	}
	return sarifArtifact{URI: fileURI(name)}
}

// below returns the way from a folder to a file in it, both with slashes.
func below(root, name string) (rel string, ok bool) {
	root = strings.TrimSuffix(root, "/") + "/"
	if isWindowsPath(root) && len(name) > len(root) && strings.EqualFold(name[:len(root)], root) {
		return name[len(root):], true
	}
	rel, ok = strings.CutPrefix(name, root)
	return rel, ok && root != "/" && rel != ""
}

// slashed writes a Windows path with slashes, on every system: a log may speak
// of files of another one.
func slashed(name string) string {
	if isWindowsPath(name) {
		return strings.ReplaceAll(name, `\`, "/")
	}
	return filepath.ToSlash(name)
}

// isWindowsPath is true for `C:\x`, `C:/x` and `\\server\share`.
func isWindowsPath(name string) bool {
	if strings.HasPrefix(name, `\\`) {
		return true
	}
	return len(name) > 2 && name[1] == ':' && (name[2] == '\\' || name[2] == '/') &&
		(name[0] >= 'a' && name[0] <= 'z' || name[0] >= 'A' && name[0] <= 'Z')
}

func fileURI(name string) string {
	path := slashed(name)
	switch {
	case strings.Contains(name, "://"): // skill://x is one already
		return name
	case isWindowsPath(name) && strings.HasPrefix(path, "//"):
		host, share, _ := strings.Cut(path[2:], "/")
		return (&url.URL{Scheme: "file", Host: host, Path: "/" + share}).String()
	case isWindowsPath(name):
		return (&url.URL{Scheme: "file", Path: "/" + path}).String() // C:/x becomes file:///C:/x
	case strings.HasPrefix(path, "/"):
		return (&url.URL{Scheme: "file", Path: path}).String()
	}
	return (&url.URL{Path: path}).String()
}
