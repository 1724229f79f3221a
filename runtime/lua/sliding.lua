-- Exact sliding window: the log of what was admitted.
--
-- State: a list with the time of each admitted unit, oldest first. At
-- n = max(t, newest) the entries e > n - window are live. A call of cost c
-- passes if live + c <= limit, which is to say that the entry limit - c places
-- before the newest is not there or not live; else the call waits for that very
-- entry to expire. What has expired goes with the next admission.
--
-- probe is the index of that entry where the client has computed it.

---- args ddd limit, window, most

---- shared
local function push(i, n, k)
  if k == 1 then
    redis.call('RPUSH', KEYS[i], n)
    return
  end
  local text, chunk = string.format('%.0f', n), {}
  for j = 1, math.min(k, 1000) do
    chunk[j] = text
  end
  while k > 0 do
    redis.call('RPUSH', KEYS[i], unpack(chunk, 1, math.min(k, 1000)))
    k = k - 1000
  end
end

---- check n, gone
local n, gone, size = t, 0, 0
local newest = tonumber(redis.call('LINDEX', KEYS[i], '-1'))
if newest then
  if newest - t > window then
    -- Every entry is ahead of t: a charge leaves none older than a window.
    newest, size = t, redis.call('LLEN', KEYS[i])
    redis.call('DEL', KEYS[i])
    push(i, t, size)
    redis.call('PEXPIRE', KEYS[i], ttl)
  end
  if newest > t then
    n = newest
  end
  if newest > t - window then
    reset = newest - t + window
  end
  local last = tonumber(redis.call('LINDEX', KEYS[i], probe or cost - limit - 1))
  if last and last > n - window then
    retry = last - t + window
  end
end
if cost > most then
  retry = -1
end
if newest and (retry == 0 or cost > 1) then
  size = redis.call('LLEN', KEYS[i])
  if tonumber(redis.call('LINDEX', KEYS[i], '0')) <= n - window then
    -- Count what has expired, in steps that double and then halve.
    gone = 1
    local high, step = size, 1
    while gone < high do
      step = math.min(step, math.ceil((high - gone) / 2))
      local at = gone + step
      if tonumber(redis.call('LINDEX', KEYS[i], at - 1)) <= n - window then
        gone, step = at, at
      else
        high = at - 1
      end
    end
  end
end
if retry ~= 0 and cost == 1 then
  left = 0
elseif size - gone < limit then
  left = limit - size + gone
end

---- after
reset = n - t + window

---- charge
if gone == 1 then
  redis.call('LPOP', KEYS[i])
elseif gone > 1 then
  redis.call('LTRIM', KEYS[i], gone, '-1')
end
push(i, n, cost)
if n == t then
  redis.call('PEXPIRE', KEYS[i], ttl)
else
  redis.call('PEXPIRE', KEYS[i], base + math.ceil(reset / 1000))
end

---- refund
if receipt > n - window then
  found = redis.call('LREM', KEYS[i], -cost, string.format('%.0f', receipt)) > 0
  local newest = tonumber(redis.call('LINDEX', KEYS[i], '-1'))
  if found and newest then
    local life = math.max(0, newest - t + window)
    redis.call('PEXPIRE', KEYS[i], base + math.ceil(life / 1000))
  end
end
