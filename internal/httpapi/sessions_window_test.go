package httpapi

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"testing"
)

// TestSessionsUsedEarly holds that a session counts from the moment that its
// client hears of it: a request which comes before the first one has ended
// neither keeps the session for ever nor is ended under its client.
func TestSessionsUsedEarly(t *testing.T) {
	var ended []string
	hold, told := map[string]chan struct{}{}, make(chan string, 1)
	next := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.Header.Get(sessionHeader)
		switch {
		case r.Method == http.MethodDelete:
			ended = append(ended, id)
		case id == "":
			id = "s" + r.URL.RawQuery
			w.Header().Set(sessionHeader, id)
			w.WriteHeader(http.StatusOK) // the client knows it now
			if hold[id] != nil {
				told <- id
				<-hold[id]
			}
		case r.Method == http.MethodGet: // a stream
			told <- id
			<-hold[id+" stream"]
		}
	})
	s := newSessions(next, 3)
	ask := func(method, query, id string) {
		r := httptest.NewRequestWithContext(t.Context(), method, "/mcp?"+query, http.NoBody)
		if id != "" {
			r.Header.Set(sessionHeader, id)
		}
		s.ServeHTTP(httptest.NewRecorder(), r)
	}
	hold["s1"], hold["s2"], hold["s2 stream"] = make(chan struct{}), make(chan struct{}), make(chan struct{})
	first, second, stream := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() { defer close(first); ask("POST", "1", "") }()
	<-told
	ask("POST", "", "s1") // before the first has ended
	close(hold["s1"])
	<-first
	go func() { defer close(second); ask("POST", "2", "") }()
	<-told
	go func() { defer close(stream); ask("GET", "", "s2") }()
	<-told
	close(hold["s2"])
	<-second
	for i := 3; i <= 6; i++ {
		ask("POST", strconv.Itoa(i), "")
	}
	if !slices.Equal(ended, []string{"s1", "s3", "s4"}) {
		t.Errorf("ended were %v", ended)
	}
	close(hold["s2 stream"])
	<-stream
	ask("POST", "7", "")
	if s.known["s2"] == nil && !slices.Contains(ended, "s2") {
		t.Error("the session was lost")
	}
	for id, use := range s.known {
		if use.busy != 0 {
			t.Errorf("%s has %d requests under way", id, use.busy)
		}
	}
}
