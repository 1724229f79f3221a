-- Calendar window: a fixed window that begins when the calendar says so.
--
-- The client sends the beginnings of five windows in a row, around the one that
-- its clock is in, since zones are unknown here. If the time is in none of the
-- first three, the reply is the time alone, and the client asks again.
--
-- State: two doubles, when a window began and the count of what it has
-- admitted. A call of cost c passes if count + c <= limit, where count is 0
-- unless that window is the one that t is in, or the one after it: then the
-- clock has stepped back.

---- args dddddd limit, first, second, third, fourth, fifth

---- check open, start, stop, count
if t < first or t >= fourth then
  return struct.pack('<d', t)
end
local open, start, stop, count, beyond = false, third, fourth, 0, fifth
if t < second then
  start, stop, beyond = first, second, third
elseif t < third then
  start, stop, beyond = second, third, fourth
end
local state = redis.call('GET', KEYS[i])
if state then
  local begin, admitted = struct.unpack('<dd', state)
  if begin >= beyond then
    begin = start
    local life = base + math.ceil((stop - t) / 1000)
    redis.call('SET', KEYS[i], struct.pack('<dd', begin, admitted), 'PX', life)
  end
  if begin >= stop then
    start, stop = stop, beyond
  end
  if begin >= start then
    open, count = true, admitted
  end
end
if open then
  reset = stop - t
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
reset = stop - t

---- charge
-- A TTL that someone has removed is found by the first units of a window, then
-- by every 16th.
if open and (count >= 8 and count % 16 >= cost or redis.call('PTTL', KEYS[i]) > 0) then
  redis.call('SETRANGE', KEYS[i], '8', struct.pack('<d', count + cost))
else
  local life = base + math.ceil(reset / 1000)
  redis.call('SET', KEYS[i], struct.pack('<dd', start, count + cost), 'PX', life)
end

---- refund
if open and stop == receipt then
  found = true
  if count > cost then
    redis.call('SETRANGE', KEYS[i], '8', struct.pack('<d', count - cost))
  else
    redis.call('DEL', KEYS[i])
  end
end
