package ratelimit

import (
	"context"
	"log/slog"
	"os"
	"strconv"
	"sync"
)

// Env is the number that the environment variable name holds, or missing where
// it is unset, empty or no whole number of 64 bits; the latter is logged as an
// error, once. A variable is read once, at its first use in the process.
func (l *Limiter) Env(name string, missing int64) int64 {
	return environment.number(name, missing, &l.orNone().log)
}

// Config is the number of that name in the program's own configuration, which
// [WithConfig] has told the Limiter of, or missing where there is none.
func (l *Limiter) Config(name string, missing int64) int64 {
	if l.orNone().config == nil {
		return missing
	}
	if n, ok := l.config(name); ok {
		return n
	}
	return missing
}

// variables are environment variables that have been read.
type variables struct {
	read sync.Map // of func() (int64, bool) by name
}

var environment variables

func (v *variables) number(name string, missing int64, log *journal) int64 {
	known, ok := v.read.Load(name)
	if !ok {
		known, _ = v.read.LoadOrStore(name, sync.OnceValues(func() (int64, bool) { return parseVariable(name, log) }))
	}
	if n, ok := known.(func() (int64, bool))(); ok {
		return n
	}
	return missing
}

func parseVariable(name string, log *journal) (int64, bool) {
	text := os.Getenv(name)
	if text == "" {
		return 0, false
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		log.write(context.Background(), slog.LevelError, "environment variable is no number, the default holds", 0,
			slog.String("variable", name), slog.String("value", text))
		return 0, false
	}
	return n, true
}
