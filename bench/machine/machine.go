// Package machine names what figures were measured on.
package machine

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/redis/go-redis/v9"
)

// Name names the server behind client and this machine.
func Name(client *redis.Client) (string, error) {
	text, err := client.Info(context.Background(), "server").Result()
	if err != nil {
		return "", err
	}
	_, after, _ := strings.Cut(text, "redis_version:")
	version, _, _ := strings.Cut(after, "\r")
	return fmt.Sprintf("Redis %s on %s, %s/%s, %s", version, processor(), runtime.GOOS, runtime.GOARCH, runtime.Version()), nil
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
