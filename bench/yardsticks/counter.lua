-- The usual fixed window: a counter that expires. ARGV: window (milliseconds), limit.
local count = redis.call('INCR', KEYS[1])
if count == 1 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
end
local ttl = redis.call('PTTL', KEYS[1])
local left = ARGV[2] - count
if left < 0 then
  return {0, 0, ttl}
end
return {1, left, 0}
