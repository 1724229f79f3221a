charges['{{mark}}'] = function(i, cost, ttl, left, retry, reset, delay, receipt, {{args}}, {{kept}})
  {{charge}}
  return reset, delay, receipt
end
