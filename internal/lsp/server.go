package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"

	"github.com/creachadair/jrpc2"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/files"
)

// Options say what a server works with.
type Options struct {
	Version string
	Open    func(dir string) (Folder, error) // what counts in a folder, by its absolute path
	Logger  *slog.Logger                     // for what goes wrong in the server itself; never a document's text
}

// server is one conversation with an editor.
type server struct {
	options Options
	frames  *frames
	disk    files.Tree // below the documents
	rpc     *jrpc2.Server

	mu          sync.Mutex // guards what is below
	phase       phase
	exit        int // the exit code
	by          encoding
	snippets    bool
	watches     bool     // the editor tells of files that change, if asked to
	refreshes   bool     // it asks for inlay hints again, if told to
	roots       []string // folders that it has open, absolute
	contextFile string   // that inlay hints are for, as the user chose it
	documents   map[string]*buffer
	folders     map[string]*folder

	work *diagnosing
}

// phase is how far a conversation is.
type phase uint8

const (
	fresh phase = iota
	running
	shutDown
)

// Error codes of the protocol beside those of JSON-RPC.
const (
	codeNotInitialized jrpc2.Code = -32002
	codeCancelled      jrpc2.Code = -32800
	codeFailed         jrpc2.Code = -32803
)

// Serve talks to an editor until it says goodbye or is gone. The code is that of the
// process: 0 after an orderly shutdown, else 1. The error is for what cannot be
// understood as messages at all.
func Serve(ctx context.Context, in io.Reader, out io.Writer, options Options) (code int, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &server{options: options, disk: files.OS(), exit: 1, by: utf16, documents: map[string]*buffer{}, folders: map[string]*folder{}, work: newDiagnosing()}
	s.frames = newFrames(in, out)
	s.rpc = jrpc2.NewServer(assigner{s}, &jrpc2.ServerOptions{
		AllowPush: true, DisableBuiltin: true, Concurrency: 4, NewContext: func() context.Context { return ctx },
	})
	var wg sync.WaitGroup
	wg.Go(func() { s.diagnose(ctx) })
	s.rpc.Start(patientChannel{s.frames, s})
	stop := context.AfterFunc(ctx, s.rpc.Stop)
	defer stop()
	_ = s.rpc.Wait() // what ended it is known better below
	cancel()
	s.work.stop()
	wg.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.phase == shutDown {
		s.exit = 0
	}
	if err := s.frames.failure(); err != nil && s.exit != 0 {
		return 1, err
	}
	return s.exit, nil
}

// patientChannel lets what was asked for be told before the end of input ends it.
type patientChannel struct {
	*frames
	server *server
}

func (c patientChannel) Recv() ([]byte, error) {
	data, err := c.frames.Recv()
	if err != nil {
		c.server.work.waitIdle()
	}
	return data, err
}

// method handles a request or notification.
type method func(s *server, ctx context.Context, params json.RawMessage) (any, error)

// methods is everything that is understood.
func methods() map[string]method {
	return map[string]method{
		"initialize":                          with((*server).initialize),
		"initialized":                         with((*server).initialized),
		"shutdown":                            with((*server).shutdown),
		"exit":                                with((*server).exitNow),
		"$/cancelRequest":                     with((*server).cancelRequest),
		"$/setTrace":                          with((*server).ignore),
		"textDocument/didOpen":                with((*server).didOpen),
		"textDocument/didChange":              with((*server).didChange),
		"textDocument/didSave":                with((*server).didSave),
		"textDocument/didClose":               with((*server).didClose),
		"workspace/didChangeConfiguration":    with((*server).didChangeConfiguration),
		"workspace/didChangeWatchedFiles":     with((*server).didChangeWatchedFiles),
		"textDocument/completion":             with((*server).completion),
		"textDocument/definition":             with((*server).definition),
		"textDocument/codeAction":             with((*server).codeActions),
		"textDocument/documentSymbol":         with((*server).documentSymbols),
		"textDocument/prepareRename":          with((*server).prepareRename),
		"textDocument/rename":                 with((*server).rename),
		"textDocument/formatting":             with((*server).formatting),
		"textDocument/hover":                  with((*server).hover),
		"textDocument/inlayHint":              with((*server).inlayHints),
		"workspace/didChangeWorkspaceFolders": with((*server).didChangeFolders),
	}
}

// with reads the parameters of a method.
func with[P any](handle func(s *server, ctx context.Context, params P) (any, error)) method {
	return func(s *server, ctx context.Context, params json.RawMessage) (any, error) {
		var p P
		if len(params) > 0 {
			if err := json.Unmarshal(params, &p); err != nil {
				return nil, jrpc2.Errorf(jrpc2.InvalidParams, "the parameters are not what this method takes")
			}
		}
		return handle(s, ctx, p)
	}
}

// assigner gives every method a handler, unknown ones too: each message that was
// handed out ends in one.
type assigner struct{ *server }

// Assign is [jrpc2.Assigner].
func (a assigner) Assign(_ context.Context, name string) jrpc2.Handler {
	handle := methods()[name]
	return func(ctx context.Context, request *jrpc2.Request) (any, error) {
		return a.handle(ctx, name, handle, request)
	}
}

func (s *server) handle(ctx context.Context, name string, handle method, request *jrpc2.Request) (result any, err error) {
	if request.IsNotification() && name != "$/cancelRequest" {
		defer s.frames.done("")
	}
	defer func() {
		if r := recover(); r != nil {
			s.options.Logger.Error("a method failed", "method", diag.Short(name), "why", fmt.Sprintf("%T", r))
			result, err = nil, jrpc2.Errorf(jrpc2.InternalError, "this request could not be answered")
		}
	}()
	if err := s.admits(name, request); err != nil {
		return nil, err
	}
	if handle == nil {
		return nil, jrpc2.Errorf(jrpc2.MethodNotFound, "there is no method `%s`", diag.Short(name))
	}
	var params json.RawMessage
	if err := request.UnmarshalParams(&params); err != nil {
		return nil, err
	}
	result, err = handle(s, ctx, params)
	if errors.Is(err, context.Canceled) || ctx.Err() != nil {
		return nil, jrpc2.Errorf(codeCancelled, "the request was cancelled")
	}
	return result, err
}

// admits refuses what comes at the wrong time.
func (s *server) admits(name string, request *jrpc2.Request) error {
	if !request.IsNotification() && s.frames.wasCancelled(request.ID()) {
		return jrpc2.Errorf(codeCancelled, "the request was cancelled")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case name == "exit" || name == "$/cancelRequest":
		return nil
	case s.phase == fresh && name != "initialize":
		return jrpc2.Errorf(codeNotInitialized, "the first request is `initialize`")
	case s.phase == running && name == "initialize":
		return jrpc2.Errorf(jrpc2.InvalidRequest, "`initialize` was sent before")
	case s.phase == shutDown:
		return jrpc2.Errorf(jrpc2.InvalidRequest, "the server was shut down")
	}
	return nil
}

// notify tells the editor something. One that is gone is told nothing.
func (s *server) notify(ctx context.Context, name string, params any) {
	_ = s.rpc.Notify(ctx, name, params)
}
