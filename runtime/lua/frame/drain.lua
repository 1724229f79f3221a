-- drain returns how long calls and part / window calls take to drain at limit
-- calls in a window, rounded up.
local function drain(calls, part, limit, window)
  local units = calls * window + part
  if units < 9007199254740992 then
    return math.ceil(units / limit)
  end
  local q, r = scale(calls, window, limit)
  local whole = math.floor(part / limit)
  local rest = part - whole * limit
  if rest > limit - r then
    return q + whole + 2
  elseif r + rest > 0 then
    return q + whole + 1
  end
  return q + whole
end
