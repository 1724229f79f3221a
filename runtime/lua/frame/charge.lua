charges['{{mark}}'] = function(i, cost, ttl, left, retry, reset, delay, {{args}}, {{kept}})
  {{after}}
  {{charge}}
  return reset, delay
end
