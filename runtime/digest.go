package ratelimit

import (
	"crypto/sha256"
	"encoding/hex"
)

// digest returns 128 bits of the SHA-256 of s, in hex.
func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:16])
}
