local one = cost
{{answers}}
{{charge}}
left, cost = left - cost, one
