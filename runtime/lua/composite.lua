-- Several buckets: all are checked, then all are charged or none. ARGV, for
-- each bucket: algorithm, limit, window, cost. Reply: the time, then of each
-- bucket what the script for one bucket says.
local t = now()
local found, every = {}, true
for i = 1, #KEYS do
  local rule, j = ARGV[4 * i - 3], 4 * i
  local limit, window, cost = tonumber(ARGV[j - 2]), tonumber(ARGV[j - 1]), tonumber(ARGV[j])
  local ok, left, retry, reset, a, b = checks[rule](i, t, limit, window, cost)
  every = every and ok
  found[i] = {rule, limit, window, cost, ok, left, retry, reset, a, b}
end
local reply = {t}
for i = 1, #KEYS do
  local rule, limit, window, cost, ok, left, retry, reset, a, b = unpack(found[i], 1, 10)
  if every then
    reset = charges[rule](i, t, limit, window, cost, a, b)
    left = left - cost
  end
  local j = 4 * i - 2
  reply[j], reply[j + 1], reply[j + 2], reply[j + 3] = ok and 1 or 0, left, retry, reset
end
return reply
