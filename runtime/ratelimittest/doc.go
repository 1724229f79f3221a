// Package ratelimittest helps to test code that takes a limiter or one of the
// generated wrappers.
//
//	sms := NewRateLimitedSMSService(service, ratelimittest.AllowAll())
package ratelimittest
