package org.ecstore.cluster.process;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.ecstore.cluster.config.EngineAccess;
import org.ecstore.cluster.database.MavenArtifacts;
import org.ecstore.cluster.node.DatabaseMemory;
import org.ecstore.core.testing.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A database server of a node whose process cannot be noted; the server is a script. */
@Timeout(60)
@EnabledOnOs(value = OS.LINUX, architectures = "amd64")
class UnnotedDatabaseTest {
  @TempDir private Path directory;

  @AfterEach
  void endAll() {
    ProcessHandle.current().children().filter(this::isOurs).forEach(ProcessHandle::destroyForcibly);
  }

  private boolean isOurs(ProcessHandle handle) {
    return handle.isAlive()
        && handle
            .info()
            .commandLine()
            .map(line -> line.contains(directory.resolve("node-1").toString()))
            .orElse(false);
  }

  /** As on a full disk; it would keep its port, and no command could end it. */
  @Test
  void itIsEnded() throws Exception {
    MavenArtifacts artifacts =
        ScriptedRedis.does(directory.resolve("artifacts"), "while :; do sleep 1; done");
    NodeDatabases databases =
        new NodeDatabases(node -> directory.resolve("node-" + node), _ -> artifacts);
    int port = new FreePorts().next();
    databases.made(1, "redis", port, DatabaseMemory.of(64 << 20));
    Files.createDirectories(directory.resolve("node-1/database.pid.tmp/full"));
    EngineAccess access =
        new EngineAccess(
            "redis://127.0.0.1:" + port, Optional.empty(), Optional.empty(), Optional.empty());
    assertThrows(IOException.class, () -> databases.start(1, Optional.of(access), _ -> {}));
    assertTrue(Files.exists(directory.resolve("node-1/database/redis.conf")), "it was to start");
    Await.until("it is ended", () -> ProcessHandle.current().children().noneMatch(this::isOurs));
  }
}
