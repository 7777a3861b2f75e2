-- ARGV: next sequence, rows put, rows deleted, entries put, entries deleted, then these: a key or name each, and what is put.
local at = 9
local puts, deletes, notes, forgets = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8])
if puts + notes == 0 then
  -- A server without room refuses a script whose first change needs some; deletions must go on.
  redis.call('HDEL', owner, '')
end
redis.call('HSET', owner, 'sequence', ARGV[4])
for _ = 1, puts do
  redis.call('HSET', rows, ARGV[at], ARGV[at + 1])
  count = count + redis.call('ZADD', keys, 0, ARGV[at])
  at = at + 2
end
for _ = 1, deletes do
  redis.call('HDEL', rows, ARGV[at])
  count = count - redis.call('ZREM', keys, ARGV[at])
  at = at + 1
end
for _ = 1, notes do
  noted = noted + redis.call('HSET', metadata, ARGV[at], ARGV[at + 1])
  at = at + 2
end
for _ = 1, forgets do
  noted = noted - redis.call('HDEL', metadata, ARGV[at])
  at = at + 1
end
redis.call('HSET', owner, 'rows', count, 'notes', noted)
return {1}
