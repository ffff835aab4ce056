package cli

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/internal/service"
	"github.com/pertain-dev/pertain/strategy"
)

// serviceList is what there is to choose from, as the service tells it.
type serviceList struct {
	Items []serviceItem `json:"items"`
	Front front         `json:"front"` // that is typed into; the zero value: it is not known, or not asked for
}

type serviceItem struct {
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	Title       string   `json:"title,omitempty"`
	Description string   `json:"description,omitempty"`
	Icon        string   `json:"icon,omitempty"`
	Permissions []string `json:"permissions,omitempty"`
	Reason      string   `json:"reason,omitempty"`
	Input       bool     `json:"input,omitempty"`
}

// serviceChoice asks for the plan of an item, or why it is on the list.
type serviceChoice struct {
	ID    string `json:"id"`
	Input string `json:"input,omitempty"`
}

// serviceDesk makes plans in the service, for as long as the connection stands.
type serviceDesk struct {
	list serviceList

	mu        sync.Mutex // one question at a time
	conn      *service.Conn
	explained map[string]string // by id; the screen is drawn more often than it changes
}

// planTime is how long the service may take for a plan: preprocessors read files.
const planTime = 30 * time.Second

// errServiceGone ends a choice whose service has ended meanwhile.
var errServiceGone = errors.New("the service ended while you chose; try again")

// askForList lets the service say what is recommended; nil: it does not.
func (a *app) askForList(cmd *cobra.Command, flags *pickFlags) (*pickDesk, error) {
	if a.call.guest != nil || !flags.where.noStdin && !cmd.Flags().Changed("selection") && a.isPiped() {
		return nil, nil
	}
	switch flags.then {
	case thenPrint, thenCopy, thenType, thenRun:
	default:
		return nil, nil
	}
	conn := a.toService(cmd.Context(), flags.where, service.AskPick)
	if conn == nil {
		return nil, nil
	}
	context.AfterFunc(cmd.Context(), conn.Close)
	frame, failed := conn.Receive(answerTime)
	if err := cmd.Context().Err(); err != nil {
		return nil, err
	}
	asked := &serviceDesk{conn: conn, explained: map[string]string{}}
	switch {
	case failed == nil && frame.Kind == service.KindAnswer:
		conn.Close()
		return nil, a.problem(frame.Body)
	case failed != nil || frame.Kind != service.KindList || frame.Decode(&asked.list) != nil || len(asked.list.Items) == 0:
		conn.Close()
		return nil, nil //nolint:nilerr // whatever it was, this command can do without
	}
	desk := &pickDesk{service: asked, before: asked.list.Front}
	for _, item := range asked.list.Items {
		desk.items = append(desk.items, pickItem{
			Candidate: pertain.Candidate{
				Strategy: &strategy.Strategy{ID: item.ID, Name: item.Name, Description: item.Description, Icon: item.Icon},
				Title:    item.Title, Permissions: item.Permissions,
			},
			reason: item.Reason, input: item.Input,
		})
	}
	return desk, nil
}

// ask puts a question and waits for its answer.
func (d *serviceDesk) ask(ctx context.Context, kind string, choice serviceChoice, wait time.Duration) (service.Frame, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return service.Frame{}, err
	}
	if d.conn.Send(kind, choice, takenTime) != nil {
		return service.Frame{}, errServiceGone
	}
	frame, err := d.conn.Receive(wait)
	if err != nil || frame.Kind != kind {
		d.conn.Close() // what comes late would be the answer to another question
		return service.Frame{}, errServiceGone
	}
	return frame, nil
}

func (d *serviceDesk) explain(id string) string {
	d.mu.Lock()
	text, known := d.explained[id]
	d.mu.Unlock()
	if known {
		return text
	}
	frame, err := d.ask(context.Background(), service.KindExplain, serviceChoice{ID: id}, answerTime)
	if err == nil {
		_ = frame.Decode(&text)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.explained[id] = text
	return text
}

func (d *serviceDesk) plan(ctx context.Context, id, input string) (pertain.Execution, error) {
	frame, err := d.ask(ctx, service.KindPlan, serviceChoice{ID: id, Input: input}, planTime)
	if err != nil {
		return pertain.Execution{}, err
	}
	var sent servicePlan
	if frame.Decode(&sent) != nil {
		return pertain.Execution{}, errServiceGone
	}
	return sent.execution(id), nil
}
