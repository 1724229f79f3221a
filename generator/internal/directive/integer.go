package directive

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// readIntExpr reads a whole number. What looks like no number is an
// expression.
func readIntExpr(item *Item) string {
	if numeric(item.Value) {
		return readInteger(item)
	}
	if percentage(item.Value) {
		return fmt.Sprintf("%s is a whole number, not %s", item.Name, item.Value)
	}
	if text, quoted := bare(item.Value); quoted && numeric(text) {
		return fmt.Sprintf("write %s=%s without quotes", item.Name, text)
	}
	return ""
}

func readInteger(item *Item) string {
	n, err := parseInteger(item.Value)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return fmt.Sprintf("%s is too large: %s", item.Name, item.Value)
	case err != nil:
		return fmt.Sprintf("%s is a whole number, not %s%s", item.Name, item.Value, rateHint(item))
	case n < item.Spec.Min:
		return fmt.Sprintf("%s is at least %d, not %s", item.Name, item.Spec.Min, item.Value)
	}
	item.Const, item.Int = true, n
	return ""
}

// rateHint says how a limit is written that is given by its window's length.
func rateHint(item *Item) string {
	number, per, _ := strings.Cut(item.Value, "/")
	if _, err := parseInteger(number); err != nil || window(per) == "" {
		return ""
	}
	return fmt.Sprintf(": write %s=%s window=%s", item.Name, number, window(per))
}

// window returns the duration that people write behind a limit and a slash,
// such as 60s, s or minute, or "" for what is none.
func window(per string) string {
	unit := strings.ToLower(per)
	if better := meant[unit]; better != "" {
		unit = better
	}
	if isUnit(unit) {
		return "1" + unit
	}
	if _, err := parseDuration(per); err != nil {
		return ""
	}
	return per
}

// numeric reports whether s is one word that starts as numbers do, or such a
// word by a window's length, as in 3/60s: what people write for a limit.
func numeric(s string) bool {
	number, per, _ := strings.Cut(s, "/")
	if per != "" && window(per) == "" {
		return false
	}
	digits := strings.TrimLeft(number, "+-.")
	return digits != "" && '0' <= digits[0] && digits[0] <= '9' && strings.IndexFunc(digits, notNumeric) < 0
}

// percentage reports whether s is a number with a sign that nothing follows, and
// so no remainder of a division.
func percentage(s string) bool {
	number, percent := strings.CutSuffix(s, "%")
	return percent && numeric(strings.TrimRight(number, blanks))
}

// thousands matches groups of digits behind the first one.
var thousands = regexp.MustCompile(`^(,[0-9]{3})+\b`)

// grouped reports commas within the number that item has.
func (p *parser) grouped(item *Item) {
	groups := thousands.FindString(p.text[p.pos:])
	if _, err := parseInteger(item.Value); err != nil || groups == "" {
		return
	}
	p.problem(p.pos, "a number has no commas: write %s=%s", item.Name, item.Value+strings.ReplaceAll(groups, ",", "_"))
	p.pos += len(groups)
	item.Bad = true
}

func notNumeric(r rune) bool { return notWord(r) && r != '.' }

// parseInteger reads decimal digits, with underscores between them and a
// minus before them.
func parseInteger(s string) (int64, error) {
	digits := strings.TrimPrefix(s, "-")
	for i, r := range digits {
		inner := i > 0 && i < len(digits)-1 && digits[i-1] != '_'
		if (r < '0' || r > '9') && (r != '_' || !inner) {
			return 0, strconv.ErrSyntax
		}
	}
	return strconv.ParseInt(strings.ReplaceAll(s, "_", ""), 10, 64)
}
