local found = redis.call('HGETALL', metadata)
table.insert(found, 1, 1)
return found
