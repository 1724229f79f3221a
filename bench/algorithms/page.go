package main

import (
	"fmt"
	"strings"
)

// block is a text that stands on the page between two marks.
type block struct{ name, text string }

func (b block) begin() string { return "<!-- begin " + b.name + ", written by make docs -->\n" }

func (b block) end() string { return "<!-- end " + b.name + " -->\n" }

// fill puts the blocks between their marks, in place of what stands there.
func fill(page string, blocks []block) (string, error) {
	for _, b := range blocks {
		before, rest, begins := strings.Cut(page, b.begin())
		_, after, ends := strings.Cut(rest, b.end())
		if !begins || !ends {
			return "", fmt.Errorf("%s has no place for %s: add\n%s%s", pageName, b.name, b.begin(), b.end())
		}
		page = before + b.begin() + "\n" + b.text + "\n" + b.end() + after
	}
	return page, nil
}

// table is a table in Markdown. Numbers, in all columns but the first, stand
// to the right.
type table struct {
	head []string
	rows [][]string
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// String returns the table with its numbers to the right.
func (t *table) String() string { return t.write("---:") }

// words returns the table with all cells to the left.
func (t *table) words() string { return t.write("---") }

func (t *table) write(rule string) string {
	var out strings.Builder
	line := func(cells []string) { out.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	line(t.head)
	rules := []string{"---"}
	for range t.head[1:] {
		rules = append(rules, rule)
	}
	line(rules)
	for _, row := range t.rows {
		line(row)
	}
	return out.String()
}
