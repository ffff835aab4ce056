package mcpserver_test

import (
	"context"
	"errors"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pertain-dev/pertain/internal/mcpserver"
)

func fileURI(dir string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(dir)}).String()
}

// rulesOf are the names of the rules that apply to a new file, as text.
func rulesOf(t *testing.T, b *bench) (names string, failed bool) {
	t.Helper()
	got := call(t, b, "rules_for_files", `{"text":false,"files":["a.ts"]}`)
	return text(got), got.IsError
}

// TestRootsOfACancelledRequest holds that a request which is taken back before
// the client has named its roots does not keep the session from them, nor does a
// client that fails to name them once.
func TestRootsOfACancelledRequest(t *testing.T) {
	own := world(t, map[string]string{".cursor/rules/own.mdc": ruleText})
	root := world(t, map[string]string{".cursor/rules/theirs.mdc": ruleText})
	b := &bench{}
	options := b.options(t, own)
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	client.AddRoots(&mcp.Root{URI: fileURI(root)}) //nolint:staticcheck // as clients of older versions do
	asked, name := make(chan struct{}, 10), make(chan struct{})
	client.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if method == "roots/list" {
				asked <- struct{}{}
				select {
				case <-name:
				case <-ctx.Done():
					return nil, ctx.Err()
				}
			}
			return next(ctx, method, req)
		}
	})
	b.start(t, options, client, legacy)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := b.CallTool(ctx, &mcp.CallToolParams{Name: "rules_for_files", Arguments: map[string]any{"files": []string{"a.ts"}}})
		done <- err
	}()
	<-asked
	cancel()
	if err := <-done; err == nil {
		t.Error("a request that was taken back was answered")
	}
	close(name)
	for range 3 {
		if names, failed := rulesOf(t, b); failed || !strings.Contains(names, "theirs") || strings.Contains(names, "own") {
			t.Errorf("got %s", names)
		}
	}
}

// TestRootsThatFail holds that a client which cannot name its roots for a moment
// keeps those that it had, and that a folder which cannot be opened is not
// answered for by another.
func TestRootsThatFail(t *testing.T) {
	own := world(t, map[string]string{".cursor/rules/own.mdc": ruleText})
	first := world(t, map[string]string{".cursor/rules/first.mdc": ruleText})
	second := world(t, map[string]string{".cursor/rules/second.mdc": ruleText})
	b := &bench{}
	options := b.options(t, own)
	var closed atomic.Bool // Open fails
	open := options.Open
	options.Open = func(ctx context.Context, dir string) (mcpserver.Workspace, error) {
		if closed.Load() {
			return nil, errors.New("not now")
		}
		return open(ctx, dir)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	client.AddRoots(&mcp.Root{URI: fileURI(first)}) //nolint:staticcheck // as clients of older versions do
	var silent atomic.Bool                          // roots/list fails
	asked := make(chan struct{}, 100)
	client.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if method == "roots/list" {
				asked <- struct{}{}
				if silent.Load() {
					return nil, errors.New("not now")
				}
			}
			return next(ctx, method, req)
		}
	})
	b.start(t, options, client, legacy)
	if names, failed := rulesOf(t, b); failed || !strings.Contains(names, "first") {
		t.Fatalf("got %s", names)
	}
	if _, err := b.ListResources(t.Context(), nil); err != nil { // so that the session looks at once when roots change
		t.Fatal(err)
	}
	silent.Store(true)
	for len(asked) > 0 {
		<-asked
	}
	client.AddRoots(&mcp.Root{URI: fileURI(second)}) //nolint:staticcheck // likewise
	<-asked
	if names, failed := rulesOf(t, b); failed || !strings.Contains(names, "first") || strings.Contains(names, "own") {
		t.Errorf("roots that are not named now: got %s", names)
	}
	silent.Store(false)
	closed.Store(true)
	client.RemoveRoots(fileURI(first)) //nolint:staticcheck // likewise
	for began := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		if _, failed := rulesOf(t, b); failed {
			break
		}
		if time.Since(began) > 20*time.Second {
			t.Fatal("the roots of before are answered for")
		}
	}
	for range 3 {
		if names, failed := rulesOf(t, b); !failed {
			t.Errorf("a folder that cannot be opened: got %s", names)
		}
	}
	closed.Store(false)
	if names, failed := rulesOf(t, b); failed || !strings.Contains(names, "second") || strings.Contains(names, "first") {
		t.Errorf("got %s", names)
	}
}

