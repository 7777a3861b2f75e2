package org.ecstore.bench.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.ecstore.cluster.database.Loopback;
import org.ecstore.cluster.database.MavenArtifacts;
import org.ecstore.cluster.database.ServerProcess;
import org.ecstore.cluster.database.ServerUnavailableException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PeersTest {
  @TempDir private Path temp;

  @Test
  void eachIsFoundByItsName() {
    assertEquals(
        List.of("cassandra", "cassandra-ordered", "cassandra3", "mariadb", "redis", "echo"),
        Peers.names());
    for (String name : Peers.names()) {
      assertEquals(name, Peers.of(name).orElseThrow().name());
    }
    assertEquals(Optional.empty(), Peers.of("oracle"));
  }

  @Test
  void aPeerThatIsNotThereIsUnavailableAndSaysWhy() throws ServerUnavailableException {
    int port = Loopback.freePorts(1, List.of("127.0.0.1")).getFirst();
    for (String name : List.of("cassandra", "mariadb", "redis")) {
      ServerUnavailableException e =
          assertThrows(
              ServerUnavailableException.class,
              () -> Peers.of(name).orElseThrow().at("127.0.0.1:" + port, List.of()),
              name);
      assertTrue(String.valueOf(e.getMessage()).length() > 20, e::getMessage);
    }
  }

  @Test
  void notedJarsAreUsedWithoutMavenAndAddressesOfOthersHaveNoFreePorts() throws Exception {
    Path home = Files.createDirectories(temp.resolve("no-1"));
    Path jar = Files.writeString(temp.resolve("no.jar"), "");
    Files.writeString(home.resolve("classpath.txt"), jar.toString());
    assertEquals(List.of(jar), new MavenArtifacts(temp, _ -> {}).jars("org.ecstore:no:1"));
    assertThrows(
        ServerUnavailableException.class, () -> Loopback.freePorts(1, List.of("192.0.2.1")));
  }

  private ServerProcess sleeping() throws IOException {
    return ServerProcess.start(
        List.of("sh", "-c", "echo begun; exec sleep 600"), temp, temp.resolve("out"), Map.of());
  }

  @Test
  void stoppedProcessEndsWhenItIsToldTo() throws IOException, InterruptedException {
    ServerProcess process = sleeping();
    process.pause();
    assertTrue(process.isAlive());
    process.resume();
    process.pause();
    process.beginEnd();
    process.awaitEnd(Duration.ofSeconds(60));
    assertFalse(process.isAlive());
    IOException e = assertThrows(IOException.class, process::pause);
    assertTrue(String.valueOf(e.getMessage()).contains("has ended"), e::getMessage);
  }

  @Test
  void processThatEndsAtOnceIsSaidWithItsLastLine() throws Exception {
    ServerProcess process =
        ServerProcess.start(
            List.of("sh", "-c", "echo cannot do it; exit 1"), temp, temp.resolve("out"), Map.of());
    int port = Loopback.freePorts(1, List.of("127.0.0.1")).getFirst();
    ServerUnavailableException e =
        assertThrows(
            ServerUnavailableException.class,
            () ->
                Loopback.awaitListening(
                    "127.0.0.1:" + port, List.of(process), Duration.ofMinutes(1)));
    assertTrue(String.valueOf(e.getMessage()).contains("cannot do it"), e::getMessage);
    process.awaitEnd(Duration.ofSeconds(60));
  }
}
