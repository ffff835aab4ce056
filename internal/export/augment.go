package export

// augment says by `type` when a rule applies; it has no globs.
func augment() Form {
	return Form{
		Agent: "augment", Path: ".augment/rules", End: ".md", Deep: true, Memory: []string{".augment-guidelines"},
		User:   ".augment/rules",
		Always: "`type: always_apply`", Description: "`type: agent_requested`", Manual: "`type: manual`",
		fields: func(p *placed) []field {
			out := []field{word("type", [...]string{"always_apply", "agent_requested", "agent_requested", "manual", "manual"}[p.as])}
			return append(out, described(p.Description)...)
		},
	}
}
