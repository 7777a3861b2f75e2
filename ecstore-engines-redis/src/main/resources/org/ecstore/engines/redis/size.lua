-- ARGV: where it begins, where it ends, how many rows to look at.
local all = redis.call('ZLEXCOUNT', keys, ARGV[4], ARGV[5])
if all == 0 then
  return {1, 0, 0, 0, ''}
end
local first = redis.call('ZRANGEBYLEX', keys, ARGV[4], ARGV[5], 'LIMIT', 0, 1)[1]
local rank = redis.call('ZRANK', keys, first)
local looks, bytes = math.min(all, tonumber(ARGV[6])), 0
for i = 0, looks - 1 do
  local place = rank + math.floor(i * all / looks)
  local name = redis.call('ZRANGE', keys, place, place)[1]
  bytes = bytes + #name + redis.call('HSTRLEN', rows, name)
end
local place = rank + math.floor(all / 2)
return {1, all, looks, bytes, redis.call('ZRANGE', keys, place, place)[1]}
