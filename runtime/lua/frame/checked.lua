local cost, {{args}} = struct.unpack('<d{{format}}', {{asked}})
local left, retry, reset, delay = 0, 0, 0, 0
{{check}}
