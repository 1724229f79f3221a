-- What is in the bucket at n: calls and part / window calls.
local n, calls, part, pace = t, 0, 0, limit
local state = redis.call('GET', KEYS[i])
if state then
  local last, rate
  calls, part, last, rate = struct.unpack('<dddd', state)
  if rate > pace then
    pace = rate
  end
  if last - t > window then
    last = t
    local life = base + math.ceil(drain(calls, part, rate, window) / 1000)
    redis.call('SET', KEYS[i], struct.pack('<dddd', calls, part, last, rate), 'PX', life)
  end
  if last > t then
    n = last
  elseif (t - last) * pace / window > 1.001 * calls + 2 then
    calls, part = 0, 0
  else
    local whole, rest = scale(t - last, pace, window)
    calls, part = calls - whole, part - rest
    if part < 0 then
      calls, part = calls - 1, part + window
    end
    if calls < 0 then
      calls, part = 0, 0
    end
  end
end
local used = calls
if part > 0 then
  used = calls + 1
end
if used > 0 then
  reset = n - t + drain(calls, part, pace, window)
end
if used < capacity then
  left = capacity - used
end
