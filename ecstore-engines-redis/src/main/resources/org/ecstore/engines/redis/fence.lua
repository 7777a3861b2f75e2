-- Before every other script: whose the store is, and whether all of it is there (rule W10).
-- KEYS: owner, keys, rows, metadata. ARGV: token, least sequence, greatest sequence.
local owner, keys, rows, metadata = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local known = redis.call('HMGET', owner, 'token', 'sequence', 'rows', 'notes')
if not known[1] then
  return {0, 'the server has lost it: it was restarted or flushed'}
end
if known[1] ~= ARGV[1] then
  return {0, 'another process has taken the store over, or an older state was put back'}
end
local sequence = tonumber(known[2])
if sequence < tonumber(ARGV[2]) or sequence > tonumber(ARGV[3]) then
  return {0, 'the server has another state of it than this process wrote: it knows ' .. known[2]
    .. ' writes of ' .. ARGV[2]}
end
local count, noted = tonumber(known[3]), tonumber(known[4])
if redis.call('ZCARD', keys) ~= count or redis.call('HLEN', rows) ~= count
    or redis.call('HLEN', metadata) ~= noted then
  return {0, 'the server has dropped rows of it'}
end
