package directive

// Kinds is the table of directives, rules first.
var Kinds = []KindSpec{
	{
		Kind: Rule, On: []Place{OnMethod, OnFunc, OnType},
		Doc: "Limits the method or function that it stands on. On a type it limits each exported method that a struct type itself declares, or that an interface has, with a bucket for each.",
		Usage: `
			//ratelimit:limit=100 window=1m sliding
			//ratelimit:key=userID limit=10 window=1m sliding
			type Mail struct{ base }`,
	},
	{
		Name: "and", Kind: And, On: []Place{OnMethod, OnFunc, OnType, OnPackage},
		Also: []string{"also", "plus", "continue", "cont"},
		Doc:  "Continues the rule, or the default, on the line above.",
		Usage: `
			//ratelimit:key="mail:"+userID limit=20 window=1h sliding
			//ratelimit:and fail=closed message="too many mails"
			func (m *Mail) Send(ctx context.Context, userID int64, to []string) error`,
	},
	{
		Name: "default", Kind: Default, On: []Place{OnType, OnPackage},
		Doc: "Gives items to all rules of a type, or of a package, that have none of their own. A rule's own item replaces the default's, " +
			"and so does one that excludes it: key= the by= of the default, token its sliding. A rule that names another algorithm than the default's drops its burst, " +
			"one with a duration drops its tz, and one with a calendar word its algorithm. A package has one default, on the package clause of one of its files, and a type's own goes before it.",
		Usage: `
			//ratelimit:default window=1m sliding fail=closed
			type Mail struct{ base }

			//ratelimit:key=userID limit=20
			func (m *Mail) Send(ctx context.Context, userID int64, to []string) error`,
	},
	{
		Name: "skip", Kind: Skip, On: []Place{OnMethod, OnFunc},
		Also: []string{"ignore", "off", "none", "disable", "disabled", "exclude", "exempt", "except", "unlimited", "nolimit", "noop"},
		Doc:  "Takes a method out of the rules of its type, and its own rules out of defaults.",
		Usage: `
			//ratelimit:limit=100 window=1m sliding
			type Mail struct{ base }

			func (m *Mail) Send(ctx context.Context, userID int64, to []string) error

			//ratelimit:skip
			func (m *Mail) Ping(ctx context.Context) error`,
	},
	{
		Name: "wrap", Kind: Wrap, On: []Place{OnType},
		Also: []string{"as", "rename", "wrapper", "alias"},
		Doc:  "Names the wrapper of a type and so its constructor. On a type without rules it asks for a wrapper that passes all calls on.",
		Usage: `
			//ratelimit:wrap as=Mail
			type mail struct{ base }

			//ratelimit:key=userID limit=20 window=1h sliding
			func (m *mail) Send(ctx context.Context, userID int64, to []string) error`,
	},
}

var (
	inRule  = []Kind{Rule, And}
	inRules = []Kind{Rule, And, Default}
	inWrap  = []Kind{Wrap}
)

