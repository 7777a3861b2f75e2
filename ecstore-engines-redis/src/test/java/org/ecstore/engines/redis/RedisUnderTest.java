package org.ecstore.engines.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.ecstore.cluster.database.ClassPathArtifacts;
import org.ecstore.cluster.database.DatabaseServer;
import org.ecstore.cluster.database.RedisPrograms;
import org.ecstore.engines.EngineServer;
import org.ecstore.engines.store.ServedStoreContract;

/** One server for all tests of this JVM, which use it by turns: some kill it. Ends with the JVM. */
final class RedisUnderTest implements ServedStoreContract.Server {
  /** A test that uses the server names it in a {@code ResourceLock}. */
  static final String LOCK = "redis";

  /** Started when it is asked for: a process that a test starts has none of its own. */
  private static final class Holder {
    static final RedisUnderTest ONE = new RedisUnderTest();
  }

  final DatabaseServer server;

  private RedisUnderTest() {
    try {
      Path home = Path.of("target", "redis").toAbsolutePath();
      Files.deleteIfExists(home.resolve("dump.rdb"));
      server =
          RedisPrograms.find(ClassPathArtifacts.of("embedded-redis-1.4.3"))
              .server(home, List.of("--save", "", "--appendonly", "no"));
      server.start();
    } catch (Exception e) {
      throw new IllegalStateException("no Redis for these tests", e);
    }
  }

  static RedisUnderTest get() {
    return Holder.ONE;
  }

  @Override
  public String address() {
    return server.address();
  }

  @Override
  public String commitOfHeldUp() {
    return "held up";
  }

  @Override
  public String url() {
    return "redis://" + server.address();
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

  @Override
  public void pause() throws Exception {
    server.process().pause();
  }

  @Override
  public void resume() throws Exception {
    server.process().resume();
  }

  /** SIGKILL, and a new process, on the dump if there is one. */
  @Override
  public void kill() throws Exception {
    server.process().kill();
    server.start();
  }

  /** As {@link #kill}, of a call that must not fail. */
  void killNow() {
    try {
      kill();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
