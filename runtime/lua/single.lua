-- One bucket. ARGV: limit, window, cost. Reply: the time, then of the bucket
-- whether it has the quota, what is left, when to retry, when it is as new.
local t = now()
local limit, window, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local ok, left, retry, reset, a, b = check(1, t, limit, window, cost)
if not ok then
  return {t, 0, left, retry, reset}
end
reset = charge(1, t, limit, window, cost, a, b)
return {t, 1, left - cost, 0, reset}
