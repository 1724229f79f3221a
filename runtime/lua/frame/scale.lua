-- scale returns a * b / c, rounded down, and the remainder, all exact: products
-- that a double does not hold are built bit by bit.
local function scale(a, b, c)
  local product = a * b
  if product < 9007199254740992 then
    local quotient = math.floor(product / c)
    return quotient, product - quotient * c
  end
  local whole = math.floor(b / c)
  local part, bit, q, r = b - whole * c, 1, 0, 0
  while 2 * bit <= a do
    bit = 2 * bit
  end
  while bit >= 1 do
    q, r = 2 * q, r - (c - r)
    if r < 0 then
      r = r + c
    else
      q = q + 1
    end
    if a >= bit then
      a, q, r = a - bit, q + whole, r - (c - part)
      if r < 0 then
        r = r + c
      else
        q = q + 1
      end
    end
    bit = bit / 2
  end
  return q, r
end
