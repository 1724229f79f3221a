package redisstore

import (
	"os"
	"testing"

	"github.com/redis/go-redis/v9/logging"
)

func TestMain(m *testing.M) {
	logging.Disable() // the client reports each server that a test has killed
	os.Exit(m.Run())
}
