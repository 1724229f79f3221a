package ratelimit_test

import (
	"slices"
	"strings"
	"testing"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// keyOf joins parts as generated code does.
func keyOf(parts []string) string {
	var key []byte
	for i, part := range parts {
		if i > 0 {
			key = append(key, ',')
		}
		key = ratelimit.AppendPart(key, part)
	}
	return string(key)
}

func TestAppendPart(t *testing.T) {
	t.Parallel()
	for want, parts := range map[string][]string{
		`a,b`:        {"a", "b"},
		`a\,b`:       {"a,b"},
		`,`:          {"", ""},
		`\,`:         {","},
		`a\\,b`:      {`a\`, "b"},
		`\\\,,\\`:    {`\,`, `\`},
		`ü,\,ü\\,ü`:  {"ü", `,ü\`, "ü"},
		`7,a:b,true`: {"7", "a:b", "true"},
	} {
		if got := keyOf(parts); got != want {
			t.Errorf("the parts %q make %s, want %s", parts, got, want)
		}
	}
	for _, part := range []string{"", "abc", "a,b", `\`, `,,\\`} {
		if got, want := ratelimit.Part(part), string(ratelimit.AppendPart(nil, part)); got != want {
			t.Errorf("Part(%q) = %q, want %q", part, got, want)
		}
	}
}

// FuzzParts looks for two lists of parts that make one key.
func FuzzParts(f *testing.F) {
	for _, lists := range [][2]string{{"a|b", "a,b"}, {`a\|b`, `a|\b`}, {`|`, `,`}, {`\,`, `\|`}, {"a||b", "a|,b"}} {
		f.Add(lists[0], lists[1])
	}
	f.Fuzz(func(t *testing.T, one, other string) {
		a, b := strings.Split(one, "|"), strings.Split(other, "|")
		if same := slices.Equal(a, b); same != (keyOf(a) == keyOf(b)) {
			t.Errorf("the parts %q make %s and %q make %s", a, keyOf(a), b, keyOf(b))
		}
		if got := split(keyOf(a)); !slices.Equal(got, a) {
			t.Errorf("the parts %q make %s, which reads as %q", a, keyOf(a), got)
		}
	})
}

// split takes a key apart again.
func split(key string) []string {
	parts := []string{""}
	for i := 0; i < len(key); i++ {
		last := len(parts) - 1
		switch key[i] {
		case ',':
			parts = append(parts, "")
		case '\\':
			i++
			parts[last] += key[i : i+1]
		default:
			parts[last] += key[i : i+1]
		}
	}
	return parts
}

func TestHash(t *testing.T) {
	t.Parallel()
	if got, want := ratelimit.Hash("abc"), "ba7816bf8f01cfea414140de5dae2223"; got != want {
		t.Errorf("Hash(abc) = %s, want %s: it must never change", got, want)
	}
	if ratelimit.Hash("") == ratelimit.Hash("\x00") {
		t.Error("two texts have one hash")
	}
}

func TestPartOfPlainTextAllocatesNothing(t *testing.T) {
	text := strings.Repeat("user:", 20)
	if n := testing.AllocsPerRun(100, func() { ratelimit.Part(text) }); n > 0 {
		t.Errorf("Part allocates %v times", n)
	}
}
