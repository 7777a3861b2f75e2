package org.ecstore.bench.peer.redis;

import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import org.ecstore.bench.peer.local.PeerClients;
import org.ecstore.bench.store.BenchDb;
import org.ecstore.cluster.database.Loopback;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisException;
import site.ycsb.DBException;

/** Connections to one server, each for one thread. */
final class RedisClients implements PeerClients {
  private static final int TIMEOUT_MILLIS = 10_000;

  private final InetSocketAddress address;

  RedisClients(String address) {
    this.address = Loopback.parsed(address).getFirst();
  }

  private Jedis connection() {
    return new Jedis(address.getHostString(), address.getPort(), TIMEOUT_MILLIS);
  }

  @Override
  public BenchDb client() {
    return new RedisDb(connection());
  }

  @Override
  public Map<String, String> settings() throws DBException {
    try (Jedis redis = connection()) {
      Map<String, String> settings = new LinkedHashMap<>();
      settings.put(
          "version",
          redis
              .info("server")
              .lines()
              .filter(line -> line.startsWith("redis_version:"))
              .map(line -> line.substring(line.indexOf(':') + 1).strip())
              .findFirst()
              .orElse("unknown"));
      settings.put("durability", durability(redis));
      settings.put("memory", "all data, no limit");
      settings.put("isolation", "befriend: WATCH, MULTI, EXEC");
      return settings;
    } catch (JedisException e) {
      throw new DBException(e);
    }
  }

  private static String durability(Jedis redis) {
    if (!"yes".equals(redis.configGet("appendonly").get("appendonly"))) {
      return "none (appendonly no)";
    }
    String sync = String.valueOf(redis.configGet("appendfsync").get("appendfsync"));
    return switch (sync) {
      case "always" -> "every write synced (appendfsync always)";
      case "everysec" -> "synced each second (appendfsync everysec)";
      default -> "appendfsync " + sync;
    };
  }

  @Override
  public void close() {}
}
