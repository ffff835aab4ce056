package collect

import "context"

func (d *desktop) dataControl(ctx context.Context) (clipboardSource, error) { return nil, errRefused }
