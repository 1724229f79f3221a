package ratelimit

// String returns "acquire", "peek", "refund" or "reset".
func (o Op) String() string {
	switch o {
	case OpAcquire:
		return "acquire"
	case OpPeek:
		return "peek"
	case OpRefund:
		return "refund"
	case OpReset:
		return "reset"
	}
	return "unknown operation"
}
