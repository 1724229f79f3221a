-- Sliding window counter: two counts in place of a log, the approximation that
-- Cloudflare published in 2017 ("How we built rate limiting capable of scaling
-- to millions of domains").
--
-- State: three doubles, where the window of the last charge begins, its count
-- and the count of the window before. Windows begin at the multiples of their
-- length. A call of cost c at n = max(t, begin) passes if
--   current + previous * rest / window + c <= limit,
-- with the middle term rounded up, where rest is what is left of the window
-- that n is in. So the previous window's calls are taken as spread evenly.

---- args dd limit, window

---- uses scale

---- check same, begin, current, previous
local same, begin, current, previous = false, t - t % window, 0, 0
local state = redis.call('GET', KEYS[i])
if state then
  local start, count, before = struct.unpack('<ddd', state)
  if start - t > window then
    start = begin
    local life = base + math.ceil((begin - t + 2 * window) / 1000)
    redis.call('SET', KEYS[i], struct.pack('<ddd', start, count, before), 'PX', life)
  end
  if start >= begin then
    same, begin, current, previous = true, start, count, before
  elseif begin - start == window then
    previous = count
  end
end
local used, rest = current, begin + window - math.max(t, begin)
if previous > 0 then
  local whole, part = scale(previous, rest, window)
  used = current + whole
  if part > 0 then
    used = used + 1
  end
end
if used < limit then
  left = limit - used
end
if current > 0 then
  reset = begin - t + 2 * window
elseif previous > 0 then
  reset = begin - t + window
end
if cost > limit then
  retry = -1
elseif cost > left and current <= limit - cost then
  -- The previous window weighs little enough in this window, or at its end.
  retry = begin - t + window - scale(limit - cost - current, window, previous)
elseif cost > left then
  -- This window, when it is the previous one, weighs little enough.
  retry = begin - t + 2 * window - scale(limit - cost, window, current)
end

---- after
reset = begin - t + 2 * window

---- charge
-- A TTL that someone has removed is found by the first units of a window, then
-- by every 16th.
if same and (current >= 8 and current % 16 >= cost or current > 0 and redis.call('PTTL', KEYS[i]) > 0) then
  redis.call('SETRANGE', KEYS[i], '8', struct.pack('<d', current + cost))
else
  local life = base + math.ceil(reset / 1000)
  redis.call('SET', KEYS[i], struct.pack('<ddd', begin, current + cost, previous), 'PX', life)
end

---- refund
if current + previous > 0 and receipt >= begin - window then
  local start, count, before = struct.unpack('<ddd', redis.call('GET', KEYS[i]))
  if receipt == start then
    found, count = count > 0, math.max(0, count - cost)
  elseif receipt == start - window then
    found, before = before > 0, math.max(0, before - cost)
  end
  local life = start - t + window
  if count > 0 then
    life = life + window
  end
  if found and count + before == 0 then
    redis.call('DEL', KEYS[i])
  elseif found then
    life = base + math.ceil(math.max(0, life) / 1000)
    redis.call('SET', KEYS[i], struct.pack('<ddd', start, count, before), 'PX', life)
  end
end
