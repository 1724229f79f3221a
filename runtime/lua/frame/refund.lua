refunds['{{mark}}'] = function(i, cost, receipt, left, retry, reset, delay, {{args}}, {{kept}})
  local found = false
  {{refund}}
  return found
end
