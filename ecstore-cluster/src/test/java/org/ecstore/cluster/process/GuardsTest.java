package org.ecstore.cluster.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is told of a node that does not come up. */
class GuardsTest {
  private static final String SAID = "2026-01-31 10:00:00 node 7 stays down";

  @TempDir private Path directory;

  private Optional<String> trouble(long secondsFromWordsToEnd) throws IOException {
    Path home = Files.createDirectories(directory.resolve("node-7"));
    Files.writeString(home.resolve("guard.pid"), "2147483646 0");
    Files.writeString(home.resolve("guard.log"), "an earlier line\n" + SAID + "\n");
    Files.writeString(home.resolve("server.out"), "serving\nthe disk is not there\n\n");
    Instant end = Instant.parse("2026-01-31T10:00:00Z");
    Files.setLastModifiedTime(home.resolve("guard.log"), FileTime.from(end));
    Files.setLastModifiedTime(
        home.resolve("server.out"), FileTime.from(end.minusSeconds(secondsFromWordsToEnd)));
    return new Guards(new ClusterFiles(directory, NewCluster.DEFAULT)).trouble(7, false);
  }

  @Test
  void whyANodeEndedIsToldWithThatItDid() throws IOException {
    String said = "its guard said last: " + SAID;
    assertEquals(Optional.of(said + "; the node: the disk is not there"), trouble(1));
    assertEquals(Optional.of(said), trouble(60), "it printed that long before it was killed");
    assertEquals(Optional.of(said), trouble(-60), "its next life printed that");
  }

  @Test
  void aGuardThatSaidNothingHasNoTrouble() throws IOException {
    Path home = Files.createDirectories(directory.resolve("node-7"));
    Files.writeString(home.resolve("guard.pid"), "2147483646 0");
    assertEquals(
        Optional.empty(),
        new Guards(new ClusterFiles(directory, NewCluster.DEFAULT)).trouble(7, false));
  }
}