// Items is the table of items, in the order of the reference.
var Items = []Spec{
	{
		Name: "key", Value: Key, Group: "bucket", In: inRules,
		Also:    []string{"bucket", "subject", "group"},
		Example: `"user:"+userID`, Default: "one bucket for the rule",
		Doc:   "Which bucket the call draws from. The list form [a, b] joins its parts so that different parts never meet.",
		Usage: `key=[userID, "mail"] limit=20 window=1h sliding`,
	},
	{
		Name: "by", Value: WordList, Words: []string{"global", "ip", "user", "caller"}, Group: "bucket", In: inRules,
		Also:  []string{"dimension", "dimensions", "scope"},
		Doc:   "Instead of key=: one rule for each dimension, with the same numbers, all checked together. All but global read the caller in the call's context.",
		Usage: `by=ip,user limit=100 window=1m sliding`,
	},
	{
		Name: "limit", Value: IntExpr, Min: 1, In: inRules, Required: true,
		Also:    []string{"rate", "max", "maximum", "count", "calls", "requests", "quota", "times", "permits", "rps", "rpm", "qps"},
		Example: "3",
		Doc:     "How many calls pass in a window; for token and leaky, what a window refills or drains. An expression that yields 0 or less refuses.",
		Usage:   `key=userID limit=isVIP(userID) ? 1000 : 20 window=1h sliding`,
	},
	{
		Name: "window", Value: Window, In: inRules, Required: true,
		Also:    []string{"per", "period", "interval", "duration", "every", "ttl", "within", "timewindow", "windowsize"},
		Words:   []string{"minute", "hour", "day", "week", "month"},
		Example: "60s",
		Doc: "The window's length in whole w, d, h, m, s, ms and us, such as 500ms, 1h30m or 7d: 1ms to ten years. A calendar word makes it a fixed window " +
			"that follows the wall clock of tz=: a week starts on Monday, a day may have 23 or 25 hours.",
		Usage: `key=userID limit=500 window=day tz=Europe/Berlin`,
	},
	{
		Name: "tz", Value: Zone, In: inRules,
		Also:    []string{"timezone", "zone", "location"},
		Example: "Europe/Berlin", Default: "UTC for minute and hour",
		Doc:   "The time zone of a calendar window, a name of the IANA database, which is built in. Required with day, week and month.",
		Usage: `limit=100_000 window=month tz=America/New_York`,
	},
	{
		Name: "fixed", Value: Flag, Group: "algorithm", In: inRules,
		Also:    []string{"fixedwindow", "fixedwindowcounter"},
		Default: "when no algorithm is named",
		Doc:     "Fixed window, opened by its first call. Up to twice the limit can pass across an edge.",
		Usage:   `key=userID limit=20 window=1h fixed`,
	},
	{
		Name: "sliding", Value: Flag, Group: "algorithm", In: inRules,
		Also:  []string{"slidingwindow", "slidinglog", "slidingwindowlog", "rolling", "rollingwindow", "exact"},
		Doc:   "Exact sliding window: never more than the limit in any interval of the window's length. The limit is at most 100,000.",
		Usage: `key=userID limit=20 window=1h sliding`,
	},
	{
		Name: "counter", Value: Flag, Group: "algorithm", In: inRules,
		Also:  []string{"slidingcounter", "slidingwindowcounter", "slidingwindowcounters", "approximate", "approx"},
		Doc:   "Sliding window counter: constant memory, approximate. If calls come at the edges of windows, up to twice the limit less one can pass in a window.",
		Usage: `key=userID limit=100_000 window=1h counter`,
	},
	{
		Name: "token", Value: Flag, Group: "algorithm", In: inRules,
		Also:  []string{"tokenbucket", "tokens", "gcra"},
		Doc:   "Token bucket: refills limit tokens a window, holds burst, starts full.",
		Usage: `key=userID limit=60 window=1m token burst=10`,
	},
	{
		Name: "leaky", Value: Flag, Group: "algorithm", In: inRules,
		Also: []string{"leakybucket", "leak", "queue"},
		Doc: "Leaky bucket as a queue: calls leave at a constant rate, and the wrapper sleeps until the call's turn. Up to burst more may wait; a call that finds the " +
			"queue full, or whose turn is further off than wait=, is refused. A method has one such rule, and it says wait= where the full queue lasts more than 30s.",
		Usage: `limit=50 window=1s leaky burst=100`,
	},
	{
		Name: "burst", Value: Integer, In: inRules,
		Also:    []string{"capacity", "burstsize", "bucketsize", "queuesize", "depth"},
		Example: "10", Default: "the limit",
		Doc:   "What a token bucket holds, at least 1, or how many may wait in a leaky one, where 0 lets nobody wait. It may be below or above the limit.",
		Usage: `key=userID limit=60 window=1m token burst=5`,
	},
	{
		Name: "cost", Value: IntExpr, Min: 1, In: inRules,
		Also:    []string{"weight", "units", "amount"},
		Example: "len(items)", Default: "1",
		Doc:   "How much one call takes. 0 takes nothing and passes; a negative cost is a key error.",
		Usage: `key=userID limit=500 window=1h sliding cost=len(to)`,
	},
	{
		Name: "when", Value: BoolExpr, In: inRules,
		Also:    []string{"if", "unless", "condition", "cond", "only"},
		Example: "!internal", Default: "true",
		Doc:   "The rule applies only when this is true.",
		Usage: `key=userID limit=20 window=1h sliding when=len(to) > 1`,
	},
	{
		Name: "wait", Value: Duration, In: inRules,
		Also:    []string{"timeout", "maxwait", "block", "blocking", "waitfor"},
		Example: "2s", Default: "not to wait; leaky: as long as the queue lasts",
		Doc: "Wait up to this long for quota: first come first served for each bucket in a process, refused at once where quota cannot come in time or before the " +
			"context's deadline. Of several rules that refuse, the shortest wait counts.",
		Usage: `limit=10 window=1s token wait=2s`,
	},
	{
		Name: "fallback", Value: Func, In: inRules,
		Also:    []string{"handler", "onlimit", "onlimited", "onreject", "otherwise", "fallbackmethod", "fallbackfunc", "else"},
		Example: "SendFallback", Default: "return the error",
		Doc: "The method or function that answers instead of a refusal, also when the store failed and the rule fails closed. It has the method's results, and its " +
			"parameters plus a last *ratelimit.LimitError, its parameters, or none.",
		Usage: `key=userID limit=20 window=1h sliding fallback=Later`,
	},
	{
		Name: "check", Value: Func, In: inRules,
		Also:    []string{"validate", "validation", "precheck", "before"},
		Example: "Validate",
		Doc:     "The method or function, with the method's parameters, that looks at the call before any quota is taken. Its error is returned as it is. Each runs once a call, in the order of the source.",
		Usage:   `key=userID limit=20 window=1h sliding check=Valid`,
	},
	{
		Name: "message", Value: Quoted, In: inRules,
		Also:    []string{"msg", "text", "error", "reason", "errormessage"},
		Example: `"too many codes"`, Default: "a plain English one",
		Doc:   "The text of the error of a call that finds no quota. Other errors (the store cannot answer, the key is broken, the context has ended) say themselves what is wrong.",
		Usage: `key=userID limit=20 window=1h sliding message="no more mails this hour"`,
	},
	{
		Name: "fail", Value: Word, Words: []string{"open", "closed", "local"}, In: inRules,
		Also:    []string{"onfail", "onerror", "failure", "failmode", "failopen", "failclosed", "onfailure"},
		Default: "the limiter's, which is open by default",
		Doc:     "What happens when the store cannot answer: let the call through, refuse it, or limit inside this process. Of several rules, closed goes before local before open. Local needs the limiter to know this process's share, `ratelimit.WithLocalShare`; without it such a rule refuses every call.",
		Usage:   `key=userID limit=20 window=1h sliding fail=closed`,
	},
	{
		Name: "refund", Value: WordOrFunc, Words: []string{"error", "success"}, In: inRules,
		Also:    []string{"giveback", "rollback", "return", "undo"},
		Default: "never",
		Doc: "Give the quota back after the call: when it failed (a mail that never left), when it succeeded (so that only failed logins count), or when the method or " +
			"function says so, a func(error) bool. It is done at most once and best effort; a panic gives nothing back.",
		Usage: `key=userID limit=20 window=1h sliding refund=error`,
	},
	{
		Name: "name", Value: Name, In: inRule,
		Also:    []string{"rule", "rulename"},
		Example: "sms.codes", Default: "package.Type.Method",
		Doc: "The rule's name: in metrics and logs, and the namespace of its buckets. Rules share buckets only if all of them write the same name; they then have the same " +
			"algorithm, limit, window, burst, time zone and tag. Further rules of a method are called .2, .3, those on the type first, and those of by= .ip, .user. " +
			"Where a program has two packages of one name with a type and a method of one name, a Limiter refuses both rules with ErrRule until one has a name of its own.",
		Usage: `key=userID limit=20 window=1h sliding name=mail.sent`,
	},
	{
		Name: "tag", Value: StringExpr, In: inRules,
		Also:    []string{"hashtag", "slot"},
		Example: `"codes"`, Default: "none for one rule; the method's name for several",
		Doc: "The Redis Cluster hash tag of a method's rules, written on any one of them. An expression may use only what the key of each contains; it is digested when one " +
			"of the rules is private. A named rule that is decided together with others needs one.",
		Usage: `key=userID limit=20 window=1h sliding tag="u:"+userID`,
	},
	{
		Name: "private", Value: Flag, In: inRules,
		Also:  []string{"secret", "hidden", "personal", "pii", "sensitive", "hashed"},
		Doc:   "The key holds personal data: only a digest of it reaches Redis, logs and traces.",
		Usage: `by=ip limit=100 window=1h sliding private`,
	},
	{
		Name: "log", Value: Word, Words: []string{"debug", "info", "warn", "error", "off"}, In: inRules,
		Also:    []string{"level", "loglevel", "logging"},
		Default: "warn",
		Doc:     "The level of the record of a refusal.",
		Usage:   `key=userID limit=20 window=1h sliding log=off`,
	},
	{
		Name: "shadow", Value: Flag, In: inRules,
		Also:  []string{"dryrun", "dry", "reportonly", "simulate", "observe"},
		Doc:   "Decide, count and log, but never refuse. A rule in shadow never blocks or undoes others.",
		Usage: `key=userID limit=20 window=1h sliding shadow`,
	},
	{
		Name: "rollout", Value: Percent, In: inRules, Later: true,
		Also:    []string{"percent", "percentage", "share"},
		Example: "10%", Default: "100%",
		Doc: "The share of keys that is enforced; the rest is in shadow.",
	},
	{
		Name: "ban", Value: Ban, In: inRules, Later: true,
		Also:    []string{"blockfor", "penalty", "jail"},
		Example: "10/1h:24h",
		Doc:     "After so many refusals of one key within the window, refuse it for the time.",
	},
	{
		Name: "as", Value: Ident, In: inWrap, Required: true,
		Also:    []string{"name", "wrapper"},
		Example: "SMSService",
		Doc:     "The wrapper's name; its constructor is NewName, or newName.",
		Usage:   "wrap as=Mail",
	},
}
