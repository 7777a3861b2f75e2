package org.ecstore.tools.cli.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.ecstore.cluster.layout.EngineMix;
import org.ecstore.cluster.layout.NodeClass;
import org.ecstore.cluster.node.Machine;
import org.ecstore.cluster.process.NewCluster;
import org.ecstore.tools.plan.MeasuredNodes;
import org.ecstore.tools.plan.PlannedNodes;
import org.ecstore.tools.terminal.BadInputException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What a cluster is made with, where options and a plan say it. */
class MadeClusterOptionsTest {
  private static final long MEBI = 1 << 20;
  private static final BigDecimal PRICE = new BigDecimal("0.02");

  @TempDir private Path directory;

  private static MadeClusterOptions options(String... args) {
    MadeClusterOptions options = new MadeClusterOptions();
    new CommandLine(options).parseArgs(args);
    return options;
  }

  private static PlannedNodes plan(String engine) {
    return new PlannedNodes(
        List.of(),
        4,
        Optional.of(engine),
        Optional.of("small"),
        Optional.of(PRICE),
        Optional.of("0.2"),
        OptionalInt.of(1),
        Optional.of(new MeasuredNodes(384, 40, 1)));
  }

  private NewCluster made(MadeClusterOptions options, Optional<BigDecimal> share) {
    try (UsualPort usual = UsualPort.claim(1, directory)) {
      return options.cluster(null, usual, share);
    }
  }

  @Test
  void whatIsNotGivenIsAsThePlanHasIt() {
    MadeClusterOptions options = options();
    List<String> said = options.take(plan("je"), Optional.empty());
    assertEquals(
        List.of(
            "heap of 384 MiB and engine cache of 40 MiB as in the table",
            "the plan is of 1 copy of each range, and here there are 3: see --copies"),
        said);
    assertEquals(4, options.nodes());
    assertTrue(options.hasCapacity());
    NewCluster made = made(options, Optional.of(BigDecimal.ONE));
    assertEquals(
        new NodeClass("small", Optional.of(PRICE), Optional.of(new BigDecimal("0.2"))),
        made.nodeClass());
    assertEquals(384 * MEBI, made.resources().heapBytesMax());
    assertEquals(40 * MEBI, made.resources().cacheBytes());
    assertEquals(Optional.empty(), made.machine());
    assertEquals(Optional.empty(), made.mix());
  }

  @Test
  void whatIsGivenGoesBeforeAndIsSaid() {
    MadeClusterOptions options = options("--class", "large", "--capacity", "0.50");
    List<String> said = options.take(plan("je"), Optional.of(5));
    assertEquals(
        List.of(
            "--nodes 5 in place of 4, which the plan is of",
            "--class large in place of small, which the plan is of",
            "--capacity 0.5 in place of 0.2, which the plan is of"),
        said.subList(0, 3));
    NodeClass nodeClass = made(options, Optional.empty()).nodeClass();
    assertEquals("large", nodeClass.name());
    assertEquals(Optional.of(new BigDecimal("0.5")), nodeClass.capacity());
  }

  @Test
  void copiesThatAreNotThoseOfThePlanAreSaid() {
    assertEquals(
        "--copies 2 in place of 1, which the plan is of",
        options("--copies", "2").take(plan("je"), Optional.empty()).getFirst());
    assertEquals(1, options("--copies", "1").take(plan("je"), Optional.empty()).size());
    assertEquals(
        List.of(
            "--nodes 1 in place of 4, which the plan is of",
            "heap of 384 MiB and engine cache of 40 MiB as in the table"),
        options().take(plan("je"), Optional.of(1)),
        "one node has one copy");
  }

