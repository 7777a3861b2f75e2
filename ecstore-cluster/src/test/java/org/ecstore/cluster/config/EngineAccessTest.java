package org.ecstore.cluster.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.ecstore.engines.EngineServer;
import org.ecstore.id.NodeId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineAccessTest {
  private static EngineAccess access(Optional<Path> file, Optional<String> password) {
    return new EngineAccess("redis://localhost", Optional.of("ecstore"), file, password);
  }

  @Test
  void aPasswordIsReadFromItsFileAndNotShown(@TempDir Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("password"), "secret word\n");
    EngineServer server = access(Optional.of(file), Optional.empty()).server("shop", new NodeId(3));
    assertEquals(Optional.of("secret word"), server.password());
    assertEquals(Optional.of("ecstore"), server.user());
    assertEquals("shop_3", server.store());
    assertFalse(server.toString().contains("word"));
    assertFalse(access(Optional.empty(), Optional.of("secret word")).toString().contains("word"));
  }

  @Test
  void aFileThatIsMissingOrEmptyIsNamed(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("password");
    for (int i = 0; i < 2; i++) {
      IOException refused =
          assertThrows(
              IOException.class,
              () -> access(Optional.of(file), Optional.empty()).server("shop", new NodeId(3)));
      assertTrue(String.valueOf(refused.getMessage()).contains(file.toString()));
      Files.writeString(file, "\n");
    }
  }

  @Test
  void aStoreHasANameThatTablesCanHave() {
    assertEquals("my_shop_1_7", EngineAccess.store("My.Shop-1", new NodeId(7)));
    assertEquals("c".repeat(32) + "_9", EngineAccess.store("c".repeat(64), new NodeId(9)));
  }
}
