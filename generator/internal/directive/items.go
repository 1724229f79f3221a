package directive

// Kinds is the table of directives, rules first.
var Kinds = []KindSpec{
	{
		Kind: Rule, On: []Place{OnMethod, OnType},
		Doc: "limits a method; on a type each exported method that the type itself declares, with a bucket for each",
	},
	{
		Name: "and", Kind: And, On: []Place{OnMethod, OnType, OnPackage},
		Doc: "continues the rule, or the default, on the line above",
	},
	{
		Name: "default", Kind: Default, On: []Place{OnType, OnPackage},
		Doc: "gives items to all rules of a type or package that have none of their own",
	},
	{
		Name: "skip", Kind: Skip, On: []Place{OnMethod},
		Doc: "takes a method out of the rules of its type and of defaults",
	},
	{
		Name: "wrap", Kind: Wrap, On: []Place{OnType},
		Doc: "names the wrapper of a type; on a type without rules it asks for one that only delegates",
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
		Example: `"user:"+userID`, Default: "one bucket for the rule",
		Doc: "which bucket the call draws from; the list form [a, b] joins its parts so that different parts never meet",
	},
	{
		Name: "by", Value: WordList, Words: []string{"global", "ip", "user", "caller"}, Group: "bucket", In: inRules,
		Doc: "instead of key: one rule for each dimension, with the same numbers, checked together",
	},
	{
		Name: "limit", Value: IntExpr, Min: 1, In: inRules, Required: true,
		Example: "3",
		Doc:     "how many calls pass in a window; for token and leaky, what a window refills or drains",
	},
	{
		Name: "window", Value: Window, In: inRules, Required: true,
		Words:   []string{"minute", "hour", "day", "week", "month"},
		Example: "60s",
		Doc:     "the window's length, or a calendar word for a fixed window aligned to the wall clock of tz",
	},
	{
		Name: "tz", Value: Zone, In: inRules,
		Example: "Europe/Berlin", Default: "UTC for minute and hour",
		Doc: "the time zone of a calendar window; required with day, week and month",
	},
	{
		Name: "fixed", Value: Flag, Group: "algorithm", In: inRules,
		Default: "when no algorithm is named",
		Doc:     "fixed window, opened by its first call; up to twice the limit can pass across an edge",
	},
	{
		Name: "sliding", Value: Flag, Group: "algorithm", In: inRules,
		Doc: "exact sliding window: never more than limit in any interval of the window's length; limit up to 100,000",
	},
	{
		Name: "counter", Value: Flag, Group: "algorithm", In: inRules,
		Doc: "sliding window counter: constant memory, approximate",
	},
	{
		Name: "token", Value: Flag, Group: "algorithm", In: inRules,
		Doc: "token bucket: refills limit per window, holds burst, starts full",
	},
	{
		Name: "leaky", Value: Flag, Group: "algorithm", In: inRules,
		Doc: "leaky bucket as a queue: calls leave at a constant rate, up to burst more may queue",
	},
	{
		Name: "burst", Value: Integer, In: inRules,
		Example: "10", Default: "limit",
		Doc: "capacity of token or queue of leaky",
	},
	{
		Name: "cost", Value: IntExpr, Min: 1, In: inRules,
		Example: "len(items)", Default: "1",
		Doc: "how much one call takes; 0 takes nothing and passes",
	},
	{
		Name: "when", Value: BoolExpr, In: inRules,
		Example: "!internal", Default: "true",
		Doc: "the rule applies only when true",
	},
	{
		Name: "wait", Value: Duration, In: inRules,
		Example: "2s", Default: "0; leaky: as long as the queue lasts",
		Doc: "wait up to this long for quota",
	},
	{
		Name: "fallback", Value: Func, In: inRules,
		Example: "SendFallback", Default: "return the error",
		Doc: "method or function that answers instead of a refusal, also when the store failed and the rule fails closed",
	},
	{
		Name: "check", Value: Func, In: inRules,
		Example: "Validate",
		Doc:     "method or function with the same parameters that returns an error: validation before any quota is taken",
	},
	{
		Name: "message", Value: Quoted, In: inRules,
		Example: `"too many codes"`, Default: "a plain English one",
		Doc: "text of the error",
	},
	{
		Name: "fail", Value: Word, Words: []string{"open", "closed", "local"}, LaterWords: []string{"local"}, In: inRules,
		Default: "the limiter's, open",
		Doc:     "when the store cannot answer: let through, refuse, or limit inside this process",
	},
	{
		Name: "refund", Value: WordOrFunc, Words: []string{"error", "success"}, In: inRules,
		Default: "never",
		Doc:     "give the quota back after the call: when it failed, when it succeeded, or when the function says so of its error",
	},
	{
		Name: "name", Value: Name, In: inRule,
		Example: "sms.codes", Default: "package.Type.Method",
		Doc: "the rule's name: metrics, overrides, the bucket's namespace; rules of one name share buckets",
	},
	{
		Name: "tag", Value: StringExpr, In: inRules,
		Example: `"codes"`, Default: "none for one rule; the method's name for several",
		Doc: "Redis Cluster hash tag of a method's rules, written on any one of them",
	},
	{
		Name: "private", Value: Flag, In: inRules,
		Doc: "the key holds personal data: only a digest of it reaches Redis, logs and traces",
	},
	{
		Name: "log", Value: Word, Words: []string{"debug", "info", "warn", "error", "off"}, In: inRules,
		Default: "warn",
		Doc:     "level of the record of a refusal",
	},
	{
		Name: "shadow", Value: Flag, In: inRules,
		Doc: "decide, count and log, but never refuse",
	},
	{
		Name: "rollout", Value: Percent, In: inRules, Later: true,
		Example: "10%", Default: "100%",
		Doc: "the share of keys that is enforced, the rest is shadow",
	},
	{
		Name: "ban", Value: Ban, In: inRules, Later: true,
		Example: "10/1h:24h",
		Doc:     "after so many refusals of one key within the window, refuse it for the time",
	},
	{
		Name: "as", Value: Ident, In: inWrap, Required: true,
		Example: "SMSService",
		Doc:     "the wrapper's name",
	},
}
