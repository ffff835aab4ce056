package rule

import "encoding/json"

// MarshalJSON writes the documented form (CONTRACT §5), the same wherever it is
// asked which rules apply to a file.
func (v Verdict) MarshalJSON() ([]byte, error) {
	var r Rule
	if v.Rule != nil {
		r = *v.Rule
	}
	return json.Marshal(struct {
		Name     string `json:"name"`
		Path     string `json:"path"`
		Provider string `json:"provider"`
		Applies  bool   `json:"applies"`
		Why      Why    `json:"why"`
		Glob     string `json:"glob,omitempty"`
		Note     string `json:"note,omitempty"`
		When     When   `json:"when,omitempty"`
	}{r.Name, r.Path, r.Provider, v.Applies, v.Why, v.Glob, v.Note, r.When})
}