// TestRulesOfOneName holds that each root's rule of a name has an address of its
// own, which leads to its text, and is listed, followed and completed.
func TestRulesOfOneName(t *testing.T) {
	of := func(name string) string {
		return world(t, map[string]string{
			"AGENTS.md":              "AGENTS of " + name + ".\n",
			"packages/api/AGENTS.md": "API of " + name + ".\n",
			".omp/rules/trig.md":     "---\ncondition: [\"f[o]rbidden\"]\nscope: [text]\n---\nTRIG of " + name + ".\n",
			"skills/pdf/SKILL.md":    "---\nname: pdf\ndescription: d\n---\nSKILL of " + name + ".\n",
		})
	}
	a, b2 := of("A"), of("B")
	b := connect(t, legacy, world(t, nil), fileURI(a), fileURI(b2))
	read := func(uri string) string {
		t.Helper()
		result, err := b.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		if err != nil {
			t.Errorf("%s: %v", uri, err)
			return ""
		}
		return result.Contents[0].Text
	}
	uris := map[string]string{} // by text
	list, err := b.ListResources(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range list.Resources {
		if text := read(r.URI); strings.Contains(text, " of ") {
			text = text[strings.LastIndex(strings.TrimSpace(text), "\n")+1:]
			uris[strings.TrimSpace(text)] = r.URI
		}
	}
	for _, kind := range []string{"AGENTS", "TRIG", "SKILL"} {
		for _, name := range []string{"A", "B"} {
			if uris[kind+" of "+name+"."] == "" {
				t.Errorf("%s of %s is not listed: %v", kind, name, uris)
			}
		}
	}
	for dir, name := range map[string]string{a: "A", b2: "B"} {
		got := call(t, b, "rules_for_files", `{"text":false,"files":["`+filepath.ToSlash(dir)+`/packages/api/x.ts"]}`)
		n := 0
		for _, r := range decode(t, text(got)).(map[string]any)["rules"].([]any) {
			n++
			if text := read(r.(map[string]any)["uri"].(string)); !strings.Contains(text, " of "+name) {
				t.Errorf("%s: %v leads to %s", name, r, text)
			}
		}
		if n < 2 {
			t.Errorf("%s: %s", name, text(got))
		}
	}
	got := call(t, b, "check_text", `{"text":"this is forbidden"}`)
	var broken []string
	for _, r := range decode(t, text(got)).(map[string]any)["broken"].([]any) {
		rule := r.(map[string]any)
		if there := read(rule["uri"].(string)); there != rule["text"] {
			t.Errorf("%v leads to %s", rule, there)
		}
		broken = append(broken, rule["text"].(string))
	}
	if len(broken) != 2 || broken[0] == broken[1] {
		t.Errorf("broken are %v", broken)
	}
	second := uris["AGENTS of B."]
	if err := b.Subscribe(t.Context(), &mcp.SubscribeParams{URI: second}); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(b2, "AGENTS.md"), "AGENTS of B, changed.\n")
	b.wait(t, "updated "+second)
	offered, err := b.Complete(t.Context(), &mcp.CompleteParams{
		Ref: &mcp.CompleteReference{Type: "ref/resource", URI: "rule://{+name}"}, Argument: mcp.CompleteParamsArgument{Name: "name", Value: "AGENTS"},
	})
	if err != nil || !slices.Contains(offered.Completion.Values, "AGENTS") || !slices.Contains(offered.Completion.Values, strings.TrimPrefix(second, "rule://")) {
		t.Errorf("offered are %v, %v", offered, err)
	}
	if _, err := b.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "rule://AGENTS?root=nowhere"}); err == nil || !strings.Contains(err.Error(), "there is no root `nowhere`") {
		t.Errorf("got %v", err)
	}
}

// TestFirstListIsNoNews holds that a client is not told of changes for having
// asked for the first time.
func TestFirstListIsNoNews(t *testing.T) {
	dir := everything(t)
	b := connect(t, legacy, dir)
	s := func() *space { return b.spaces[dir] }
	if _, err := b.ListResources(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	s().mu.Lock()
	s().context = `{"attachments":{"selection":{"text":"hello"}}}`
	s().mu.Unlock()
	if _, err := b.ListPrompts(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	time.Sleep(100 * time.Millisecond) // ten times what the SDK waits before it tells
	// What comes next is in order after whatever was told before.
	write(t, filepath.Join(dir, ".cursor/rules/new.mdc"), ruleText)
	s().tell(t, "rules")
	b.wait(t, "resources")
	time.Sleep(50 * time.Millisecond) // what would be told besides comes at once
	if len(b.news) > 0 {
		t.Errorf("the client was also told of %s", <-b.news)
	}
}
