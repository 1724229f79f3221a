-- The clock that decides is the server's own, in microseconds since 1970.
local function now()
  local c = redis.call('TIME')
  return c[1] * 1000000 + c[2]
end

-- expiry is when, in milliseconds since 1970, a key may go whose state is
-- worthless from t + life on: rounded up, so never before.
local function expiry(t, life)
  return math.ceil((t + life) / 1000)
end
