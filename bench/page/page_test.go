package page

import (
	"strings"
	"testing"
)

func TestFill(t *testing.T) {
	p := Page{"docs/some.md", "make some"}
	a, b := Block{"a", "| new |\n"}, Block{"b", "x\n"}
	text := "before\n" + p.Begin("a") + "old\n" + p.End("a") + "after\n"
	once, err := p.Fill(text, []Block{a})
	if err != nil || !strings.Contains(once, a.Text) || strings.Contains(once, "old") {
		t.Fatalf("got %v and\n%s", err, once)
	}
	if !strings.HasPrefix(once, "before\n") || !strings.HasSuffix(once, "after\n") {
		t.Errorf("what stands around the marks has changed:\n%s", once)
	}
	if twice, err := p.Fill(once, []Block{a}); err != nil || twice != once {
		t.Errorf("a second time changes it, %v:\n%s", err, twice)
	}
	if _, err := p.Fill(text, []Block{b}); err == nil || !strings.Contains(err.Error(), p.Begin("b")) {
		t.Errorf("a page without the marks: %v", err)
	}
}
