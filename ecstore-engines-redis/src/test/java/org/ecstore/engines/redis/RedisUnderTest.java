package org.ecstore.engines.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.ecstore.cluster.database.ClassPathArtifacts;
import org.ecstore.cluster.database.DatabaseServer;
import org.ecstore.cluster.database.DatabaseUnderTest;
import org.ecstore.cluster.database.RedisPrograms;
import org.ecstore.engines.EngineServer;
import org.ecstore.engines.store.ServedStoreContract;

/** The Redis server of these tests. */
final class RedisUnderTest extends DatabaseUnderTest implements ServedStoreContract.Server {
  /** A test that uses the server names it in a {@code ResourceLock}. */
  static final String LOCK = "redis";

  /** Started when it is asked for: a process that a test starts has none of its own. */
  private static final class Holder {
    static final RedisUnderTest ONE = new RedisUnderTest();
  }

  private RedisUnderTest() {
    super("redis", RedisUnderTest::in);
  }

  private static DatabaseServer in(Path home) throws Exception {
    return RedisPrograms.find(ClassPathArtifacts.of("embedded-redis-1.4.3"))
        .server(home, List.of("--save", "", "--appendonly", "no"));
  }

  static RedisUnderTest get() {
    return Holder.ONE;
  }

  @Override
  public String commitOfHeldUp() {
    return "held up";
  }

  @Override
  public String url() {
    return "redis://" + address();
  }

  static RedisSettings settings(String url, String store) {
    return RedisSettings.of(new EngineServer(url, Optional.empty(), Optional.empty(), store));
  }

  /** The same, without patience. */
  static RedisSettings hasty(String url, String store) {
    return settings(url, store).withAnswerWithin(Duration.ofSeconds(1));
  }

  /** What the server's own operator does. */
  void asOperator(Consumer<RedisCommands<String, String>> work) {
    RedisClient client = RedisClient.create(RedisURI.create(url()));
    try (StatefulRedisConnection<String, String> connection = client.connect()) {
      work.accept(connection.sync());
    } finally {
      client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
    }
  }
}
