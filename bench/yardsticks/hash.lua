-- The usual token bucket: a hash of tokens and time.
-- ARGV: now, window (microseconds), limit, cost.
local now, window, limit, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local state = redis.call('HMGET', KEYS[1], 'tokens', 'time')
local tokens = limit
if state[1] then
  tokens = math.min(limit, state[1] + (now - state[2]) * limit / window)
end
local ok, wait = 0, 0
if tokens >= cost then
  ok, tokens = 1, tokens - cost
else
  wait = math.ceil((cost - tokens) * window / limit)
end
redis.call('HMSET', KEYS[1], 'tokens', tokens, 'time', now)
redis.call('EXPIRE', KEYS[1], math.ceil(window / 1000000))
return {ok, math.floor(tokens), wait}
