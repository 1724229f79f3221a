package ratelimit

import "log/slog"

// LogLevel is the level of the record of a refusal.
type LogLevel uint8

const (
	LogWarn LogLevel = iota
	LogDebug
	LogInfo
	LogError
	LogOff // no record

	logLevels
)

func (l LogLevel) slog() slog.Level {
	switch l {
	case LogDebug:
		return slog.LevelDebug
	case LogInfo:
		return slog.LevelInfo
	case LogError:
		return slog.LevelError
	default:
		return slog.LevelWarn
	}
}
