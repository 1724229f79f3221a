// Package load measures how many calls pass in a span of time, and how long
// each takes, while so many callers call without a pause.
package load
