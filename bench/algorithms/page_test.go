package main

import (
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const root = "../.."

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestPageIsUpToDate(t *testing.T) {
	page := read(t, pageName)
	for _, b := range computed() {
		written, err := fill(page, []block{b})
		if err != nil {
			t.Fatal(err)
		}
		if written != page {
			t.Errorf("%s: the table %q is stale, run make docs; it is now\n%s", pageName, b.name, b.text)
		}
	}
}

func TestPictureIsUpToDate(t *testing.T) {
	if read(t, pictureName) != picture() {
		t.Errorf("%s is stale: run make docs", pictureName)
	}
}

func TestPictureIsXML(t *testing.T) {
	elements := 0
	for d := xml.NewDecoder(strings.NewReader(picture())); ; elements++ {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if elements < 1000 {
		t.Errorf("the picture has %d elements and texts, is it empty?", elements)
	}
}

// What has been measured is of one run, and says where.
func TestMeasuredTables(t *testing.T) {
	page := read(t, pageName)
	where := regexp.MustCompile(`(?m)^Measured with Redis \d.* on .*\.$`)
	var found []string
	for _, name := range []string{"memory", "cost"} {
		b := block{name: name}
		_, rest, _ := strings.Cut(page, b.begin())
		text, _, ends := strings.Cut(rest, b.end())
		if !ends || strings.Count(text, "\n| ") < 10 {
			t.Fatalf("%s: the table %q is not there: run make docs", pageName, name)
		}
		found = append(found, where.FindString(text))
	}
	if found[0] == "" || found[0] != found[1] {
		t.Errorf("the tables were measured at %q and at %q", found[0], found[1])
	}
}

var (
	links    = regexp.MustCompile(`\]\(([^)]+)\)`)
	headings = regexp.MustCompile(`(?m)^#+ (.+)$`)
	unspoken = regexp.MustCompile("[^a-z0-9 _-]")
)

// anchor is what GitHub calls a heading in links.
func anchor(heading string) string {
	return strings.ReplaceAll(unspoken.ReplaceAllString(strings.ToLower(heading), ""), " ", "-")
}

func TestLinks(t *testing.T) {
	page := read(t, pageName)
	anchors := map[string]bool{}
	for _, m := range headings.FindAllStringSubmatch(page, -1) {
		anchors["#"+anchor(m[1])] = true
	}
	for _, m := range links.FindAllStringSubmatch(page, -1) {
		switch to := m[1]; {
		case strings.HasPrefix(to, "https://"):
		case strings.HasPrefix(to, "#"):
			if !anchors[to] {
				t.Errorf("there is no heading %s", to)
			}
		default:
			if _, err := os.Stat(filepath.Join(root, "docs", to)); err != nil {
				t.Errorf("a link leads nowhere: %v", err)
			}
		}
	}
}

func TestFill(t *testing.T) {
	a, b := block{"a", "| new |\n"}, block{"b", "x\n"}
	page := "before\n" + a.begin() + "old\n" + a.end() + "after\n"
	once, err := fill(page, []block{a})
	if err != nil || !strings.Contains(once, a.text) || strings.Contains(once, "old") {
		t.Fatalf("got %v and\n%s", err, once)
	}
	if !strings.HasPrefix(once, "before\n") || !strings.HasSuffix(once, "after\n") {
		t.Errorf("what stands around the marks has changed:\n%s", once)
	}
	if twice, err := fill(once, []block{a}); err != nil || twice != once {
		t.Errorf("a second time changes it, %v:\n%s", err, twice)
	}
	if _, err := fill(page, []block{b}); err == nil || !strings.Contains(err.Error(), b.begin()) {
		t.Errorf("a page without the marks: %v", err)
	}
}
