{{charge}}
left = left - cost
