-- Takes the store over. KEYS: owner, keys, rows, metadata. ARGV: identity of the directory, token.
local owner, keys, rows, metadata = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local known = redis.call('HMGET', owner, 'identity', 'sequence', 'rows', 'notes')
if known[1] and known[1] ~= ARGV[1] then
  return {0, known[1]}
end
local count = tonumber(known[3] or '0')
-- Releases before 0.24 did not count them.
local noted = tonumber(known[4] or redis.call('HLEN', metadata))
if not known[1] or redis.call('ZCARD', keys) ~= count or redis.call('HLEN', rows) ~= count
    or redis.call('HLEN', metadata) ~= noted then
  -- Nothing that is left of it is of use. The server frees it beside what it is asked for by others.
  redis.call('UNLINK', keys, rows, metadata)
  count, noted = 0, 0
end
local sequence = tonumber(known[2] or '0') + 1
redis.call('HDEL', owner, '')
redis.call('HSET', owner, 'identity', ARGV[1], 'token', ARGV[2], 'sequence', sequence, 'rows', count,
  'notes', noted)
return {1, sequence}
