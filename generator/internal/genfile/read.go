package genfile

import (
	"fmt"
	"io/fs"
	"os"
)

// IrregularError is the refusal to read, or to replace, what is no file with
// contents: a named pipe would keep its reader waiting, and a device is there for
// others, too.
type IrregularError struct {
	Path string
	Mode fs.FileMode
}

func (e *IrregularError) Error() string {
	return fmt.Sprintf("%s is %s and no regular file; remove it", e.Path, kindOf(e.Mode))
}

func kindOf(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}

// ReadFile reads a file, or what a link leads to. The error may be an
// *IrregularError.
func ReadFile(path string) ([]byte, error) {
	if err := Regular(path); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// Regular returns an *IrregularError for what is there and is no regular file.
func Regular(path string) error {
	info, err := os.Stat(path)
	if err != nil || info.Mode().IsRegular() {
		return nil
	}
	return &IrregularError{path, info.Mode()}
}
