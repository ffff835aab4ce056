package hook

import (
	"context"
	"time"
)

// RunImpatiently is Run where the user's own rules are asked at once, and decide as soon as they can.
func RunImpatiently(ctx context.Context, call Call) int {
	return run(ctx, call, patience{0, 0, time.Minute})
}
