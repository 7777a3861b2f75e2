package org.ecstore.server.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.BindException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import org.ecstore.engines.EngineOpenException;
import org.ecstore.server.config.ConfigReader;
import org.ecstore.server.config.ServerConfig;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Only what stays as it is until an operator acts keeps a node down (decision 0034). */
class StartRefusalsTest {
  @TempDir private Path temp;
  private ServerConfig config;

  @BeforeEach
  void read() throws IOException {
    Path file =
        Files.writeString(
            temp.resolve("ecstore.toml"),
            "node.id = 1\nnode.directory = \"data\"\nlisten.port = 4711\n");
    config = ConfigReader.read(file, Map.of());
  }

  private boolean mayPass(Exception failure) throws IOException {
    return assertInstanceOf(StartRefusedException.class, StartRefusals.of(config, failure))
        .isTemporary();
  }

  @Test
  void fullDiskAPortInUseAndAnEngineThatFailsMayPass() throws IOException {
    assertEquals(true, mayPass(new FileSystemException("data", null, "No space left on device")));
    assertEquals(true, mayPass(new BindException("Address already in use")));
    assertEquals(true, mayPass(new EngineOpenException(temp, "the disk is full")));
  }

  @Test
  void placeThatIsNotThereOrNotOursStaysSo() throws IOException {
    assertEquals(false, mayPass(new NoSuchFileException("data")));
    assertEquals(false, mayPass(new AccessDeniedException("data")));
  }

  @Test
  void whatIsNoRefusalStaysWhatItIs() throws IOException {
    IOException broken = new IOException("broken");
    assertSame(broken, assertThrows(IOException.class, () -> StartRefusals.of(config, broken)));
    RuntimeException bug = new IllegalStateException("bug");
    assertSame(bug, StartRefusals.of(config, bug));
  }
}
