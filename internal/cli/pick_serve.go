package cli

import (
	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain/internal/service"
)

// servePick is pick for a command that asks the service: it lists what is recommended,
// and makes plans for as long as the command stays. What was collected is gone with it.
func (a *app) servePick(cmd *cobra.Command, flags pickFlags) error {
	ctx, caller := cmd.Context(), a.call.guest.caller
	desk, err := a.pickFrom(cmd, &flags)
	if err != nil {
		return err
	}
	if flags.menu != "" {
		if err := desk.complete(ctx); err != nil {
			return err
		}
	}
	if a.call.guest.unsent.Load() {
		return usage("this depends on more than was sent") // the caller looks itself
	}
	if err := caller.Send(service.KindList, serviceListOf(desk)); err != nil {
		return err
	}
	a.call.guest.host.count("pick")
	for {
		frame, ok := caller.Next(ctx)
		if !ok {
			return ctx.Err()
		}
		var choice serviceChoice
		if err := frame.Decode(&choice); err != nil {
			return err
		}
		if err := a.serveChoice(cmd, desk, frame.Kind, choice); err != nil {
			return err
		}
	}
}

func (a *app) serveChoice(cmd *cobra.Command, desk *pickDesk, kind string, choice serviceChoice) error {
	caller := a.call.guest.caller
	switch kind {
	case service.KindPlan:
		x, err := desk.plan(cmd.Context(), choice.ID, choice.Input)
		if err != nil {
			return err
		}
		return caller.Send(kind, servicePlanOf(x))
	case service.KindExplain:
		for _, item := range desk.items {
			if item.Strategy.ID == choice.ID {
				return caller.Send(kind, desk.explain(item))
			}
		}
		return caller.Send(kind, "")
	}
	return usage("an unknown question")
}

func serviceListOf(desk *pickDesk) serviceList {
	list := serviceList{Front: desk.before}
	for _, item := range desk.items {
		list.Items = append(list.Items, serviceItem{
			ID: item.Strategy.ID, Name: item.Strategy.Name, Title: item.Title, Description: item.Strategy.Description, Icon: item.Strategy.Icon,
			Permissions: item.Permissions, Reason: item.reason, Input: item.input,
		})
	}
	return list
}
