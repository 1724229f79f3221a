package main

import (
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ratelimitgen/ratelimitgen/bench/page"
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
	text := read(t, thePage.Name)
	for _, b := range computed() {
		written, err := thePage.Fill(text, []page.Block{b})
		if err != nil {
			t.Fatal(err)
		}
		if written != text {
			t.Errorf("%s: the table %q is stale, run make docs; it is now\n%s", thePage.Name, b.Name, b.Text)
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
	whole := read(t, thePage.Name)
	where := regexp.MustCompile(`(?m)^Measured with Redis \d.* on .*\.$`)
	var found []string
	for _, name := range []string{"memory", "cost"} {
		_, rest, _ := strings.Cut(whole, thePage.Begin(name))
		text, _, ends := strings.Cut(rest, thePage.End(name))
		if !ends || strings.Count(text, "\n| ") < 10 {
			t.Fatalf("%s: the table %q is not there: run make docs", thePage.Name, name)
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
	text := read(t, thePage.Name)
	anchors := map[string]bool{}
	for _, m := range headings.FindAllStringSubmatch(text, -1) {
		anchors["#"+anchor(m[1])] = true
	}
	for _, m := range links.FindAllStringSubmatch(text, -1) {
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
