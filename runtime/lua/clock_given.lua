-- The clock that decides is the client's: its time is the last argument.
local function now()
  return tonumber(ARGV[#ARGV])
end

-- expiry is when, in milliseconds since 1970, a key may go whose state is
-- worthless from t + life on. Redis expires by its own clock, which need not go as
-- the client's does: the key stays for an hour or two longer, up to a full one.
local function expiry(t, life)
  local hours = math.floor(redis.call('TIME')[1] / 3600) + 2
  return hours * 3600000 + math.ceil(life / 1000)
end
