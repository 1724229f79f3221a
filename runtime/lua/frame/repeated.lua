-- One bucket, which calls of one cost draw from that come together: as many of
-- them pass as there is quota for. ARGV: that of the script for one, and behind
-- it how many calls there are.
--
-- The reply holds doubles: the time, how many calls there are and how many have
-- passed; then what is left, when to retry and when it is as new for those that
-- have not passed; then when it is as new and the delay for those that have, for
-- each in turn, or once if these are the same for all.
local cost, {{args}} = struct.unpack('<d{{format}}', {{asked}})
local left, retry, reset, delay = 0, 0, 0, 0
{{library}}
{{check}}
local times, passed, answers = tonumber({{times}}), 0, {}
if retry == 0 then
  local one = cost
  passed = math.min(times, math.floor(left / one))
  {{answers}}
  {{charge}}
  left, cost = left - cost, one
  if passed < times then
    left, retry, reset, delay = 0, 0, 0, 0
    {{check}}
  end
end
return struct.pack('<dddddd', t, times, passed, left, retry, reset) .. table.concat(answers)
