checks['{{mark}}'] = function(i, cost, asked, ttl)
  local {{args}} = struct.unpack('<{{format}}', asked, 9)
  local left, retry, reset, delay, probe = 0, 0, 0, 0, nil
  {{check}}
  return left, retry, reset, delay, {{args}}, {{kept}}
end
