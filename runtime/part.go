package ratelimit

import "strings"

// AppendPart appends part to a key that is made of several, of which "," keeps
// one from the next: a "," or "\" inside of part gets a "\" before it. So
// different lists of parts make different keys, whatever the parts hold:
//
//	key := strconv.AppendInt(buf[:0], userID, 10)
//	key = append(key, ',')
//	key = ratelimit.AppendPart(key, name)
//
// A list of no parts at all is not told from one of an empty part.
func AppendPart(key []byte, part string) []byte {
	for {
		at := strings.IndexAny(part, separators)
		if at < 0 {
			return append(key, part...)
		}
		key = append(key, part[:at]...)
		key = append(key, '\\', part[at])
		part = part[at+1:]
	}
}

const separators = `,\`

// Part is what [AppendPart] appends: part itself, where nothing in it needs a
// "\" before it.
func Part(part string) string {
	if !strings.ContainsAny(part, separators) {
		return part
	}
	return string(AppendPart(make([]byte, 0, len(part)+8), part))
}

// Hash is a digest of s that stands for it in a key, for values that are long:
// 128 bits of its SHA-256 as 32 hexadecimal digits, the same in every program
// and version.
func Hash(s string) string { return digest(s) }
