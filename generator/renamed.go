package generator

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/genfile"
)

// Renamed returns a line for each rule on the disk whose buckets would get
// another name in the store, or be left behind, if the files became what they
// shall be: what callers have used up would be forgotten. That is so where a
// rule's name changes and where its algorithm, window, tag or privacy does,
// which are part of that name. Rules are told apart by the variables that hold
// them. Files that cannot be read or do not parse have no rules.
func (r *Result) Renamed() []string {
	before, after := map[string]buckets{}, map[string]buckets{}
	for _, f := range r.Files {
		old, _ := genfile.ReadFile(f.Path)
		in := relative(r.dir, f.Path)
		maps.Copy(before, bucketsIn(in, old))
		maps.Copy(after, bucketsIn(in, f.Content))
	}
	var lines []string
	for _, id := range slices.Sorted(maps.Keys(before)) {
		line := before[id].fate(id, after)
		if line != "" && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return lines
}

// fate says what becomes of the buckets that the variable id has now, or "" if
// a rule goes on with them.
func (b buckets) fate(id string, after map[string]buckets) string {
	now, ok := b.heir(id, after)
	switch {
	case now == b:
		return ""
	case !ok:
		return fmt.Sprintf("the buckets of %s would be left behind", b.name)
	case now.name != b.name:
		return fmt.Sprintf("the buckets of %s would be those of %s", b.name, now.name)
	}
	return fmt.Sprintf("the buckets of %s would begin anew: %s", b.name, strings.Join(b.changes(now), ", "))
}

// heir are the buckets in the place of b: the same ones, or those of a rule of
// that name, or else those of the variable.
func (b buckets) heir(id string, after map[string]buckets) (heir buckets, ok bool) {
	heir, ok = after[id]
	if ok && heir.name == b.name {
		return heir, true
	}
	for _, other := range slices.Sorted(maps.Keys(after)) {
		if after[other].name == b.name {
			return after[other], true
		}
	}
	return heir, ok
}

// changes are those between rules of one name that give the buckets new ones.
func (b buckets) changes(now buckets) []string {
	var all []string
	if was, is := b.state(), now.state(); was != is {
		all = append(all, was+" becomes "+is)
	}
	if was, is := b.tagText(), now.tagText(); was != is {
		all = append(all, was+" becomes "+is)
	}
	switch {
	case b.private == now.private:
	case now.private:
		all = append(all, "keys become private")
	default:
		all = append(all, "keys are private no more")
	}
	return all
}
