package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/ratelimitgen/ratelimitgen/internal/redistest"
)

// what stands in the demo's output, whatever store decides.
var want = []string{
	`user 10086\s+passed\s+2\s+-\s+texted 555-0100`,
	`user 10086\s+passed\s+0\s+-\s+texted 555-0100`,
	`user 10086\s+refused\s+0\s+\S+s\s+fallback: user 10086`,
	`user 10087\s+passed\s+2\s+-\s+texted 555-0100`,
	`user 10086 to 555-0101\s+passed\s+0\s+-\s+texted 555-0101`,
	`user 10086 to 555-0101\s+refused\s+0\s+(2s|1\.\d+s)\s+error: .* limit of 1 call in any 2s reached`,
	`later \(a refused call has taken nothing`,
	`user 10086 to 555-0101\s+passed\s+0\s+-\s+texted 555-0101`,
	`user 10086 to 555-0104\s+refused\s+0\s+(24h0m0s|23h59m\S+)\s+error: that is enough invitations for today`,
}

func TestOutput(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	for name, url := range map[string]string{"memory": "", "redis": server.URL()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out := &bytes.Buffer{}
			if err := run(t.Context(), out, url); err != nil {
				t.Fatal(err)
			}
			rest := out.String()
			for _, line := range want {
				at := regexp.MustCompile(line).FindStringIndex(rest)
				if at == nil {
					t.Fatalf("after what matched before, no %q in\n%s", line, out)
				}
				rest = rest[at[1]:]
			}
		})
	}
}

func TestServerThatIsNotThere(t *testing.T) {
	t.Parallel()
	err := run(t.Context(), &bytes.Buffer{}, "redis://127.0.0.1:1/0")
	if err == nil || !strings.Contains(err.Error(), "127.0.0.1:1") {
		t.Errorf("got %v", err)
	}
	if err := run(t.Context(), &bytes.Buffer{}, "http://x"); err == nil || !strings.Contains(err.Error(), "REDIS_URL") {
		t.Errorf("got %v", err)
	}
}
