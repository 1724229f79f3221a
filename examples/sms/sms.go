// Package sms sends text messages, each of which costs money. The directives
// on its methods say how many; go generate writes the wrapper that sees to it.
package sms

import (
	"context"
	"fmt"
	"io"
)

//go:generate go tool ratelimitgen

// SMSService sends text messages.
type SMSService struct {
	Gateway io.Writer // where the messages go
}

// SendVerifyCode texts a one-time code to mobile.
//
//ratelimit:key="sms:uid:"+userID limit=3 window=60s sliding fallback=SendFallback
func (s *SMSService) SendVerifyCode(ctx context.Context, userID int64, mobile string) error {
	return s.send(mobile, "your code is 493 027")
}

// SendFallback answers for SendVerifyCode when a user has asked too often.
func (s *SMSService) SendFallback(ctx context.Context, userID int64, mobile string) error {
	_, err := fmt.Fprintf(s.Gateway, "fallback: user %d is asked to try an authenticator app\n", userID)
	return err
}

// SendInvite texts an invitation of a user to mobile.
//
//ratelimit:key="invite:from:"+userID limit=4 window=24h sliding message="that is enough invitations for today"
//ratelimit:key="invite:to:"+mobile limit=1 window=2s sliding
func (s *SMSService) SendInvite(ctx context.Context, userID int64, mobile string) error {
	return s.send(mobile, "you are invited")
}

func (s *SMSService) send(mobile, text string) error {
	_, err := fmt.Fprintf(s.Gateway, "texted %s: %s\n", mobile, text)
	return err
}
