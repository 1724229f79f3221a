package redistest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// Authority signs certificates.
type Authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	der  []byte
}

// NewAuthority makes an [Authority] that nobody trusts yet.
func NewAuthority(tb testing.TB) *Authority {
	tb.Helper()
	key := newKey(tb)
	template := template("authority", 1)
	template.IsCA, template.BasicConstraintsValid = true, true
	template.KeyUsage = x509.KeyUsageCertSign
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		tb.Fatalf("redistest: %v", err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		tb.Fatalf("redistest: %v", err)
	}
	return &Authority{cert, key, der}
}

func newKey(tb testing.TB) *ecdsa.PrivateKey {
	tb.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		tb.Fatalf("redistest: %v", err)
	}
	return key
}

func template(name string, serial int64) *x509.Certificate {
	return &x509.Certificate{
		SerialNumber: big.NewInt(serial),
		Subject:      pkix.Name{CommonName: name},
		IPAddresses:  []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore:    time.Now().Add(-time.Hour),
		NotAfter:     time.Now().Add(time.Hour),
		KeyUsage:     x509.KeyUsageDigitalSignature,
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
}

// Certificate returns a certificate for a server at 127.0.0.1 or a client.
func (a *Authority) Certificate(tb testing.TB) tls.Certificate {
	tb.Helper()
	key := newKey(tb)
	der, err := x509.CreateCertificate(rand.Reader, template("127.0.0.1", 2), a.cert, &key.PublicKey, a.key)
	if err != nil {
		tb.Fatalf("redistest: %v", err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// Pool is what a side trusts that trusts a.
func (a *Authority) Pool() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(a.cert)
	return pool
}

// StartTLS runs a server that speaks TLS at the address that it returns, besides
// its own, with clients that have a certificate of the same authority. It fails
// tb where redis-server was built without TLS. Further args are options.
func StartTLS(tb testing.TB, a *Authority, args ...string) (s *Server, addr string) {
	tb.Helper()
	port, err := freePort()
	if err != nil {
		tb.Fatalf("redistest: %v", err)
	}
	dir := tb.TempDir()
	own := a.Certificate(tb)
	der, err := x509.MarshalECPrivateKey(own.PrivateKey.(*ecdsa.PrivateKey))
	if err != nil {
		tb.Fatalf("redistest: %v", err)
	}
	number := strconv.Itoa(port)
	s, err = Run(append([]string{
		"--tls-port", number, "--tls-auth-clients", "yes",
		"--tls-ca-cert-file", writePEM(tb, dir, "CERTIFICATE", a.der),
		"--tls-cert-file", writePEM(tb, dir, "CERTIFICATE", own.Certificate[0]),
		"--tls-key-file", writePEM(tb, dir, "EC PRIVATE KEY", der),
	}, args...)...)
	if err != nil {
		tb.Fatalf("redistest: a server with TLS, which redis-server must be built with: %v", err)
	}
	tb.Cleanup(s.Close)
	return s, net.JoinHostPort("127.0.0.1", number)
}

func writePEM(tb testing.TB, dir, kind string, der []byte) string {
	tb.Helper()
	file, err := os.CreateTemp(dir, "*.pem")
	if err == nil {
		err = pem.Encode(file, &pem.Block{Type: kind, Bytes: der})
		file.Close()
	}
	if err != nil {
		tb.Fatalf("redistest: %v", err)
	}
	return filepath.Clean(file.Name())
}
