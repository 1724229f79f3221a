package redisstore

import (
	"errors"
	"strings"
	"testing"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

func TestKeys(t *testing.T) {
	sliding := rule("sms.SMSService.SendVerifyCode", ratelimit.SlidingWindow, 3, time.Minute)
	fixed := func(w time.Duration) *ratelimit.Rule { return rule("r", ratelimit.FixedWindow, 1, w) }
	long := strings.Repeat("x", 190)
	for _, c := range []struct {
		item ratelimit.Item
		want string
	}{
		{item(sliding, "sms:uid:10086"), "sms.SMSService.SendVerifyCode:s1m:sms:uid:10086"},
		{item(fixed(60*time.Second), ""), "r:f1m:"},
		{item(fixed(90*time.Second), "k"), "r:f90s:k"},
		{item(fixed(500*time.Millisecond), "k"), "r:f500ms:k"},
		{item(fixed(1500*time.Microsecond), "k"), "r:f1500us:k"},
		{item(fixed(7*24*time.Hour), "k"), "r:f7d:k"},
		{item(fixed(36*time.Hour), "k"), "r:f36h:k"},
		{item(fixed(time.Second), "a{b}%c\r\n\x00\x7fü\xff"), "r:f1s:a%7Bb%7D%25c%0D%0A%00%7Fü\xff"},
		{item(fixed(time.Second), "!"), "r:f1s:%21"},
		{item(fixed(time.Second), "~!~"), "r:f1s:%7E!~"},
		{item(fixed(time.Second), "a!~"), "r:f1s:a!~"},
		{ratelimit.Item{Rule: fixed(time.Second), Broken: true}, "r:f1s:!"},
		{ratelimit.Item{Rule: fixed(time.Second), Key: "k", Tag: "shop"}, "{shop}r:f1s:k"},
		{ratelimit.Item{Rule: fixed(time.Second), Key: "k", Tag: "a}{b"}, "{a%7D%7Bb}r:f1s:k"},
		{ratelimit.Item{Rule: fixed(time.Second), Key: "k", Tag: "~"}, "{%7E}r:f1s:k"},
		{item(fixed(time.Second), long+"1234"), "r:f1s:" + long + "1234"},
		{item(fixed(time.Second), long+"12345"), "r:f1s:~4691a154755abfca7636849c3ec220ef"},
		{item(fixed(time.Second), "{"+long+"12"), "r:f1s:~51c811218e5128c7e4b2cbfe3b10fa40"},
		{ratelimit.Item{Rule: fixed(time.Second), Tag: long[:64]}, "{" + long[:64] + "}r:f1s:"},
		{ratelimit.Item{Rule: fixed(time.Second), Tag: long[:65]}, "{~9537c5fdf120482f7d58d25e9ed583f5}r:f1s:"},
	} {
		if got := string(appendKey(nil, &c.item, false)); got != c.want {
			t.Errorf("key %q, tag %q: got  %q, want %q", c.item.Key, c.item.Tag, got, c.want)
		}
	}
	if got := string(appendKey(nil, &ratelimit.Item{Rule: sliding, Key: "k"}, true)); !strings.HasSuffix(got, ":@s1m:k") {
		t.Errorf("under an injected clock: %q", got)
	}
}

// FuzzKey tests that differing buckets have differing keys, that only a tag
// decides about the slot, and that no key is long or holds what a terminal or
// a protocol would take for its own.
func FuzzKey(f *testing.F) {
	for _, s := range []string{"", "k", "!", "~", "%21", "{a}", "}", "a:b", "\x00", "\xff", strings.Repeat("{", 70), strings.Repeat("x", 300)} {
		for _, tag := range []string{"", "t", "}{", strings.Repeat("y", 65), "~"} {
			f.Add(s, tag, false, "k", "t", false)
			f.Add(s, tag, s == "", s+"x", tag, false)
		}
	}
	r := rule("a.b", ratelimit.SlidingWindow, 1, time.Minute)
	f.Fuzz(func(t *testing.T, key1, tag1 string, broken1 bool, key2, tag2 string, broken2 bool) {
		one := ratelimit.Item{Rule: r, Key: key1, Tag: tag1, Broken: broken1}
		two := ratelimit.Item{Rule: r, Key: key2, Tag: tag2, Broken: broken2}
		a, b := checkKey(t, &one), checkKey(t, &two)
		if same := bucket(&one) == bucket(&two); same != (a == b) {
			t.Errorf("%+v has %q, %+v has %q", one, a, two, b)
		}
		if (hashTag(a) == hashTag(b)) != (a == b || tag1 != "" && tag1 == tag2) {
			t.Errorf("%q and %q: the tags are %q and %q", a, b, tag1, tag2)
		}
	})
}

func bucket(it *ratelimit.Item) [2]string {
	if it.Broken {
		return [2]string{it.Tag, "broken"}
	}
	return [2]string{it.Tag, "key " + it.Key}
}

func checkKey(t *testing.T, it *ratelimit.Item) string {
	key := string(appendKey(nil, it, false))
	if len(key) > maxKey {
		t.Errorf("%q has %d bytes", key, len(key))
	}
	if i := strings.IndexFunc(key, func(r rune) bool { return r < ' ' || r == 0x7f }); i >= 0 {
		t.Errorf("%q has a control character at %d", key, i)
	}
	return key
}

// hashTag is the part of a key that Redis Cluster hashes.
func hashTag(key string) string {
	if _, after, ok := strings.Cut(key, "{"); ok {
		if tag, _, ok := strings.Cut(after, "}"); ok && tag != "" {
			return tag
		}
	}
	return key
}

func TestBraceInPrefixIsRefused(t *testing.T) {
	server, _, _ := standalone(t)
	s := open(t, server.Client(t), WithPrefix("a{b}:"))
	if _, err := try(s, item(rule("r", ratelimit.FixedWindow, 1, time.Minute), "k")); !errors.Is(err, ratelimit.ErrRule) {
		t.Errorf("Do: %v", err)
	}
	if err := s.Ready(t.Context()); !errors.Is(err, ratelimit.ErrRule) {
		t.Errorf("Ready: %v", err)
	}
}
