package ratelimit_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/memory"
)

// What is left of a quota, for a page that shows it.
func ExampleLimiter_Peek() {
	limiter := ratelimit.New(memory.New())
	defer limiter.Close()
	exports := ratelimit.Rule{Name: "exports", Algorithm: ratelimit.FixedWindow, Limit: 3, Window: time.Hour}
	ctx := context.Background()

	limiter.Admit(ctx, exports.For("ann"))
	for range 2 { // looking takes nothing
		d, err := limiter.Peek(ctx, exports.For("ann"))
		fmt.Println(d.Remaining, "of", d.Limit, "left,", "error:", err)
	}
	// Output:
	// 2 of 3 left, error: <nil>
	// 2 of 3 left, error: <nil>
}

// As many of a heap of mails as may be sent now; the others have to wait.
func ExampleLimiter_AcquireAtMost() {
	limiter := ratelimit.New(memory.New())
	defer limiter.Close()
	mails := ratelimit.Rule{
		Name: "mails", Algorithm: ratelimit.FixedWindow, Limit: 100, Window: time.Hour, Log: ratelimit.LogOff,
	}
	ctx := context.Background()

	for waiting := int64(130); ; {
		d, err := limiter.AcquireAtMost(ctx, waiting, mails.For("ann"))
		if err != nil {
			fmt.Println(err) // no decision could be made
			return
		}
		if !d.Allowed {
			fmt.Println(waiting, "wait for about", d.RetryAfter.Round(time.Hour))
			return
		}
		waiting -= d.Granted
		fmt.Println(d.Granted, "are sent")
	}
	// Output:
	// 100 are sent
	// 30 wait for about 1h0m0s
}

// What the rule says of a call's end: only messages that were sent count.
func ExampleLimiter_Settle() {
	limiter := ratelimit.New(memory.New())
	defer limiter.Close()
	codes := ratelimit.Rule{
		Name: "codes", Algorithm: ratelimit.SlidingWindow, Limit: 3, Window: time.Minute, Refund: ratelimit.OnError,
	}
	ctx := context.Background()

	for _, outcome := range []error{errors.New("gateway is down"), nil} {
		d, err := limiter.Admit(ctx, codes.For("ann"))
		if err != nil {
			fmt.Println(err)
			return
		}
		limiter.Settle(ctx, d, outcome)
		left, _ := limiter.Peek(ctx, codes.For("ann"))
		fmt.Println("sent:", outcome == nil, "left:", left.Remaining)
	}
	// Output:
	// sent: false left: 3
	// sent: true left: 2
}

// An order that is cancelled later gives its place back: to rules that have a
// Refund, whatever that says.
func ExampleLimiter_Refund() {
	limiter := ratelimit.New(memory.New())
	defer limiter.Close()
	orders := ratelimit.Rule{
		Name: "orders", Algorithm: ratelimit.FixedWindow, Limit: 5, Window: time.Hour, Refund: ratelimit.OnError,
	}
	ctx := context.Background()

	d, err := limiter.Admit(ctx, orders.For("ann").WithCost(2))
	fmt.Println("ordered, left:", d.Remaining, "error:", err)
	fmt.Println("cancelled:", limiter.Refund(ctx, d))
	fmt.Println("cancelled twice:", limiter.Refund(ctx, d))
	d, _ = limiter.Peek(ctx, orders.For("ann"))
	fmt.Println("left:", d.Remaining)
	// Output:
	// ordered, left: 3 error: <nil>
	// cancelled: <nil>
	// cancelled twice: the decision has been refunded already
	// left: 5
}

// A user who has called support may try again at once.
func ExampleLimiter_Reset() {
	limiter := ratelimit.New(memory.New())
	defer limiter.Close()
	logins := ratelimit.Rule{
		Name: "logins", Algorithm: ratelimit.SlidingWindow, Limit: 1, Window: time.Hour, Log: ratelimit.LogOff,
	}
	ctx := context.Background()
	login := func() {
		_, err := limiter.Admit(ctx, logins.For("ann"))
		fmt.Println("refused:", errors.Is(err, ratelimit.ErrLimited))
	}

	login()
	login()
	if err := limiter.Reset(ctx, logins.For("ann")); err != nil {
		fmt.Println(err)
	}
	login()
	// Output:
	// refused: false
	// refused: true
	// refused: false
}
