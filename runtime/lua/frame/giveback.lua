-- Takes the cost out of what is in the bucket at n, and leaves the rate.
found = true
if calls < cost or calls == cost and part == 0 then
  redis.call('DEL', KEYS[i])
else
  local life = base + math.ceil((n - t + drain(calls - cost, part, rate, window)) / 1000)
  redis.call('SET', KEYS[i], struct.pack('<dddd', calls - cost, part, n, rate), 'PX', life)
end
