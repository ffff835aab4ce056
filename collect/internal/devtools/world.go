//go:build linux || windows

package devtools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"

	"github.com/coder/websocket"
)

// maxWorlds bounds how many are kept.
const maxWorlds = 64

// worlds are the isolated worlds that were made in pages, by the id of the page:
// what a page asks of its own objects, it may have written itself, and a page in
// the background that says of itself that it shows would be told as the one in front.
// In an isolated world the browser's own objects answer. A page keeps such a
// world until it is left, so each page gets one, and not one for each question.
type worlds struct {
	mu   sync.Mutex
	made map[string]int // execution contexts
}

func (w *worlds) of(page string) (int, bool) {
	if w == nil {
		return 0, false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	world, ok := w.made[page]
	return world, ok
}

func (w *worlds) keep(page string, world int) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.made == nil || len(w.made) >= maxWorlds {
		w.made = map[string]int{}
	}
	w.made[page] = world
}

// evaluate runs an expression in an isolated world of a page, of which at most
// limit bytes come back. It must not change anything there.
func (d debugger) evaluate(ctx context.Context, page, expression string, limit int64) (string, error) {
	s, err := d.open(ctx, "/devtools/page/"+page, limit)
	if err != nil {
		return "", err
	}
	defer s.close()
	if world, ok := d.worlds.of(page); ok {
		if said, err := s.evaluate(ctx, world, expression); !errors.As(err, new(*refused)) {
			return said, err
		}
	}
	world, err := s.isolate(ctx, page)
	if err != nil {
		return "", err
	}
	d.worlds.keep(page, world)
	return s.evaluate(ctx, world, expression)
}

// openPages are the pages of the browser, by id, with whether
// each is an open one and not a private one; known is false for a browser that does
// not tell.
func (d debugger) openPages(ctx context.Context) (open map[string]bool, known bool, err error) {
	address, err := d.browserPath(ctx)
	if err != nil {
		return nil, false, err
	}
	s, err := d.open(ctx, address, 4<<20)
	if err != nil {
		return nil, false, err
	}
	defer s.close()
	var contexts struct {
		Default string `json:"defaultBrowserContextId"`
	}
	if err := s.call(ctx, "Target.getBrowserContexts", nil, &contexts); err != nil || contexts.Default == "" {
		if errors.As(err, new(*refused)) {
			err = nil
		}
		return nil, false, err
	}
	var targets struct {
		Infos []struct {
			ID      string `json:"targetId"`
			Context string `json:"browserContextId"`
		} `json:"targetInfos"`
	}
	if err := s.call(ctx, "Target.getTargets", nil, &targets); err != nil {
		return nil, false, err
	}
	open = map[string]bool{}
	for _, target := range targets.Infos {
		open[target.ID] = target.Context == contexts.Default
	}
	return open, true, nil
}

// browserPath is where the browser itself is asked.
func (d debugger) browserPath(ctx context.Context) (string, error) {
	var version struct {
		Address string `json:"webSocketDebuggerUrl"`
	}
	if err := d.get(ctx, "/json/version", &version); err != nil {
		return "", err
	}
	address, err := http.NewRequestWithContext(ctx, http.MethodGet, version.Address, http.NoBody)
	if err != nil || address.URL.Path == "" {
		return "", errors.New("the port does not tell where the browser is asked")
	}
	return address.URL.Path, nil
}

// session is a connection to a page, or to the browser.
type session struct {
	conn *websocket.Conn
	last int // number of the last call
}

// open connects; at most limit bytes come with one answer.
func (d debugger) open(ctx context.Context, path string, limit int64) (*session, error) {
	conn, response, err := websocket.Dial(ctx, "ws://"+d.base+path, &websocket.DialOptions{HTTPClient: d.client})
	if response != nil && response.Body != nil {
		defer func() { _ = response.Body.Close() }()
	}
	if err != nil {
		return nil, err
	}
	conn.SetReadLimit(limit)
	return &session{conn: conn}, nil
}

func (s *session) close() { _ = s.conn.CloseNow() }

// refused is the browser's answer to a call that it cannot carry out.
type refused struct{ method string }

func (e *refused) Error() string { return "the browser refuses " + e.method }

// call calls a method and waits for its answer; other messages are passed over.
func (s *session) call(ctx context.Context, method string, params map[string]any, result any) error {
	s.last++
	data, err := json.Marshal(map[string]any{"id": s.last, "method": method, "params": params})
	if err != nil {
		return err
	}
	if err := s.conn.Write(ctx, websocket.MessageText, data); err != nil {
		return err
	}
	for range 32 {
		_, data, err := s.conn.Read(ctx)
		if err != nil {
			return err
		}
		var answer struct {
			ID     int             `json:"id"`
			Result json.RawMessage `json:"result"`
			Error  json.RawMessage `json:"error"`
		}
		if json.Unmarshal(data, &answer) != nil || answer.ID != s.last {
			continue
		}
		if answer.Error != nil {
			return &refused{method}
		}
		return json.Unmarshal(answer.Result, result)
	}
	return errors.New("the browser does not answer")
}

// evaluate runs an expression in a world of the page.
func (s *session) evaluate(ctx context.Context, world int, expression string) (string, error) {
	var answer struct {
		Result struct {
			Value any `json:"value"`
		} `json:"result"`
	}
	err := s.call(ctx, "Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "contextId": world}, &answer)
	return fmt.Sprint(answer.Result.Value), err
}

// isolate makes an isolated world in a page. Its main frame has the page's id,
// unless the page was loaded before it was asked for.
func (s *session) isolate(ctx context.Context, page string) (int, error) {
	world, err := s.isolateFrame(ctx, page)
	if !errors.As(err, new(*refused)) {
		return world, err
	}
	var tree struct {
		FrameTree struct {
			Frame struct {
				ID string `json:"id"`
			} `json:"frame"`
		} `json:"frameTree"`
	}
	if err := s.call(ctx, "Page.getFrameTree", nil, &tree); err != nil {
		return 0, err
	}
	return s.isolateFrame(ctx, tree.FrameTree.Frame.ID)
}

func (s *session) isolateFrame(ctx context.Context, frame string) (int, error) {
	var made struct {
		World int `json:"executionContextId"`
	}
	err := s.call(ctx, "Page.createIsolatedWorld", map[string]any{"frameId": frame, "worldName": "pertain"}, &made)
	return made.World, err
}
