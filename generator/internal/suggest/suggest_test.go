package suggest

import "testing"

func TestNearest(t *testing.T) {
	known := []string{"key", "by", "limit", "window", "sliding", "fallback", "userID", "send_fallback", "größe"}
	for name, want := range map[string]string{
		"limit":        "limit",
		"lmit":         "limit",
		"limits":       "limit",
		"Limit":        "limit",
		"lim it":       "limit",
		"ilmit":        "limit",
		"LIMIT":        "limit",
		"keys":         "key",
		"kye":          "key",
		"ky":           "key",
		"slidng":       "sliding",
		"fallbck":      "fallback",
		"fallbakc":     "fallback",
		"userid":       "userID",
		"user_id":      "userID",
		"SendFallback": "send_fallback",
		"gröse":        "größe",

		"":        "",
		"x":       "",
		"rate":    "",
		"timeout": "",
		"kkk":     "",
		"li":      "",
	} {
		if got := Nearest(name, known); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", name, got, want)
		}
	}
	if got := Nearest("abcdef", []string{"abcdeg", "abcdeh"}); got != "abcdeg" {
		t.Errorf("of equally near names %q wins, want the first", got)
	}
	if got := Nearest("x", nil); got != "" {
		t.Errorf("without names %q is near", got)
	}
}

func TestDidYouMean(t *testing.T) {
	if got := DidYouMean("lmit", []string{"limit"}); got != "; did you mean limit?" {
		t.Errorf("DidYouMean = %q", got)
	}
	if got := DidYouMean("nothing", []string{"limit"}); got != "" {
		t.Errorf("DidYouMean = %q, want none", got)
	}
}

func TestDistance(t *testing.T) {
	tests := []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"a", "", 1}, {"", "abc", 3}, {"abc", "abc", 0},
		{"abc", "abd", 1}, {"abc", "acb", 1}, {"abc", "cab", 2}, {"ca", "abc", 3},
		{"kitten", "sitting", 3}, {"größe", "grösse", 2}, {"ab", "ba", 1},
	}
	for _, tt := range tests {
		if got, back := Distance(tt.a, tt.b), Distance(tt.b, tt.a); got != tt.want || back != tt.want {
			t.Errorf("Distance(%q, %q) = %d and back %d, want %d", tt.a, tt.b, got, back, tt.want)
		}
	}
}
