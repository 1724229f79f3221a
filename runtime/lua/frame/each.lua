for k = 1, passed do
  cost = k * one
  {{after}}
  answers[k] = struct.pack('<dd', reset, delay)
end
