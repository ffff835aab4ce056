package httpapi

import "context"

type sourceQuery struct {
	ID string `json:"id" jsonschema:"id of the strategy"`
}

type sourceAnswer struct {
	ID       string   `json:"id"`
	File     string   `json:"file"`
	Text     string   `json:"text" jsonschema:"the whole file as it was loaded"`
	Includes []string `json:"includes" jsonschema:"files that its from names"`
}

// source is the file of a strategy, to be changed and tried. Only what is
// loaded as a strategy can be asked for: ids are names, never paths.
func (s *Server) source(_ context.Context, in sourceQuery) (sourceAnswer, error) {
	found, ok := s.workspace.Engine().Catalog().ByID(in.ID)
	if !ok {
		return sourceAnswer{}, s.unknownStrategy(in.ID)
	}
	out := sourceAnswer{ID: found.ID, File: found.Source.Name(), Text: found.Source.Text(), Includes: []string{}}
	for _, include := range found.Includes {
		out.Includes = append(out.Includes, include.Name())
	}
	return out, nil
}
