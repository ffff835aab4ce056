package modeltest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
)

// maxBody is how much of a request is read.
const maxBody = 64 << 20

// Script answers requests. It is called by one goroutine at a time.
type Script func(*Request) Answer

// Server is a model on the loopback.
type Server struct {
	URL string // without a slash at its end

	server *httptest.Server
	script Script

	mu       sync.Mutex
	requests []*Request
	serial   int
}

// Start starts a model. The caller closes it.
func Start(script Script) *Server {
	s := &Server{script: script}
	s.server = httptest.NewServer(s)
	s.URL = s.server.URL
	return s
}

// Close ends the model and all of its answers.
func (s *Server) Close() {
	s.server.CloseClientConnections()
	s.server.Close()
}

// Requests are all that were made so far, in order, those without an answer of the
// script left out.
func (s *Server) Requests() []*Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*Request(nil), s.requests...)
}

// Saw tells whether a word was in a request.
func (s *Server) Saw(word string) bool {
	for _, r := range s.Requests() {
		if r.Has(word) {
			return true
		}
	}
	return false
}

// ServeHTTP goes by the path, whatever stands before it.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		return
	}
	path := r.URL.Path
	switch {
	case r.Header.Get("Upgrade") != "":
		w.WriteHeader(http.StatusUpgradeRequired)
	case strings.HasSuffix(path, "/messages/count_tokens"):
		reply(w, map[string]any{"input_tokens": len(body) / 4})
	case strings.HasSuffix(path, ":countTokens"):
		reply(w, map[string]any{"totalTokens": len(body) / 4})
	case strings.HasSuffix(path, "/models") && r.Method == http.MethodGet:
		reply(w, map[string]any{"object": "list", "data": []any{map[string]any{"id": "scripted", "object": "model", "type": "model", "display_name": "Scripted"}}})
	case strings.HasSuffix(path, "/messages"):
		s.answer(w, r, body, Messages)
	case strings.HasSuffix(path, "/chat/completions"):
		s.answer(w, r, body, Chat)
	case strings.HasSuffix(path, "/responses"):
		s.answer(w, r, body, Responses)
	case strings.HasSuffix(path, ":generateContent"), strings.HasSuffix(path, ":streamGenerateContent"):
		s.answer(w, r, body, Gemini)
	default:
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, `{"error":{"type":"not_found_error","message":"this model does not know that path"}}`)
	}
}

func reply(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(value)
}

// answer asks the script and writes what it says.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, body []byte, api API) {
	request, err := read(api, r, body)
	if err != nil {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"error":{"type":"invalid_request_error","message":"the request is no JSON"}}`)
		return
	}
	s.mu.Lock()
	s.serial++
	request.Number = s.serial
	s.requests = append(s.requests, request)
	answer := s.script(request)
	s.mu.Unlock()
	if answer.Status != 0 {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(answer.Status)
		_, _ = io.WriteString(w, answer.Body)
		return
	}
	events, whole := writers[api](request, answer)
	if !request.Stream {
		reply(w, whole)
		return
	}
	newSender(w, r, api, answer).send(events)
}

// writers write an answer in each API: as events, and whole.
var writers = map[API]func(*Request, Answer) (events []event, whole any){
	Messages: messages, Chat: chat, Responses: responses, Gemini: gemini,
}
