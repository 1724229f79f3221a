cost = passed * one
{{after}}
answers[1] = struct.pack('<dd', reset, delay)
