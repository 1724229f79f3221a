package redistest

import (
	"crypto/tls"
	"testing"

	"github.com/redis/go-redis/v9"
)

func TestTLS(t *testing.T) {
	t.Parallel()
	a, other := NewAuthority(t), NewAuthority(t)
	_, addr := StartTLS(t, a)
	for name, c := range map[string]struct {
		config *tls.Config
		ok     bool
	}{
		"both trust each other":      {&tls.Config{RootCAs: a.Pool(), Certificates: []tls.Certificate{a.Certificate(t)}}, true},
		"the server is not trusted":  {&tls.Config{RootCAs: other.Pool(), Certificates: []tls.Certificate{a.Certificate(t)}}, false},
		"the client is not trusted":  {&tls.Config{RootCAs: a.Pool(), Certificates: []tls.Certificate{other.Certificate(t)}}, false},
		"the client has none":        {&tls.Config{RootCAs: a.Pool()}, false},
		"the client does not use it": {nil, false},
	} {
		client := redis.NewClient(&redis.Options{Addr: addr, TLSConfig: c.config, MaxRetries: -1})
		if err := client.Ping(t.Context()).Err(); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		} else if err != nil {
			t.Logf("%s: %T %v", name, err, err)
		}
		client.Close()
	}
}
