package genfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// ReadFile reads a file, or what a link leads to. The error is a *Failure, also
// for what is no file with contents: a named pipe would keep its reader waiting,
// and a device is there for others, too.
func ReadFile(path string) ([]byte, error) {
	if err := Regular(path); err != nil {
		return nil, err
	}
	return ReadRegular(path)
}

// ReadRegular reads what is known to be a regular file. The error is a *Failure.
func ReadRegular(path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	return text, Unread(path, err)
}

// Unread is the failure to read a file or folder, nil without an error.
func Unread(path string, err error) error { return failure(path, "read", err) }

// Regular returns a *Failure for what is there and is no regular file, nor a link
// to one.
func Regular(path string) error {
	info, err := os.Stat(path)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return Unread(path, fmt.Errorf("it is %s and no regular file; remove it", kindOf(info.Mode())))
	case errors.Is(err, fs.ErrNotExist):
		return Unread(path, dangling(path))
	}
	return nil
}

// dangling is the error for a link that leads to nothing.
func dangling(path string) error {
	target, err := os.Readlink(path)
	if err != nil {
		return nil
	}
	return fmt.Errorf("it is a link to %s, which does not exist; remove it", target)
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
