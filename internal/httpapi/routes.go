package httpapi

// routes is the whole API, in the order of its description.
func routes() []route {
	return []route{
		get("/api/v1/match", "What is recommended now, in order, with the reasons", (*Server).matchNow),
		post("/api/v1/match", "What would be recommended in a given context", (*Server).matchGiven),
		post("/api/v1/explain", "The condition of one strategy with the result of every part", (*Server).explain),
		post("/api/v1/run", "The finished prompt of one strategy", (*Server).run),
		get("/api/v1/problems", "What is wrong with strategy files, each with the line and a caret", (*Server).problems),
		get("/api/v1/rules", "The rules that agents see here, in order of precedence", (*Server).rules),
		get("/api/v1/rules/text", "The text of one rule", (*Server).ruleText),
		get("/api/v1/rules/for", "Which rules apply to files, and why", (*Server).rulesFor),
		post("/api/v1/try", "Check a strategy that is not saved yet, in a given context", (*Server).try),
		post("/api/v1/query", "What a visual query selects in a given context", (*Server).query),
	}
}
