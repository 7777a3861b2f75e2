package org.ecstore.tools.cli.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.util.Optional;
import org.ecstore.cluster.process.FreePorts;
import org.ecstore.cluster.process.NewCluster;
import org.ecstore.tools.terminal.BadInputException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What is made of options, and what is said of those that do not go together. */
class HostsOfOptionsTest {
  @TempDir private Path directory;

  private NewCluster made(String... options) {
    try (UsualPort usual = UsualPort.claim(new FreePorts().next(), directory)) {
      return CommandLine.populateCommand(new MadeClusterOptions(), options)
          .cluster(null, usual, Optional.empty());
    }
  }

  private void assertRefused(String expected, String... options) {
    assertEquals(expected, assertThrows(BadInputException.class, () -> made(options)).getMessage());
  }

  private Optional<Integer> copies(String... options) {
    return made(options).replication().copies();
  }

  @Test
  void hostsAreMeantWhereTheyAreTooFewForTheCopies() {
    assertRefused(
        "--copies: 4 copies of each range need as many hosts, and there are 3, see --hosts",
        "--hosts=3",
        "--engines=je,mysql,redis",
        "--copies=4");
  }

  @Test
  void hostsAreMeantWhereNodesWouldBeTooMany() {
    assertRefused(
        "--hosts must be from 1 to 10 with 3 kinds of engines, for there are 32 nodes at most;"
            + " not 11",
        "--hosts=11",
        "--engines=je,mysql,redis");
    assertRefused(
        "--hosts must be from 1 to 32 with one kind of engine, for there are 32 nodes at most;"
            + " not 0",
        "--hosts=0",
        "--engines=je");
    assertEquals(30, made("--hosts=10", "--engines=je,mysql,redis").mix().orElseThrow().nodes());
  }

  @Test
  void fourHostsWithSeveralKindsGiveEachRangeAFourthCopy() {
    assertEquals(Optional.of(4), copies("--hosts=4", "--engines=je,mysql,redis"));
    assertEquals(Optional.of(4), copies("--hosts=6", "--engines=rocksdb,mysql"));
    assertEquals(Optional.of(3), copies("--hosts=4", "--engines=je,mysql", "--copies=3"));
    assertEquals(Optional.empty(), copies("--hosts=3", "--engines=je,mysql,redis"));
    assertEquals(Optional.empty(), copies("--hosts=4", "--engines=je"));
    assertEquals(Optional.empty(), copies());
  }
}
