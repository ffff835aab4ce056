package httpapi

import (
	"net/http"
	"reflect"
)

// routes is the whole API, in the order of its description.
func routes() []route {
	return []route{
		get("/api/v1/match", "What is recommended now, in order, with the reasons", (*Server).matchNow),
		post("/api/v1/match", "What would be recommended in a given context", (*Server).matchGiven),
		post("/api/v1/explain", "The condition of one strategy with the result of every part", (*Server).explain),
		post("/api/v1/run", "The finished prompt of one strategy", (*Server).run),
		get("/api/v1/context", "What is known now, and its values where they are asked for", (*Server).contextNow),
		get("/api/v1/strategies/text", "The file of one strategy", (*Server).source),
		get("/api/v1/problems", "What is wrong with strategy files, each with the line and a caret", (*Server).problems),
		inTurn(get("/api/v1/rules", "The rules that agents see here, in order of precedence", (*Server).rules)),
		get("/api/v1/agents", "The agents whose rules can be asked for", (*Server).agents),
		inTurn(get("/api/v1/rules/text", "The text of one rule", (*Server).ruleText)),
		inTurn(get("/api/v1/rules/for", "Which rules apply to files, and why", (*Server).rulesFor)),
		get("/api/v1/fleet", "What rules did on all machines of a fleet: by rule, agent, repository and day", (*Server).fleet),
		post("/api/v1/try", "Check a strategy that is not saved yet, in a given context", (*Server).try),
		get(askPath, "Whether a model can be asked from here, and which", (*Server).askOffered),
		post("/api/v1/query", "What a visual query selects in a given context", (*Server).query),
	}
}

// askPath is where a model is asked.
const askPath = "/api/v1/ask"

// extra is an address that is not of the table above: its answer is a stream or a
// text, or it needs no token.
type extra struct {
	path, summary string
	in            reflect.Type // of a body, which is posted; nil: it is asked with GET
	media         string       // type of the answer
	out           reflect.Type // of an answer in JSON; nil: any object, or text
	public        bool         // needs no token
	resumes       bool         // a client that was cut off can say where
	handler       func(s *Server) http.HandlerFunc
}

type healthAnswer struct {
	Status string `json:"status" jsonschema:"ok"`
}

func (e extra) method() string {
	if e.in != nil {
		return http.MethodPost
	}
	return http.MethodGet
}

func extras() []extra {
	return []extra{
		{
			path: askPath, media: "text/event-stream", in: reflect.TypeFor[askInput](),
			summary: "Sends the prompt of one strategy to the model of the user's settings. Server-sent events: `begin` {\"model\", \"leftOut\"}, `piece` {\"text\"}, " +
				"`rule` {\"rule\", \"action\", \"anew\"}, and at last `end` {\"complete\", \"cut\", \"stop\"} or `failed` {\"message\"}",
			handler: func(s *Server) http.HandlerFunc { return s.serveAsk },
		},
		{
			path: "/api/v1/events", media: "text/event-stream",
			summary: "Server-sent events: `change` {\"part\": \"strategies|rules|skills|context\"}, `recommendations` {\"ids\": [...]}, `notice` {\"code\", \"message\"}",
			resumes: true,
			handler: func(s *Server) http.HandlerFunc { return s.serveEvents },
		},
		{
			path: "/api/v1/openapi.json", media: "application/json", summary: "This description",
			handler: func(*Server) http.HandlerFunc { return serveOpenAPI },
		},
		{
			path: "/metrics", media: "text/plain", summary: "Counts and times, for Prometheus",
			handler: func(s *Server) http.HandlerFunc { return s.metrics.serve },
		},
		{
			path: "/healthz", media: "application/json", summary: "A sign of life", out: reflect.TypeFor[healthAnswer](), public: true,
			handler: func(*Server) http.HandlerFunc { return serveHealth },
		},
	}
}
