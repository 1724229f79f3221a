package ratelimittest

import _ "github.com/ratelimitgen/ratelimitgen/runtime/memory" // for rules that fail locally
