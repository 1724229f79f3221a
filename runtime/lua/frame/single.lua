-- One bucket. ARGV: the cost and what the algorithm asks for, the time to live
-- of a state that is worthless in a window, an index. The reply holds doubles:
-- the time, then what is left, when to retry, when it is as new, the delay. It
-- has passed if there is nothing to wait for.
local cost, {{args}} = struct.unpack('<d{{format}}', {{asked}})
local left, retry, reset, delay = 0, 0, 0, 0
{{library}}
{{check}}
if retry == 0 then
  {{after}}
  {{charge}}
  left = left - cost
end
return struct.pack('<ddddd', t, left, retry, reset, delay)
