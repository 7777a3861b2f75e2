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
import io.lettuce.core.api.sync.RedisCommands;
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
import java.util.function.Function;
import java.util.stream.Collectors;
import org.ecstore.cluster.config.EngineAccess;
import org.ecstore.cluster.database.ClassPathArtifacts;
import org.ecstore.cluster.database.MavenArtifacts;
import org.ecstore.cluster.layout.EngineMix;
import org.ecstore.cluster.node.DatabaseMemory;
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
  private static final DatabaseMemory MEMORY = new DatabaseMemory(96L << 20, 80L << 20);

  private NodeDatabases databases;
  private Optional<EngineAccess> access = Optional.empty();

  @BeforeEach
  void make() throws IOException {
    MavenArtifacts artifacts = ClassPathArtifacts.of("embedded-redis-1.4.3");
    databases = new NodeDatabases(node -> directory.resolve("node-" + node), _ -> artifacts);
    Map<String, String> engine =
        databases.made(1, "redis", new FreePorts().next(), MEMORY).stream()
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
    return ask(password, RedisCommands::ping);
  }

  private <T> T ask(Optional<String> password, Function<RedisCommands<String, String>, T> question)
      throws IOException {
    RedisURI uri = RedisURI.create(access.orElseThrow().url());
    password.ifPresent(text -> uri.setCredentialsProvider(credentials(text)));
    RedisClient client = RedisClient.create(uri);
    try (StatefulRedisConnection<String, String> connection = client.connect()) {
      return question.apply(connection.sync());
    } finally {
      client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
    }
  }

  /** What the server may hold, and what it does when it holds that. */
  private List<String> bound() throws IOException {
    Optional<String> password = access.orElseThrow().server("shop", new NodeId(1)).password();
    return ask(
        password,
        server ->
            List.of(
                server.configGet("maxmemory").getOrDefault("maxmemory", ""),
                server.configGet("maxmemory-policy").getOrDefault("maxmemory-policy", "")));
  }

  @Test
  void itHoldsWhatItsNodesFilesSayAndRefusesMore() throws Exception {
    databases.start(1, access, said::add);
    assertEquals(List.of(String.valueOf(80 << 20), "noeviction"), bound());
    databases.end(List.of(1));

    Path options = directory.resolve("node-1").resolve("database.options");
    Files.writeString(
        options, Files.readString(options).replace("maxmemory 80mb", "maxmemory 70mb"));
    databases.start(1, access, said::add);
    assertEquals(List.of(String.valueOf(70 << 20), "noeviction"), bound());
    databases.end(List.of(1));

    Files.delete(options);
    databases.start(1, access, said::add);
    assertEquals(List.of("0", "noeviction"), bound(), "as servers of earlier releases");
    assertEquals(
        "the redis server of node 1 started as before, without database.options", said.getLast());
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
    assertEquals(List.of("the redis server of node 1 started with --maxmemory 80mb"), said);
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

  /** By the files of a cluster; no process is started. */
  @Test
  void theServerOfANodeThatIsAddedHasTheOptionsOfTheFirst() throws Exception {
    NewCluster made = NewCluster.DEFAULT.withMix(new EngineMix(1, List.of("redis")));
    ClusterFiles files = new ClusterFiles(directory.resolve("cluster"), made);
    files.addNodes(1);
    Path first = files.home(1).resolve("database.options");
    assertTrue(Files.readString(first).endsWith("\n--maxmemory 384mb\n"));
    Files.writeString(first, "--maxmemory 3gb\n--hz 20\n");
    files.addLikeFirst(7);
    Path added = files.home(7).resolve("database.options");
    assertEquals("--maxmemory 3gb\n--hz 20\n", Files.readString(added));
    EngineFiles engines = new EngineFiles(files);
    engines.change(7, "je", said::add);
    assertFalse(Files.exists(added));
    engines.change(7, "redis", said::add);
    assertTrue(Files.readString(added).endsWith("\n--maxmemory 384mb\n"));
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
    assertEquals(List.of("kind = \"je\""), databases.made(2, "je", 1, MEMORY));
    assertFalse(databases.has(2));
    databases.start(2, access, said::add);
    assertTrue(databases.process(2).isEmpty());
  }
}
