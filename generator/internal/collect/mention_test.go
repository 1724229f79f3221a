package collect

import "testing"

func TestMentions(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]bool{
		"package a\n":                                        false,
		"//ratelimit:limit=1\n":                              true,
		"\t//ratelimit:limit=1\r\n":                          true,
		"x := 1 //ratelimit:limit=1\n":                       true,
		"// see // ratelimit:limit=1\n":                      true,
		"// ratelimit:key=id limit=1\n":                      true,
		"//Ratelimit:limit=1\n":                              true,
		"//rate_limit:limit=1\n":                             true,
		"//ratelimt:limit=1\n":                               true,
		"/* ratelimit:limit=1 */\n":                          true,
		"/*\n * ratelimit:limit=1\n */\n":                    true,
		"/*ratlimit:limit=1*/\n":                             true,
		"x := 1 /* a */ /* ratelimt:limit=1 */\n":            true,
		"/* a\n*/ /* ratelimt:limit=1 */\n":                  true,
		"//ratelimit\n":                                      true,
		"//ratelimit skip\n":                                 true,
		"/// ratelimit：limit=1\n":                            true,
		"//\tratelimit:limit=1\n":                            true,
		"/* this separates: rate limits */\n":                false,
		"/*\n\nRateLimit: limit=1\n*/\n":                     true,
		"/* a */ // b := c\n":                                false,
		"//go:generate go tool ratelimitgen\n":               false,
		"// The rate limit is 3: see below.\n":               false,
		"//\t//ratelimit:limit=1\n":                          true,
		"s := \"http://example.com/?ratelimit=1\"\n":         false,
		"x := a /* b */ / c // d = e\n":                      false,
		"import ratelimit \"example.com/ratelimit/runtime\"": false,
	} {
		if got := Mentions([]byte(src)); got != want {
			t.Errorf("Mentions(%q) = %v", src, got)
		}
	}
}
