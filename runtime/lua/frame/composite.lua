-- Several buckets: all are checked, then all are charged or none. Those in
-- shadow come last, one by one, and have no say.
--
-- ARGV: how many are not in shadow, whether a charge is wanted, whether it may
-- be less than the cost; then of each bucket the algorithm, the cost with what
-- the algorithm asks for, and the time to live of a state that is worthless in
-- a window. The reply holds doubles: the time and the cost that was charged,
-- then of each bucket what the script for one says.
local firm, charging, partial = struct.unpack('<ddd', ARGV[1])
local checks, charges, found = {}, {}, {}
{{library}}
{{functions}}
local function asked(i)
  return (struct.unpack('<d', ARGV[3 * i]))
end

local function check(i, cost)
  found[i] = {checks[ARGV[3 * i - 1]](i, cost, ARGV[3 * i], ARGV[3 * i + 1])}
  return found[i][2] == 0
end

local function charge(i, cost)
  local f = found[i]
  f[3], f[4] = charges[ARGV[3 * i - 1]](i, cost, ARGV[3 * i + 1], unpack(f))
  f[1] = f[1] - cost
end

local passes, part = true, asked(1)
for i = 1, #KEYS do
  local ok = check(i, partial == 1 and 1 or asked(i))
  if not found[i][2] then
    return found[i][1]
  end
  if i <= firm then
    passes, part = passes and ok, math.min(part, found[i][1])
  end
end
for i = 1, #KEYS do
  local cost = asked(i)
  if partial == 1 then
    cost = passes and part or 1
  end
  if (i <= firm or check(i, cost)) and passes and charging == 1 then
    charge(i, cost)
  end
end
local reply = struct.pack('<dd', t, part)
for i = 1, #KEYS do
  reply = reply .. struct.pack('<dddd', unpack(found[i], 1, 4))
end
return reply
