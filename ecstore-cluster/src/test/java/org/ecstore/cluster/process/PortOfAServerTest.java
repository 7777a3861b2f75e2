package org.ecstore.cluster.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.ecstore.cluster.config.EngineAccess;
import org.ecstore.cluster.database.MavenArtifacts;
import org.ecstore.cluster.node.DatabaseMemory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The port of a server that is started here, by the URL, in which an operator may add options. */
class PortOfAServerTest {
  @TempDir private Path directory;

  @Test
  void optionsOfTheDriverMayFollow() {
    for (String url :
        List.of(
            "redis://127.0.0.1:1234",
            "redis://127.0.0.1:1234?clientName=n2:77",
            "redis://:word@127.0.0.1:1234/0#x",
            "jdbc:mariadb://127.0.0.1:1234/ecstore?sslMode=trust&a=/b:5")) {
      assertEquals(Optional.of(1234), NodeDatabases.port(url), url);
    }
    for (String url :
        List.of(
            "redis://127.0.0.1",
            "redis://:1234@127.0.0.1",
            "jdbc:mariadb://localhost/ecstore",
            "rediss://:p/w@h:1",
            "redis://h:0",
            "redis://h:65536",
            "redis://h:99999999999")) {
      assertEquals(Optional.empty(), NodeDatabases.port(url), url);
    }
  }

  @Test
  void aUrlWithoutOneIsRefusedWithItsFile() throws Exception {
    NodeDatabases databases =
        new NodeDatabases(
            node -> directory.resolve("node-" + node),
            progress -> new MavenArtifacts(directory.resolve("none"), progress));
    databases.made(1, "redis", 1234, DatabaseMemory.of(64 << 20));
    EngineAccess access =
        new EngineAccess(
            "redis://127.0.0.1", Optional.empty(), Optional.empty(), Optional.of("secret"));
    ProcessClusterException refused =
        assertThrows(
            ProcessClusterException.class, () -> databases.start(1, Optional.of(access), _ -> {}));
    assertEquals(
        "node 1: engine.url in "
            + directory.resolve("node-1/ecstore.toml")
            + " has no port from 1 to 65535 behind its host: that of a server that is made here"
            + " has one",
        refused.getMessage());
    assertFalse(Files.exists(directory.resolve("node-1/database/redis.conf")));
  }
}
