-- Forgets all buckets.
for i = 1, #KEYS do
  redis.call('DEL', KEYS[i])
end
return struct.pack('<d', t)
