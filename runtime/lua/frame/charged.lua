{{after}}
{{charge}}
left = left - cost
