package page

import "strings"

// Table is a table in Markdown.
type Table struct {
	Head []string
	Rows [][]string
}

// Add adds a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

// Numbers returns the table with all columns but the first to the right.
func (t *Table) Numbers() string { return t.write("---:") }

// Words returns the table with all columns to the left.
func (t *Table) Words() string { return t.write("---") }

func (t *Table) write(rule string) string {
	var out strings.Builder
	line := func(cells []string) { out.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	line(t.Head)
	rules := []string{"---"}
	for range t.Head[1:] {
		rules = append(rules, rule)
	}
	line(rules)
	for _, row := range t.Rows {
		line(row)
	}
	return out.String()
}
