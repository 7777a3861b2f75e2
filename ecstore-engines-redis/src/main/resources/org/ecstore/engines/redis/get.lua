-- ARGV: bytes, keys.
local found, bytes = {1}, 0
for i = 5, #ARGV do
  local row = redis.call('HGET', rows, ARGV[i])
  found[#found + 1] = row
  if row then
    bytes = bytes + #ARGV[i] + #row - string.find(row, ' ', 1, true)
    if bytes >= tonumber(ARGV[4]) then
      break
    end
  end
end
return found
