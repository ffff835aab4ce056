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
		Provider string `json:"provider"`
		Applies  bool   `json:"applies"`
		Why      Why    `json:"why"`
		Glob     string `json:"glob,omitempty"`
		Note     string `json:"note,omitempty"`
	}{r.Name, r.Provider, v.Applies, v.Why, v.Glob, v.Note})
}
