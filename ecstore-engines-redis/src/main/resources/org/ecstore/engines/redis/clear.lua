-- ARGV: next sequence, where it begins, where it ends, rows at most.
redis.call('HDEL', owner, '')
local names = redis.call('ZRANGEBYLEX', keys, ARGV[5], ARGV[6], 'LIMIT', 0, tonumber(ARGV[7]))
redis.call('HSET', owner, 'sequence', ARGV[4])
for i = 1, #names do
  redis.call('HDEL', rows, names[i])
  redis.call('ZREM', keys, names[i])
end
redis.call('HSET', owner, 'rows', count - #names)
return {1, #names}
