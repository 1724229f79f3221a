package faulttest

import (
	"crypto/tls"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/ratelimitgen/ratelimitgen/internal/redistest"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/redisstore"
	"github.com/redis/go-redis/v9"
)

// TestTLS has the user of the documentation do everything over a connection on
// which both sides have a certificate.
func TestTLS(t *testing.T) {
	authority := redistest.NewAuthority(t)
	server, addr := redistest.StartTLS(t, authority)
	setUser(t, server.Client(t), "shop", rights(t)[0])
	client := redis.NewClient(&redis.Options{
		Addr: addr, Username: "shop", Password: "SECRET",
		TLSConfig: &tls.Config{RootCAs: authority.Pool(), Certificates: []tls.Certificate{authority.Certificate(t)}},
	})
	defer client.Close()
	if err := everything(t, client); err != nil {
		t.Error(err)
	}
}

// TestCertificateThatNobodyTrusts has the log say so at once, and calls end as
// their rules say.
func TestCertificateThatNobodyTrusts(t *testing.T) {
	_, addr := redistest.StartTLS(t, redistest.NewAuthority(t))
	client := redis.NewClient(&redis.Options{Addr: addr, TLSConfig: &tls.Config{RootCAs: redistest.NewAuthority(t).Pool()}})
	defer client.Close()
	log := &lines{}
	l := ratelimit.New(redisstore.New(client), ratelimit.WithLogger(slog.New(log)))
	defer l.Close()
	if err := l.Ready(t.Context()); err == nil || !strings.Contains(err.Error(), "unknown authority") {
		t.Errorf("Ready says %v", err)
	}
	open := &ratelimit.Rule{Name: "open", Limit: few, Window: time.Hour, Fail: ratelimit.FailOpen}
	closed := &ratelimit.Rule{Name: "closed", Limit: few, Window: time.Hour, Fail: ratelimit.FailClosed}
	for end := time.Now().Add(20 * time.Second); log.of(misconfigured) == 0; time.Sleep(5 * time.Millisecond) {
		if d, err := l.Acquire(t.Context(), open.For("k")); err != nil || !d.Allowed || !d.Degraded {
			t.Fatalf("a rule that fails open: %+v, %v", d, err)
		}
		if _, err := l.Acquire(t.Context(), closed.For("k")); !errors.Is(err, ratelimit.ErrUnavailable) {
			t.Fatalf("a rule that fails closed: %v", err)
		}
		if time.Now().After(end) {
			t.Fatalf("the log does not say so: %v", log.count)
		}
	}
}

const misconfigured = "rate limit store refuses this program, check its user, password, rights and certificates"
