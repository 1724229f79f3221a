-- The clock that decides is the server's, in microseconds since 1970. A key
-- goes half a second after its state has become worthless: expiry counts from
-- the moment at which the script began, which is before the clock was read.
local redis, struct, math = redis, struct, math
local clock = redis.call('TIME')
local t, base = clock[1] * 1000000 + clock[2], 500
