package org.ecstore.tools.cli.slo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
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
            + " not \"soon\"; --reads must be from 0% to 100%, as 95%, not \"half\"; give --rate or"
            + " --clients, not both",
        "slo", "set", "shop", "--p99", "soon", "--reads", "half", "--rate", "1", "--clients", "2");
  }

  @Test
  void aGuaranteeWithoutALoadIsRefused() {
    refused("a guarantee is for a load", "slo", "set", "shop", "--p99", "20ms");
  }

  @Test
  void aQuotaIsOfTablesAndNoLessThanTheData() {
    refused("a quota is of tables", "slo", "set", "shop", "--quota", "2GiB");
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
  }
}
