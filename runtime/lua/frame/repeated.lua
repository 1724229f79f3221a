-- Buckets, which calls draw from that are alike and come together: as many of them
-- pass as there is quota for everywhere. ARGV: that of the script straight through,
-- and behind it how many calls there are.
--
-- The reply holds doubles: the time, how many calls there are and how many have
-- passed; of each bucket what is left, when to retry and when it is as new for those
-- that have not passed; then of each bucket when it is as new and the delay for those
-- that have, for each in turn, or once if these are the same for all.
{{library}}
{{checks}}
local times, passed = tonumber({{times}}), 0
{{answers}}
if {{passing}} then
  passed = math.min(times, {{shares}})
  {{charges}}
  if passed < times then
    {{again}}
  end
end
return struct.pack('<ddd{{format}}', t, times, passed, {{results}}) .. {{lists}}
