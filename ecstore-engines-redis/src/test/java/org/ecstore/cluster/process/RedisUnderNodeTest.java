package org.ecstore.cluster.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.ecstore.cluster.config.EngineAccess;
import org.ecstore.cluster.database.ClassPathArtifacts;
import org.ecstore.cluster.database.MavenArtifacts;
import org.ecstore.id.NodeId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The Redis server of a node of a cluster that was made here, through its whole life. */
@Timeout(120)
final class RedisUnderNodeTest {
  @TempDir private Path directory;
  private final List<String> said = new ArrayList<>();
  private NodeDatabases databases;
  private Optional<EngineAccess> access = Optional.empty();

  @BeforeEach
  void make() throws IOException {
    MavenArtifacts artifacts = ClassPathArtifacts.of("embedded-redis-1.4.3");
    databases = new NodeDatabases(node -> directory.resolve("node-" + node), _ -> artifacts);
    Map<String, String> engine =
        databases.made(1, "redis", new FreePorts().next()).stream()
            .map(line -> line.split(" = ", 2))
            .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1].replace("\"", "")));
    access =
        Optional.of(
            new EngineAccess(
                Objects.requireNonNull(engine.get("url")),
                Optional.ofNullable(engine.get("user")),
                Optional.of(directory.resolve("node-1").resolve("database.secret")),
                Optional.empty()));
    assertEquals("database.secret", engine.get("password-file"));
  }

  @AfterEach
  void end() throws Exception {
    databases.end(List.of(1));
  }

  private String ping(Optional<String> password) throws IOException {
    RedisURI uri = RedisURI.create(access.orElseThrow().url());
    password.ifPresent(text -> uri.setCredentialsProvider(credentials(text)));
    RedisClient client = RedisClient.create(uri);
    try (StatefulRedisConnection<String, String> connection = client.connect()) {
      return connection.sync().ping();
    } finally {
      client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
    }
  }

  private static RedisCredentialsProvider credentials(String password) {
    return RedisCredentialsProvider.from(() -> RedisCredentials.just(null, password));
  }

  private long pid() throws IOException {
    return databases.process(1).orElseThrow().pid();
  }

  @Test
  void itIsStartedFoundAgainKilledAndEnded() throws Exception {
    assertTrue(databases.has(1));
    assertEquals(
        "rwx------",
        PosixFilePermissions.toString(
            Files.getPosixFilePermissions(directory.resolve("node-1").resolve("database"))));
    assertTrue(databases.process(1).isEmpty());
    databases.start(1, access, said::add);
    assertEquals(List.of("the redis server of node 1 started"), said);
    long first = pid();
    Optional<String> password = access.orElseThrow().server("shop", new NodeId(1)).password();
    assertEquals("PONG", ping(password));
    assertThrows(RedisException.class, () -> ping(Optional.empty()));
    // Another command finds it by what its directory says, and starts no second one.
    NodeDatabases later =
        new NodeDatabases(node -> directory.resolve("node-" + node), _ -> fetchesNothing());
    later.start(1, access, said::add);
    assertEquals(first, later.process(1).orElseThrow().pid());
    databases.kill(1);
    assertTrue(databases.process(1).isEmpty());
    databases.start(1, access, said::add);
    assertFalse(first == pid());
    assertEquals("PONG", ping(password));
    databases.end(List.of(1, 2));
    assertTrue(databases.process(1).isEmpty());
  }

  private MavenArtifacts fetchesNothing() {
    return new MavenArtifacts(directory.resolve("none"), _ -> {});
  }

  @Test
  void aServerThatDoesNotStartIsSaidWithItsLastWord() throws Exception {
    Files.writeString(
        directory.resolve("node-1").resolve("database.secret"), "a secret\nnosuchoption 1\n");
    ProcessClusterException refused =
        assertThrows(ProcessClusterException.class, () -> databases.start(1, access, said::add));
    String text = String.valueOf(refused.getMessage());
    assertTrue(text.contains("its process has ended; it said: "), text);
    assertTrue(text.contains("engine.url"), text);
    assertTrue(databases.process(1).isEmpty());
  }

  @Test
  void aNodeOfAnEngineWithoutServerHasNone() throws Exception {
    assertEquals(List.of("kind = \"je\""), databases.made(2, "je", 1));
    assertFalse(databases.has(2));
    databases.start(2, access, said::add);
    assertTrue(databases.process(2).isEmpty());
  }
}
