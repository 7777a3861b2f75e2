-- ARGV: where it begins, where it ends (as ZRANGEBYLEX has them), '1' for reverse, rows, bytes, '1' for keys only.
local reverse, limit, most, bare = ARGV[6] == '1', tonumber(ARGV[7]), tonumber(ARGV[8]), ARGV[9] == '1'
local names
if reverse then
  names = redis.call('ZREVRANGEBYLEX', keys, ARGV[5], ARGV[4], 'LIMIT', 0, limit)
else
  names = redis.call('ZRANGEBYLEX', keys, ARGV[4], ARGV[5], 'LIMIT', 0, limit)
end
-- Values that are only looked at for their versions: the server does nothing else meanwhile.
local looked, lookedMost = 0, 4 * 1024 * 1024
local found, bytes, complete = {1, 0}, 0, 1
if #names == limit then
  complete = 0
end
for i = 1, #names do
  local row = redis.call('HGET', rows, names[i])
  if not row then
    return {0, 'the server has dropped rows of it'}
  end
  local space = string.find(row, ' ', 1, true)
  if bare then
    looked = looked + #row
    row = string.sub(row, 1, space)
  end
  found[#found + 1] = names[i]
  found[#found + 1] = row
  bytes = bytes + #names[i] + #row - space
  if bytes >= most or looked >= lookedMost then
    complete = 0
    break
  end
end
found[2] = complete
return found
