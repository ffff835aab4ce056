package lsp

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/pertain-dev/pertain/internal/files"
)

type initializeResult struct {
	Capabilities map[string]any `json:"capabilities"`
	ServerInfo   struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	} `json:"serverInfo"`
}

// initialize learns what the editor can, and tells what the server can.
func (s *server) initialize(_ context.Context, params initializeParams) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.phase = running
	if slices.Contains(params.Capabilities.General.PositionEncodings, string(utf8s)) {
		s.by = utf8s
	}
	s.snippets = params.Capabilities.TextDocument.Completion.CompletionItem.SnippetSupport
	s.watches = params.Capabilities.Workspace.DidChangeWatchedFiles.DynamicRegistration
	s.refreshes = params.Capabilities.Workspace.InlayHint.RefreshSupport
	for _, f := range params.WorkspaceFolders {
		s.addRoot(f.URI)
	}
	if len(s.roots) == 0 && params.RootURI != nil {
		s.addRoot(*params.RootURI)
	}
	if len(s.roots) == 0 && params.RootPath != nil && files.Native().IsAbs(*params.RootPath) {
		s.roots = append(s.roots, files.Native().Clean(*params.RootPath))
	}
	s.configure(params.Options)

	var result initializeResult
	result.ServerInfo.Name, result.ServerInfo.Version = "pertain", s.options.Version
	result.Capabilities = map[string]any{
		"positionEncoding":           s.by,
		"textDocumentSync":           map[string]any{"openClose": true, "change": 2, "save": map[string]any{"includeText": false}},
		"completionProvider":         map[string]any{"triggerCharacters": []string{".", "{", "/", "@", "[", "(", "\"", "'", ":", " "}},
		"hoverProvider":              true,
		"inlayHintProvider":          true,
		"definitionProvider":         true,
		"documentSymbolProvider":     true,
		"documentFormattingProvider": true,
		"renameProvider":             map[string]any{"prepareProvider": true},
		"codeActionProvider":         map[string]any{"codeActionKinds": []string{quickFix, fixAll}},
		"workspace":                  map[string]any{"workspaceFolders": map[string]any{"supported": true, "changeNotifications": true}},
	}
	return result, nil
}

func (s *server) addRoot(uri string) {
	if path, ok := pathOf(uri); ok && !slices.Contains(s.roots, path) {
		s.roots = append(s.roots, path)
	}
}

// preferences are what the user sets in the editor.
type preferences struct {
	Context *string `json:"context"` // the context file of inlay hints
}

// configure takes the user's settings of the editor: as such, or below `pertain`.
func (s *server) configure(raw json.RawMessage) {
	var own preferences
	var below struct {
		Pertain *preferences `json:"pertain"`
	}
	if json.Unmarshal(raw, &below) == nil && below.Pertain != nil {
		own = *below.Pertain
	} else if json.Unmarshal(raw, &own) != nil {
		return // settings of something else
	}
	if own.Context != nil {
		s.contextFile = *own.Context
	}
}

// initialized asks to be told of files that change beside the editor.
func (s *server) initialized(ctx context.Context, _ struct{}) (any, error) {
	s.mu.Lock()
	watches := s.watches
	s.mu.Unlock()
	if watches {
		watchers := []map[string]any{{"globPattern": "**/*.md"}, {"globPattern": "**/*.mdc"}, {"globPattern": "**/*.context.{json,yaml}"}, {"globPattern": "**/*.strategy.test.yaml"}}
		registration := map[string]any{"id": "files", "method": "workspace/didChangeWatchedFiles", "registerOptions": map[string]any{"watchers": watchers}}
		go func() { // its answer comes while other messages are handled
			_, _ = s.rpc.Callback(context.WithoutCancel(ctx), "client/registerCapability", map[string]any{"registrations": []any{registration}})
		}()
	}
	return nil, nil
}

type configurationParams struct {
	Settings json.RawMessage `json:"settings"`
}

// didChangeConfiguration takes other settings of the editor.
func (s *server) didChangeConfiguration(ctx context.Context, params configurationParams) (any, error) {
	s.mu.Lock()
	s.configure(params.Settings)
	s.mu.Unlock()
	s.refreshInlay(ctx)
	return nil, nil
}

// refreshInlay has the editor ask for inlay hints again.
func (s *server) refreshInlay(ctx context.Context) {
	s.mu.Lock()
	refreshes := s.refreshes
	s.mu.Unlock()
	if refreshes {
		go func() { _, _ = s.rpc.Callback(context.WithoutCancel(ctx), "workspace/inlayHint/refresh", nil) }()
	}
}

type foldersParams struct {
	Event struct {
		Added   []workspaceFolder `json:"added"`
		Removed []workspaceFolder `json:"removed"`
	} `json:"event"`
}

// didChangeFolders opens and closes folders.
func (s *server) didChangeFolders(_ context.Context, params foldersParams) (any, error) {
	s.mu.Lock()
	for _, f := range params.Event.Removed {
		if path, ok := pathOf(f.URI); ok {
			s.roots = slices.DeleteFunc(s.roots, func(root string) bool { return root == path })
		}
	}
	for _, f := range params.Event.Added {
		s.addRoot(f.URI)
	}
	s.folders = map[string]*folder{} // a document may belong to another one now
	s.mu.Unlock()
	s.changedFiles()
	return nil, nil
}
