-- Writes nothing, since its key is never there, but needs all that the other
-- scripts need: a server that takes writes and knows PXAT.
redis.call('SET', KEYS[1], '', 'XX', 'PXAT', 1)
return {now()}
