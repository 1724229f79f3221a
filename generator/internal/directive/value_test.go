package directive

import (
	"testing"
	"time"
)

func TestParseDuration(t *testing.T) {
	good := map[string]time.Duration{
		"1us":           time.Microsecond,
		"500ms":         500 * time.Millisecond,
		"60s":           time.Minute,
		"1h30m":         90 * time.Minute,
		"7d":            7 * 24 * time.Hour,
		"2w":            14 * 24 * time.Hour,
		"1w2d3h4m5s6ms": (9*24+3)*time.Hour + 4*time.Minute + 5*time.Second + 6*time.Millisecond,
		"007s":          7 * time.Second,
		"0s":            0,
		"1h0m":          time.Hour,
		"15250w":        15250 * 7 * 24 * time.Hour,
	}
	for s, want := range good {
		if got, err := parseDuration(s); err != nil || got != want {
			t.Errorf("parseDuration(%q) = %v, %v, want %v", s, got, err, want)
		}
	}
	for _, s := range []string{
		"", "s", "60", "1.5h", "1,5h", "-1s", "+1s", "1h1h", "1m1h", "1m30", "1M", "1y", "1mo", "1 s", "1s ", "1e3s", "0x1s", "１s",
		"15251w", "9223372036854775808us", "99999999999999999999s", "2562047788015h", "15250w9999999h",
	} {
		if got, err := parseDuration(s); err == nil {
			t.Errorf("parseDuration(%q) = %v, want an error", s, got)
		}
	}
}

func TestParseInteger(t *testing.T) {
	for s, want := range map[string]int64{
		"0": 0, "3": 3, "-3": -3, "1_000": 1000, "9223372036854775807": 1<<63 - 1, "-9223372036854775808": -1 << 63, "007": 7,
	} {
		if got, err := parseInteger(s); err != nil || got != want {
			t.Errorf("parseInteger(%q) = %d, %v, want %d", s, got, err, want)
		}
	}
	for _, s := range []string{"", "-", "+3", "--3", "_1", "1_", "1__0", "3.0", "1e3", "0x1", "３", "9223372036854775808", " 1"} {
		if got, err := parseInteger(s); err == nil {
			t.Errorf("parseInteger(%q) = %d, want an error", s, got)
		}
	}
}

func TestUnquote(t *testing.T) {
	for s, want := range map[string]string{
		`"a"`:              "a",
		`'a'`:              "a",
		"`a\\n`":           `a\n`,
		`"a\"b'c"`:         `a"b'c`,
		`'a"b\'c\\'`:       `a"b'c\`,
		`'\n\t\x41\u00e9'`: "\n\tAé",
		`""`:               "",
		`''`:               "",
	} {
		if got, err := unquote(s); err != nil || got != want {
			t.Errorf("unquote(%s) = %q, %v, want %q", s, got, err, want)
		}
	}
	for _, s := range []string{`"`, `'`, `"a`, `"a'`, `'a"`, `"\q"`, `'\q'`, `"a"b`, `"\xff"`, `'\'`} {
		if got, err := unquote(s); err == nil {
			t.Errorf("unquote(%s) = %q, want an error", s, got)
		}
	}
}
