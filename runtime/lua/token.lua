-- Token bucket, as the single rate meter of RFC 2697 has it, kept as what is
-- missing rather than what is there.
--
-- State: four doubles. What is missing in the bucket is calls and part / window
-- calls at the time last; it refills at rate calls in a window, the limit of
-- the last charge, or at the limit of the call that asks if that is higher. A
-- call of cost c at n = max(t, last) passes if
--   missing(n) + c <= capacity, with missing(n) rounded up.

---- args ddd capacity, limit, window

---- uses scale drain

---- check n, calls, part
{{level}}
if cost > capacity then
  retry = -1
elseif cost > left then
  retry = n - t + drain(calls - (capacity - cost), part, pace, window)
end

---- after each
reset = n - t + drain(calls + cost, part, limit, window)

---- charge
redis.call('SET', KEYS[i], struct.pack('<dddd', calls + cost, part, n, limit), 'PX', base + math.ceil(reset / 1000))

---- refund
if calls + part > 0 then
  local _, _, _, rate = struct.unpack('<dddd', redis.call('GET', KEYS[i]))
  {{giveback}}
end
