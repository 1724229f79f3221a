-- Exact sliding window: the log of what was admitted.
--
-- State: a list with the time of each admitted unit, oldest first. At
-- n = max(t, newest) the entries e > n - window are live. A call of cost c
-- passes if live + c <= limit, which is to say that the entry limit - c places
-- before the newest is not there or not live; else the call waits for that very
-- entry to expire. What has expired stays until the next admission.

-- push adds k entries of time n and returns how many there are.
local function push(i, n, k)
  if k == 1 then
    return redis.call('RPUSH', KEYS[i], n)
  end
  local chunk, size = {}, 0
  local text = string.format('%.0f', n)
  for j = 1, math.min(k, 1000) do
    chunk[j] = text
  end
  while k > 0 do
    size = redis.call('RPUSH', KEYS[i], unpack(chunk, 1, math.min(k, 1000)))
    k = k - 1000
  end
  return size
end

-- older counts the entries e <= edge among the first size ones: it looks from
-- the oldest on, in steps that double and then halve.
local function older(i, edge, size)
  local low, high, step = 0, size, 1
  while low < high do
    local at = low + step
    if tonumber(redis.call('LINDEX', KEYS[i], at - 1)) <= edge then
      low, step = at, 2 * step
    else
      high, step = at - 1, high
    end
    step = math.min(step, math.ceil((high - low) / 2))
  end
  return low
end

-- settle takes every time ahead of t as t.
local function settle(i, t, window)
  local size = redis.call('LLEN', KEYS[i])
  local ahead = size - older(i, t, size)
  redis.call('LTRIM', KEYS[i], 0, -1 - ahead)
  push(i, t, ahead)
  redis.call('PEXPIREAT', KEYS[i], expiry(t, window))
  return t
end

local function check(i, t, limit, window, cost)
  local newest = tonumber(redis.call('LINDEX', KEYS[i], -1))
  if not newest then
    if cost > limit then
      return false, limit, -1, 0
    end
    return true, limit, 0, 0, t, 0
  end
  if newest - t > window then
    newest = settle(i, t, window)
  end
  local n = math.max(t, newest)
  local edge = n - window
  local reset = math.max(0, newest - t + window)
  local last = cost <= limit and tonumber(redis.call('LINDEX', KEYS[i], cost - limit - 1))
  local wait = last and last > edge and last - t + window
  if wait and cost == 1 then
    return false, 0, wait, reset
  end
  local size = redis.call('LLEN', KEYS[i])
  local gone = older(i, edge, size)
  local left = math.max(0, limit - size + gone)
  if wait or cost > limit then
    return false, left, wait or -1, reset
  end
  return true, left, 0, reset, n, gone
end

local function charge(i, t, limit, window, cost, n, gone)
  if gone > 0 then
    redis.call('LTRIM', KEYS[i], gone, -1)
  end
  push(i, n, cost)
  redis.call('PEXPIREAT', KEYS[i], expiry(t, n - t + window))
  return n - t + window
end
