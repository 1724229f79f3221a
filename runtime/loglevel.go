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

// String returns "warn", "debug", "info", "error" or "off", as a directive has it.
func (l LogLevel) String() string {
	switch l {
	case LogWarn:
		return "warn"
	case LogDebug:
		return "debug"
	case LogInfo:
		return "info"
	case LogError:
		return "error"
	case LogOff:
		return "off"
	}
	return "unknown level"
}

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
