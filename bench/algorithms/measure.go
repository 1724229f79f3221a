package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
)

// measure is what the page says that differs from machine to machine.
func measure(root string) ([]block, error) {
	l, err := openLab(root)
	if err != nil {
		return nil, err
	}
	defer l.close()
	where, err := l.where()
	if err != nil {
		return nil, err
	}
	memory, err := l.memoryUse()
	if err != nil {
		return nil, err
	}
	costs, err := l.costs()
	if err != nil {
		return nil, err
	}
	return []block{{"memory", where + "\n" + memory}, {"cost", where + "\n" + costs}}, nil
}

// where names the server and the machine.
func (l *lab) where() (string, error) {
	text, err := l.client.Info(context.Background(), "server").Result()
	if err != nil {
		return "", err
	}
	_, after, _ := strings.Cut(text, "redis_version:")
	version, _, _ := strings.Cut(after, "\r")
	return fmt.Sprintf("Measured with Redis %s on %s, %s/%s, %s.\n",
		version, processor(), runtime.GOOS, runtime.GOARCH, runtime.Version()), nil
}

// processor names the machine's, where the system tells.
func processor() string {
	cores := fmt.Sprintf("%d cores", runtime.NumCPU())
	file, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return cores
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if name, value, _ := strings.Cut(lines.Text(), ":"); strings.TrimSpace(name) == "model name" {
			return cores + " of " + strings.TrimSpace(value)
		}
	}
	return cores
}
