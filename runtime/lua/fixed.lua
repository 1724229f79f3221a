-- Fixed window, opened by its first call.
--
-- State: a string of two doubles, the window's start and the count of what it
-- has admitted. A call of cost c at n = max(t, start) passes if
--   n >= start + window   (it opens a window of its own), or
--   count + c <= limit.
-- Up to 2 * limit pass across the edge of two windows.

local function write(i, t, start, count, window)
  return redis.call('SET', KEYS[i], struct.pack('<dd', start, count), 'PXAT', expiry(t, start - t + window))
end

local function check(i, t, limit, window, cost)
  local start, count = t, 0
  local state = redis.call('GET', KEYS[i])
  if state then
    start, count = struct.unpack('<dd', state)
    if start - t > window then
      start = t
      write(i, t, start, count, window)
    elseif t - start >= window then
      start, count = t, 0
    end
  end
  local left = math.max(0, limit - count)
  local reset = 0
  if count > 0 then
    reset = start - t + window
  end
  if cost <= left then
    return true, left, 0, reset, start, count
  elseif cost > limit then
    return false, left, -1, reset
  end
  return false, left, reset, reset
end

local function charge(i, t, limit, window, cost, start, count)
  write(i, t, start, count + cost, window)
  return start - t + window
end
