package faulttest

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"
)

// readValue reads one request or answer of the protocol and returns its bytes.
func readValue(r *bufio.Reader) ([]byte, error) {
	line, err := r.ReadBytes('\n')
	if err != nil {
		return line, err
	}
	switch line[0] {
	case '+', '-', ':', '_', '#', ',', '(':
		return line, nil
	case '$', '=', '!':
		return readBulk(r, line)
	case '*', '~', '>':
		return readMany(r, line, 1)
	case '%', '|':
		return readMany(r, line, 2)
	}
	return line, fmt.Errorf("the proxy does not know the type of %q", line)
}

func length(line []byte) (int, error) {
	return strconv.Atoi(string(bytes.TrimSpace(line[1:])))
}

func readBulk(r *bufio.Reader, line []byte) ([]byte, error) {
	n, err := length(line)
	if err != nil || n < 0 {
		return line, err
	}
	all := append(line, make([]byte, n+2)...)
	_, err = io.ReadFull(r, all[len(line):])
	return all, err
}

func readMany(r *bufio.Reader, line []byte, each int) ([]byte, error) {
	n, err := length(line)
	for range max(n, 0) * each {
		var value []byte
		if err == nil {
			value, err = readValue(r)
			line = append(line, value...)
		}
	}
	return line, err
}
