package layout

import (
	"flag"
	"go/format"
	"go/scanner"
	"go/token"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/genfile"
)

func init() { fewest = 1 }

// TestGenerated takes the formats of all generated files of the golden cases
// away, repeats their declarations with other names, and compares with gofmt.
func TestGenerated(t *testing.T) {
	t.Parallel()
	archives, err := filepath.Glob("../../../testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	random := rand.New(rand.NewPCG(1, 1))
	for _, path := range archives {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			if !strings.HasPrefix(f.Name, "want/") || !strings.HasSuffix(f.Name, ".go") {
				continue
			}
			_, src, _ := strings.Cut(string(f.Data), genfile.Header)
			src = repeat(t, genfile.Header+src, random)
			if _, ok := byShape([]string{src}); !ok {
				t.Errorf("%s: %s is not formatted by shape", path, f.Name)
			}
			same(t, path+": "+f.Name, src)
		}
	}
}

// TestStandardLibrary does so with code that nobody generated.
func TestStandardLibrary(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(runtime.GOROOT(), "src", "*", "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	random.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
	shaped := 0
	files = files[:min(len(files), *library)]
	for _, path := range files {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		repeated := repeat(t, string(src), random)
		if _, ok := byShape([]string{repeated}); ok {
			shaped++
		}
		same(t, path, repeated)
	}
	if t.Logf("%d of %d files were formatted by shape", shaped, len(files)); 2*shaped < len(files) {
		t.Error("too few to tell anything")
	}
}

var library = flag.Int("library", 50, "how many files of the standard library are formatted")

// repeat adds to a file copies of its declarations with other texts.
func repeat(t *testing.T, src string, random *rand.Rand) string {
	t.Helper()
	chunks, ok := scan(src)
	if !ok {
		return src
	}
	var out strings.Builder
	for i := range 4 {
		for _, c := range chunks {
			text := c.text()
			if i > 0 && heads(text) {
				continue
			}
			out.WriteString(spoil(t, text, random, i > 0) + "\n")
		}
	}
	return out.String()
}

// heads reports whether a chunk must stand at the start of a file.
func heads(text string) bool {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "package ") || strings.HasPrefix(line, "import ") {
			return true
		}
	}
	return false
}

func same(t *testing.T, name, src string) {
	t.Helper()
	want, err := format.Source([]byte(src))
	if err != nil {
		return // what was spoilt may be no Go
	}
	got, err := Source(src)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-gofmt +layout):\n%s", name, diff)
	}
}

// spoil writes the tokens of src with other blanks between them, and if asked
// to with other texts of other lengths. What ends a line still does.
func spoil(t *testing.T, src string, random *rand.Rand, change bool) string {
	t.Helper()
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(src))
	s.Init(file, []byte(src), nil, scanner.ScanComments)
	var out strings.Builder
	end := 0
	for {
		pos, tok, text := s.Scan()
		if tok == token.EOF {
			return out.String() + "\n"
		}
		if tok == token.SEMICOLON && text == "\n" {
			continue
		}
		start := file.Offset(pos)
		if n := strings.Count(src[end:start], "\n"); n > 0 {
			out.WriteString(strings.Repeat("\n", n))
		} else if start > 0 {
			out.WriteString(strings.Repeat(" ", 1+random.IntN(3)))
		}
		if text == "" {
			text = tok.String()
		}
		end = start + len(text)
		if change {
			text = other(tok, text, random.IntN(12))
		}
		out.WriteString(text)
	}
}

// other is another text for a token.
func other(tok token.Token, text string, n int) string {
	switch {
	case tok == token.IDENT:
		return text + strings.Repeat("x", n)
	case tok == token.INT && strings.Trim(text, "0123456789") == "":
		return text + strings.Repeat("1", n)
	case tok == token.STRING && text[0] == '"':
		return text[:len(text)-1] + strings.Repeat(" s", n) + `"`
	case tok == token.COMMENT && strings.HasSuffix(text, ".") && strings.HasPrefix(text, "// "):
		return text + strings.Repeat(" One more.", n/2)
	}
	return text
}
