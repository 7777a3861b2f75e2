package org.ecstore.tools.cli.slo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.tools.cli.EcStoreMain;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bad input of {@code slo}, which no cluster is asked about. */
class SloCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path directory;

  private void refused(String why, String... args) {
    err.getBuffer().setLength(0);
    int status =
        EcStoreMain.commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(args);
    assertEquals(ExitStatus.BAD_INPUT, status, out::toString);
    assertTrue(err.toString().contains(why), err::toString);
    assertEquals("", out.toString());
  }

  @Test
  void allThatIsWrongWithAnObjectiveIsSaidAtOnce() {
    refused(
        "the objective of shop: --p99 must be a time above 0 and an hour at most, as 40ms or 1.5s,"
            + " not \"soon\"; --reads must be from 0% to 100%, as 95% or 0.95, not \"half\"; give --rate or"
            + " --clients, not both",
        "slo", "set", "shop", "--p99", "soon", "--reads", "half", "--rate", "1", "--clients", "2");
  }

  /** Of a share from 0 to 100, and times with their unit. */
  @Test
  void sharesAndTimesHaveTheirBounds() throws IOException {
    refused("--reads must be from 0% to 100%", "slo", "set", "shop", "--reads", "101%");
    refused("--reads must be from 0% to 100%", "slo", "set", "shop", "--reads", "-1%");
    String[] noUnit = {"slo", "set", "shop", "--p99", "20", "--rate", "1"};
    refused("--p99 must be a time above 0 and an hour at most, as 40ms or 1.5s", noUnit);
    refused("--p99 must be a time", "slo", "set", "shop", "--p99", "0ms", "--rate", "1");
    refused("--p99 must be a time", "slo", "set", "shop", "--p99", "2h", "--rate", "1");
    // These are good: what is missing is the cluster.
    for (String reads : new String[] {"0%", "100%", "0", "100"}) {
      refused("which cluster?", "slo", "set", "shop", "--class", "best-effort", "--reads", reads);
    }
    Path cut = Files.writeString(directory.resolve("cut.toml"), "[shop]\np99 = \"20m");
    refused("cut.toml", "slo", "set", "--file", cut.toString());
  }

  @Test
  void aGuaranteeWithoutALoadIsRefused() {
    refused("a guarantee is for a load", "slo", "set", "shop", "--p99", "20ms");
  }

  @Test
  void aQuotaIsOfTablesAndNoLessThanTheData() {
    refused("a quota is of tables", "slo", "set", "shop", "--quota", "2GiB");
    refused("; a quota is of tables", "slo", "set", "shop", "--quota", "lots");
    refused(
        "data of 3000000000 bytes contradict a quota of 2000000000",
        "slo",
        "set",
        "shop",
        "--tables",
        "users",
        "--data-size",
        "3GB",
        "--quota",
        "2GB");
  }

  @Test
  void timesThatContradictEachOtherAreRefused() {
    refused(
        "contradicts p99",
        "slo",
        "set",
        "shop",
        "--mean",
        "30ms",
        "--p99",
        "20ms",
        "--rate",
        "4000");
  }

  @Test
  void shortTimesAreSaidAsTheyWereWritten() {
    String[] times = {"--mean", "0.0005ms", "--p95", "0.0004ms", "--rate", "1"};
    refused(
        "mean of 0.0005 ms contradicts p95 of 0.0004 ms",
        Stream.concat(Stream.of("slo", "set", "shop"), Stream.of(times)).toArray(String[]::new));
  }

  @Test
  void eitherANameOrAFileIsGiven() throws IOException {
    refused("which application?", "slo", "set");
    Path file = Files.writeString(directory.resolve("slo.toml"), "[shop]\nclass='best-effort'\n");
    refused("give them there alone", "slo", "set", "shop", "--file", file.toString());
  }

  @Test
  void theClusterHasToBeNamed() {
    refused("give its directory in --dir DIR", "slo", "status");
    refused("give its directory in --dir DIR", "slo", "remove", "shop");
    refused("there is no cluster in", "slo", "history", "--dir", directory.toString());
    refused("not an address", "slo", "status", "--at", "10.0.0.1:7420:9");
    refused("not both", "slo", "status", "--at", "10.0.0.1", "--dir", directory.toString());
    refused("--at goes with --secret-file", "slo", "remove", "shop", "--at", "10.0.0.1");
  }

  @Test
  void whatIsRemovedCanBeSaidAsJson() {
    refused("give its directory in --dir DIR", "slo", "remove", "shop", "--json");
  }

  @Test
  void aClusterThatIsDownIsSaidToBeWithWhatStartsIt() throws IOException {
    Path node = Files.createDirectories(directory.resolve("down/node-1"));
    Files.writeString(
        node.resolve("ecstore.toml"),
        "node.id = 1\nnode.directory = \"data\"\nlisten.port = 65001\n");
    String down = directory.resolve("down").toString();
    refused(
        "no node runs; \"ecstore cluster up --dir %s\" starts them".formatted(down),
        "slo",
        "status",
        "--dir",
        down);
  }
}
