package genfile

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"
)

// Kind says which of the packages of a folder a file belongs to.
type Kind int

const (
	Base     Kind = iota // the package itself
	Test                 // the package with its _test.go files
	External             // the external test package
)

// Set is what the files of a package have in common whose directives go into
// one generated file.
type Set struct {
	Kind       Kind
	Constraint Constraint
}

// external is in the names of files of the external test package, and of no
// others.
const external = "_ext_"

// Name is the name of the generated file of a set. It tells the constraint in
// words, linux && amd64 as linux_amd64, !race as notrace, a || b as a_or_b.
// Where these words could be read otherwise, by people or by the go command,
// there is a digest behind them.
func (s Set) Name() string {
	name := prefix
	if s.Kind == External {
		name += external
	}
	if s.Constraint != "" {
		name = strings.TrimSuffix(name, "_") + "_" + s.Constraint.words()
	}
	if s.Kind != Base {
		name = strings.TrimSuffix(name, "_") + "_test"
	}
	return name + ".go"
}

// Covers reports whether whatever is built with files of s has those of other
// as well.
func (s Set) Covers(other Set) bool {
	if s.Kind != other.Kind && (s.Kind != Test || other.Kind != Base) {
		return false
	}
	return s.Constraint.Implies(other.Constraint)
}

// Meets reports whether a build may have files of both sets.
func (s Set) Meets(other Set) bool {
	apart := s.Kind != other.Kind && (s.Kind == External || other.Kind == External)
	return !apart && !s.Constraint.Implies("!("+other.Constraint+")")
}

var (
	plainTag = regexp.MustCompile(`^!?[a-z][a-z0-9]*$`)
	notWords = regexp.MustCompile(`[^a-z0-9]+`)
)

// maxWords is the most bytes of a constraint that a file's name has.
const maxWords = 40

// words is the constraint as a part of a file's name, different for each.
func (c Constraint) words() string {
	text, plain := c.spell()
	if plain && c.Implies(nameConstraint(prefix+"_"+text+".go")) {
		return text
	}
	if strings.HasPrefix(prefix+"_"+text+"_", prefix+external) {
		text = "tag_" + text
	}
	return text + "_" + c.digest()
}

func (c Constraint) digest() string {
	sum := sha256.Sum256([]byte(c))
	return hex.EncodeToString(sum[:4])
}

// spell writes a constraint in words, and reports whether only it is written
// so.
func (c Constraint) spell() (words string, plain bool) {
	parts, separator := strings.Split(string(c), " && "), "_"
	if alternatives := strings.Split(string(c), " || "); len(alternatives) > 1 && len(parts) == 1 {
		parts, separator = alternatives, "_or_"
	}
	plain = !slices.ContainsFunc(parts, func(tag string) bool { return !unmistakable(tag) })
	words = strings.Join(parts, separator)
	words = strings.ReplaceAll(words, " || ", " or ")
	words = strings.ReplaceAll(words, "!", " not")
	words = strings.ReplaceAll(words, separator+" ", separator)
	words = strings.Trim(notWords.ReplaceAllString(strings.ToLower(words), "_"), "_")
	if len(words) > maxWords {
		return strings.Trim(words[:maxWords], "_"), false
	}
	return words, plain
}

// unmistakable reports whether a tag, negated or not, is read in the name of a
// file as what it is.
func unmistakable(tag string) bool {
	bare := strings.TrimPrefix(tag, "!")
	reserved := bare == "or" || bare == "ext" || bare == "test" || strings.HasPrefix(bare, "not")
	return plainTag.MatchString(tag) && !reserved
}
