package org.ecstore.cluster.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.ecstore.cluster.config.ConfigReader;
import org.ecstore.cluster.config.ServerConfig;
import org.ecstore.cluster.zookeeper.server.EmbeddedZooKeeper;
import org.ecstore.cluster.zookeeper.server.EnsembleMember;
import org.ecstore.core.metrics.MetricsProvider;
import org.ecstore.core.port.OperatorLog;
import org.ecstore.engines.EngineOpenException;
import org.ecstore.engines.OtherEngineException;
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

  /** It was a failure of Berkeley DB, which a guard starts again, for a reason that lasts. */
  @Test
  void aCacheThatIsLargerThanItsHeapStaysSo() throws IOException {
    Path file =
        Files.writeString(
            temp.resolve("large.toml"),
            "node.id = 1\nnode.directory = \"data\"\nengine.cache = \"1024GiB\"\n");
    ServerConfig large = ConfigReader.read(file, Map.of());
    StartRefusedException refused =
        assertThrows(
            StartRefusedException.class,
            () -> ConfiguredSettings.of(large, MetricsProvider.NONE, Optional.empty()));
    assertEquals(false, refused.isTemporary());
    assertTrue(
        String.valueOf(refused.getMessage()).startsWith("engine.cache is 1024GiB, and this node's"),
        refused::getMessage);
    ConfiguredSettings.mustFitHeap(large, 1L << 40);
    assertThrows(
        StartRefusedException.class, () -> ConfiguredSettings.mustFitHeap(large, (1L << 40) - 1));
  }

  @Test
  void anEngineOfAnotherKindStaysSo() throws IOException {
    assertEquals(false, mayPass(new OtherEngineException(temp, "holds an engine \"je 2\"")));
  }

  @Test
  void placeThatIsNotThereOrNotOursStaysSo() throws IOException {
    assertEquals(false, mayPass(new NoSuchFileException("data")));
    assertEquals(false, mayPass(new AccessDeniedException("data")));
  }

  /** In the operating system's words, for which there are no classes of exceptions. */
  @Test
  void placeThatCannotBeWrittenToStaysSo() throws IOException {
    for (String said :
        List.of("Not a directory", "Read-only file system", "is a directory, not a file")) {
      assertEquals(false, mayPass(new FileSystemException("data", null, said)), said);
    }
    assertEquals(false, mayPass(new IOException("Is a directory")));
    Path within = Files.createFile(temp.resolve("file")).resolve("within");
    assertEquals(false, mayPass(thrownBy(() -> Files.writeString(within, "text"))));
    assertEquals(false, mayPass(thrownBy(() -> Files.writeString(temp, "text"))));
  }

  @Test
  void logOnAFullDiskMayPassAndOneInAWrongPlaceStaysSo() throws IOException {
    Path log = temp.resolve("node.log");
    FileSystemException full = new FileSystemException("log", null, "No space left on device");
    StartRefusedException refused = ServerLog.refusal(log, full);
    assertEquals(true, refused.isTemporary());
    assertEquals(
        "log.file " + log + " cannot be written to: No space left on device", refused.getMessage());
    assertEquals(true, ServerLog.refusal(log, new IOException(full.getReason())).isTemporary());
    assertEquals(false, ServerLog.refusal(log, new AccessDeniedException("log")).isTemporary());
    assertEquals(false, ServerLog.refusal(log, new IOException("Is a directory")).isTemporary());
  }

  private interface Start {
    void run() throws IOException;
  }

  private static IOException thrownBy(Start start) {
    return assertThrows(IOException.class, start::run);
  }

  private static final List<EnsembleMember> ENSEMBLE =
      List.of(
          EnsembleMember.parse("1@127.0.0.1:47101:47102;47103"),
          EnsembleMember.parse("2@127.0.0.1:47201:47202;47203"));

  private IOException ofMember(List<EnsembleMember> ensemble) {
    return thrownBy(
        () -> EmbeddedZooKeeper.member(temp.resolve("server"), 1, ensemble, new Silent()).close());
  }

  private static IOException ofServer(Path directory, int port) {
    String host = EmbeddedZooKeeper.LOOPBACK;
    return thrownBy(
        () -> EmbeddedZooKeeper.standalone(directory, host, port, new Silent()).close());
  }

  /** The starts are refused before there is anything to say. */
  private static final class Silent implements OperatorLog {
    @Override
    public void info(String text) {}

    @Override
    public void warn(String text) {}
  }

  @Test
  void zooKeeperOfAnotherIdOrAnImpossibleEnsembleStaysSo() throws IOException {
    Path server = Files.createDirectory(temp.resolve("server"));
    Files.writeString(server.resolve("myid"), "7");
    assertEquals(false, mayPass(ofMember(ENSEMBLE)));
    Files.delete(server.resolve("myid"));
    List<EnsembleMember> impossible =
        List.of(ENSEMBLE.get(0), new EnsembleMember(2, "a;b", 47201, 47202, 47203));
    IOException refused = ofMember(impossible);
    String said = String.valueOf(refused.getMessage());
    assertTrue(said.contains("is not possible"), said);
    assertEquals(false, mayPass(refused));
  }

  @Test
  void zooKeeperWithDamagedDataStaysSoAndWithAPortInUseDoesNot() throws IOException {
    Path server = temp.resolve("server");
    EmbeddedZooKeeper.standalone(server, EmbeddedZooKeeper.LOOPBACK, 0, new Silent()).close();
    try (Stream<Path> files = Files.list(server.resolve("version-2"))) {
      for (Path file : files.filter(f -> f.toString().contains("snapshot.")).toList()) {
        byte[] content = Files.readAllBytes(file);
        content[content.length / 2] ^= 0x10;
        Files.write(file, content);
      }
    }
    assertEquals(false, mayPass(ofServer(server, 0)));
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertEquals(true, mayPass(ofServer(temp.resolve("other"), taken.getLocalPort())));
    }
  }

  @Test
  void whatIsNoRefusalStaysWhatItIs() throws IOException {
    IOException broken = new IOException("broken");
    assertSame(broken, assertThrows(IOException.class, () -> StartRefusals.of(config, broken)));
    RuntimeException bug = new IllegalStateException("bug");
    assertSame(bug, StartRefusals.of(config, bug));
  }
}
