-- Fixed window, opened by its first call.
--
-- State: two doubles, the window's start and the count of what it has admitted.
-- A call of cost c passes if
--   t >= start + window   (it opens a window of its own), or
--   count + c <= limit.
-- Up to 2 * limit pass across the edge of two windows.

---- args dd limit, window

---- check open, start, count
local open, start, count = false, t, 0
local state = redis.call('GET', KEYS[i])
if state then
  start, count = struct.unpack('<dd', state)
  open = t - start < window
  if not open then
    start, count = t, 0
  elseif start - t > window then
    start = t
    redis.call('SET', KEYS[i], struct.pack('<dd', start, count), 'PX', ttl)
  end
end
if open then
  reset = start - t + window
end
if count < limit then
  left = limit - count
end
if cost > limit then
  retry = -1
elseif cost > left then
  retry = reset
end

---- after
reset = start - t + window

---- charge
-- A TTL that someone has removed is found by the first units of a window, then
-- by every 16th.
if open and (count >= 8 and count % 16 >= cost or redis.call('PTTL', KEYS[i]) > 0) then
  redis.call('SETRANGE', KEYS[i], '8', struct.pack('<d', count + cost))
elseif start == t then
  redis.call('SET', KEYS[i], struct.pack('<dd', start, count + cost), 'PX', ttl)
else
  redis.call('SET', KEYS[i], struct.pack('<dd', start, count + cost), 'PX', base + math.ceil(reset / 1000))
end

---- refund
if open and start == receipt then
  found = true
  if count > cost then
    redis.call('SETRANGE', KEYS[i], '8', struct.pack('<d', count - cost))
  else
    redis.call('DEL', KEYS[i])
  end
end
