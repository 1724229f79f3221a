charges['{{mark}}'] = function(i, cost, ttl, left, retry, reset, delay, {{args}}, {{kept}})
  {{charge}}
  return reset, delay
end
