-- The clock that decides is the client's. Redis expires by its own, which need
-- not go as that one does: base is a time at least an hour from now, and a key
-- goes as long after it as its state has to live.
local redis, struct, math = redis, struct, math
local t, base = struct.unpack('<dd', ARGV[#ARGV])