  @Test
  void anotherKindThanTheUsualOneIsOnHostsOfItsOwn() {
    MadeClusterOptions options = options();
    options.take(plan("rocksdb"), Optional.empty());
    assertEquals(4, options.nodes());
    NewCluster made = made(options, Optional.empty());
    assertEquals(Optional.of(new EngineMix(4, List.of("rocksdb"))), made.mix());
    assertTrue(made.replication().relaxed());
    MadeClusterOptions others = options();
    others.take(plan("rocksdb"), Optional.of(3));
    try (UsualPort usual = UsualPort.claim(1, directory)) {
      assertEquals(
          Optional.of(new EngineMix(3, List.of("rocksdb"))),
          others.cluster(3, usual, Optional.empty()).mix());
    }
    MadeClusterOptions given = options("--engines", "je");
    assertEquals(
        "--engines je in place of rocksdb, which the plan is of",
        given.take(plan("rocksdb"), Optional.empty()).getFirst());
    assertEquals(4, given.nodes());
  }

  @Test
  void databaseServersKeepInMemoryWhatIsGiven() {
    MadeClusterOptions options =
        options("--engines", "je,mysql,redis", "--database-memory", "2GiB");
    assertEquals(Optional.of(2048 * MEBI), made(options, Optional.empty()).databaseBytes());
    assertEquals(
        Optional.empty(), made(options("--engines", "je,mysql"), Optional.empty()).databaseBytes());
    assertRefused("see engine.cache", "--database-memory", "2GiB");
    assertRefused("see engine.cache", "--engines", "je,rocksdb", "--database-memory", "2GiB");
    assertRefused("64MiB or more", "--engines", "je,redis", "--database-memory", "2MiB");
  }

  @Test
  void itIsSaidWhereThereAreMoreKindsThanCopies() {
    String[] kinds = {"--engines", "je,mysql,redis"};
    assertEquals(Optional.empty(), options(kinds).kindsWithoutCopies());
    assertEquals(
        Optional.empty(), options("--hosts", "2", "--engines", "je,redis").kindsWithoutCopies());
    assertEquals(Optional.empty(), options().kindsWithoutCopies());
    String one = options("--hosts", "1", kinds[0], kinds[1]).kindsWithoutCopies().orElseThrow();
    assertTrue(one.startsWith("each range has one copy, on a host of its own: "), one);
    assertTrue(one.contains("--hosts 3"), one);
    String two = options("--copies", "2", kinds[0], kinds[1]).kindsWithoutCopies().orElseThrow();
    assertTrue(two.startsWith("each range has 2 copies, "), two);
  }

  private void assertRefused(String why, String... args) {
    MadeClusterOptions options = options(args);
    BadInputException refused =
        assertThrows(BadInputException.class, () -> made(options, Optional.empty()));
    assertTrue(String.valueOf(refused.getMessage()).contains(why), refused::toString);
  }

  @Test
  void aShareOfTheMachineIsForNodesOfWhichNothingIsSaid() {
    Optional<BigDecimal> share = Optional.of(new BigDecimal("0.18"));
    assertEquals(share, made(options(), share).nodeClass().capacity());
    assertEquals(
        Optional.of(BigDecimal.ONE),
        made(options("--capacity", "1"), share).nodeClass().capacity());
    assertEquals(Optional.empty(), made(options(), Optional.empty()).nodeClass().capacity());
    assertEquals(3, options().nodes());
  }

  @Test
  void aNodeKeepsNoMoreProcessorsBusyThanThereAre() {
    int here = Machine.here().processors();
    assertRefused(
        "--capacity is no more than the %d processors of this machine, not 9999".formatted(here),
        "--capacity",
        "9999");
    MadeClusterOptions planned = options();
    PlannedNodes huge =
        new PlannedNodes(
            List.of(),
            4,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.of("9999"),
            OptionalInt.empty(),
            Optional.empty());
    assertTrue(planned.take(huge, Optional.empty()).size() > 0);
    BadInputException refused =
        assertThrows(BadInputException.class, () -> made(planned, Optional.empty()));
    assertEquals(
        "the plan is of nodes that keep 9999 processors busy, and this machine has "
            + here
            + ": see --capacity",
        refused.getMessage());
  }
}
