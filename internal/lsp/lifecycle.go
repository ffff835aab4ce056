package lsp

import (
	"context"
)

// shutdown ends the work; what follows is `exit`.
func (s *server) shutdown(context.Context, struct{}) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.phase = shutDown
	return nil, nil
}

// exitNow ends the conversation.
func (s *server) exitNow(context.Context, struct{}) (any, error) {
	s.mu.Lock()
	if s.phase == shutDown {
		s.exit = 0
	}
	s.mu.Unlock()
	s.rpc.Stop()
	return nil, nil
}

// cancelRequest cancels a request that is being answered; one that waits is refused
// when its turn comes.
func (s *server) cancelRequest(_ context.Context, params cancelParams) (any, error) {
	s.rpc.CancelRequest(string(params.ID))
	return nil, nil
}

// ignore takes what there is nothing to do about.
func (s *server) ignore(context.Context, any) (any, error) { return nil, nil }
