-- Several buckets, straight through: all are checked, then all are charged or
-- none. ARGV is, for each bucket in turn, that of the script for one. So is the
-- reply, after the time.
{{library}}
{{checks}}
if {{passing}} then
  {{charges}}
end
return struct.pack('<d{{format}}', t, {{results}})
