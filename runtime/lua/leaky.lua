-- Leaky bucket as a queue: calls leave it one by one at a constant rate. The
-- level is that of the continuous state leaky bucket of ITU-T I.371, Annex A.
--
-- State: four doubles. In the bucket are calls and part / window calls at the
-- time last; it drains at rate calls in a window, the limit of the last charge,
-- or at the limit of the call that asks if that is higher. A call of cost c at
-- n = max(t, last) passes if
--   level(n) + c <= capacity, with level(n) rounded up, and if
--   its turn, when level(n) has drained at its own limit, is not further off
--   than patience, where that is not below 0.

---- args dddd capacity, limit, window, patience

---- uses scale drain

---- check n, calls, part, turn
{{level}}
local turn = 0
if used > 0 then
  turn = n - t + drain(calls, part, limit, window)
end
if cost > capacity then
  retry = -1
elseif cost > left then
  retry = n - t + drain(calls - (capacity - cost), part, pace, window)
end
if patience >= 0 and turn > patience and retry >= 0 then
  local wait = turn - patience
  if turn - (n - t) > patience then
    local whole, rest = scale(patience, limit, window)
    whole, rest = calls - whole, part - rest
    if rest < 0 then
      whole, rest = whole - 1, rest + window
    end
    wait = n - t + drain(whole, rest, pace, window)
  end
  retry = math.max(retry, wait)
end

---- after each
delay = turn
reset = n - t + drain(calls + cost, part, limit, window)
turn = reset

---- charge
redis.call('SET', KEYS[i], struct.pack('<dddd', calls + cost, part, n, limit), 'PX', base + math.ceil(reset / 1000))

---- refund
-- Calls that have come later keep their turns, so only the last one in the
-- queue can leave it: the receipt is when the queue was to be empty.
if calls + part > 0 then
  local whole, rest, last, rate = struct.unpack('<dddd', redis.call('GET', KEYS[i]))
  if last + drain(whole, rest, rate, window) == receipt then
    {{giveback}}
  end
end
