-- Gives back what was charged to several buckets.
--
-- ARGV, of each bucket: the algorithm, the cost with what the algorithm asks
-- for, the time to live of a state that is worthless in a window, the receipt.
-- The reply is that for several buckets; in place of when to retry it says 0
-- where there was something to give back to.
local checks, refunds = {}, {}
{{library}}
{{functions}}
local function check(i)
  return {checks[ARGV[4 * i - 3]](i, 1, ARGV[4 * i - 2], ARGV[4 * i - 1])}
end

for i = 1, #KEYS do
  local found = check(i)
  if not found[2] then
    return found[1]
  end
end
local reply = struct.pack('<dd', t, 0)
for i = 1, #KEYS do
  local cost, receipt = struct.unpack('<d', ARGV[4 * i - 2]), struct.unpack('<d', ARGV[4 * i])
  local missing = 1
  if refunds[ARGV[4 * i - 3]](i, cost, receipt, unpack(check(i))) then
    missing = 0
  end
  local found = check(i)
  reply = reply .. struct.pack('<dddd', found[1], missing, found[3], 0)
end
return reply
