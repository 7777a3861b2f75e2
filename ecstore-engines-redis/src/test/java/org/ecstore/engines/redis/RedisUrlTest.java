package org.ecstore.engines.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lettuce.core.RedisCredentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.ecstore.cluster.config.ConfigProblem;
import org.ecstore.cluster.config.ConfigReader;
import org.ecstore.cluster.config.InvalidConfigException;
import org.ecstore.cluster.process.FreePorts;
import org.ecstore.engines.EngineOpenException;
import org.ecstore.engines.EngineServer;
import org.ecstore.engines.EngineSettings;
import org.ecstore.engines.store.HeldDirectory;
import org.ecstore.engines.store.StoreDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Where a server is said to be, and who logs in; none is there. */
class RedisUrlTest {
  private static final String SEVERAL =
      "must name one server, and no way to choose among several: what a store has confirmed is on"
          + " one";
  private static final String PORT = "must have a port from 1 to 65535";
  private static final String HOST = "must name a host, and its port behind a colon";
  private static final String USERS =
      "engine.url names a user, and engine.user is given too: give one";
  private static final String PASSWORDS =
      "engine.url has a password, and engine.password-file or engine.password is given too: give"
          + " one";
  private static final String NO_PASSWORD =
      "engine.url has no password, and none is given for the user: give one in"
          + " engine.password-file";

  @TempDir private Path directory;

  /** Another one has not what a store confirmed, and one that took its place may lack some. */
  @Test
  void aUrlNamesOneServer() {
    RedisKind kind = new RedisKind();
    for (String url :
        List.of(
            "redis://localhost:6379",
            "redis://db",
            "rediss://anna:dragon@db:6380/2?clientName=a,b",
            "redis://[::1]:6379")) {
      assertEquals(Optional.empty(), kind.urlProblem(url), url);
    }
    for (String url :
        List.of(
            "redis-sentinel://h1:1,h2:2/0#master",
            "redis-sentinel://h1:1/0#master",
            "redis://h1,h2",
            "redis://h1:1,h2:2")) {
      assertEquals(Optional.of(SEVERAL), kind.urlProblem(url), url);
    }
    assertEquals(Optional.of(PORT), kind.urlProblem("redis://h:0"));
    assertEquals(Optional.of(HOST), kind.urlProblem("redis-socket:///tmp/redis"));
    assertTrue(kind.urlProblem("jdbc:mariadb://h/db").isPresent());
  }

  private static String who(String url, String user, String password) {
    EngineServer server =
        new EngineServer(
            url,
            Optional.of(user).filter(given -> !given.isEmpty()),
            Optional.of(password).filter(given -> !given.isEmpty()),
            "shop_1");
    RedisCredentials said =
        RedisServer.address(RedisSettings.of(server))
            .getCredentialsProvider()
            .resolveCredentials()
            .blockOptional()
            .orElseThrow();
    return (said.hasUsername() ? said.getUsername() : "") + " " + new String(said.getPassword());
  }

  @Test
  void whoIsNamedLogsIn() {
    assertEquals("alice file", who("redis://alice:@h", "", "file"));
    assertEquals("bob file", who("redis://h", "bob", "file"));
    assertEquals("bob urlpw", who("redis://:urlpw@h", "bob", ""));
    assertEquals("bob urlpw", who("redis://urlpw@h", "bob", ""));
    assertEquals("alice u@l:pw", who("redis://alice:u%40l:pw@h", "", ""));
    assertEquals(" file", who("redis://h", "", "file"));
  }

  private List<String> problems(String more) throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("ecstore.toml"),
            "node.id = 1\nnode.directory = 'data'\nengine.kind = 'redis'\n" + more);
    try {
      ConfigReader.read(file, Map.of());
      return List.of();
    } catch (InvalidConfigException refused) {
      return refused.problems().stream().map(ConfigProblem::message).toList();
    }
  }

  @Test
  void aUserAndAPasswordAreSaidOnce() throws IOException {
    String user = "engine.user = 'bob'\n";
    String password = "engine.password = 'x'\n";
    assertEquals(
        List.of(USERS, PASSWORDS), problems("engine.url = 'redis://a:p@h'\n" + user + password));
    assertEquals(List.of(PASSWORDS), problems("engine.url = 'redis://alice@h'\n" + password));
    assertEquals(List.of(NO_PASSWORD), problems("engine.url = 'redis://h'\n" + user));
    assertEquals(List.of(NO_PASSWORD), problems("engine.url = 'redis://alice:@h'\n"));
    for (String once :
        List.of(
            "engine.url = 'redis://h'\n",
            "engine.url = 'redis://a:p@h'\n",
            "engine.url = 'redis://h'\n" + user + password,
            "engine.url = 'redis://alice:@h'\n" + password,
            "engine.url = 'redis://:p@h'\n" + user)) {
      assertEquals(List.of(), problems(once), once);
    }
    EngineSettings settings =
        EngineSettings.DEFAULT.withServer(
            new EngineServer("redis://h", Optional.of("bob"), Optional.empty(), "shop_1"));
    assertEquals(
        NO_PASSWORD,
        assertThrows(
                EngineOpenException.class,
                () -> new RedisKind().open(directory.resolve("engine"), settings))
            .getMessage());
  }

  /** Nothing was ever in it. */
  @Test
  @Timeout(60)
  void aStoreWhoseServerWasNeverThereLeavesItsDirectoryToAnotherKind() {
    Path engine = directory.resolve("engine");
    String url = "redis://127.0.0.1:" + new FreePorts().next();
    assertThrows(
        EngineOpenException.class,
        () -> RedisStore.open(engine, RedisUnderTest.hasty(url, "shop_1")));
    HeldDirectory.take(engine, new StoreDirectory.Format("other", 1)).close();
  }
}
