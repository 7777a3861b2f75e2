package org.ecstore.tools.cli.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.tools.cli.EcStoreMain;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Bad input of {@code cluster up --slo} and {@code cluster provision}: nothing is made or begun.
 */
class KeptObjectivesTest {
  private static final String SHOP =
      """
      [shop]
      tables = ["users", "orders"]
      p99 = "20ms"
      rate = 400
      """;

  @TempDir private Path directory;

  private void refused(String why, String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status =
        EcStoreMain.commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(args);
    assertEquals(ExitStatus.BAD_INPUT, status, out::toString);
    assertTrue(err.toString().contains(why), err::toString);
    assertEquals("", out.toString());
    assertFalse(Files.exists(directory.resolve("cluster")));
  }

  private void upRefused(String why, String... more) {
    List<String> args =
        new ArrayList<>(List.of("cluster", "up", "--port", "0", "--dir", directory + "/cluster"));
    args.addAll(List.of(more));
    refused(why, args.toArray(String[]::new));
  }

  private String file(String text) throws IOException {
    return Files.writeString(directory.resolve("slo.toml"), text).toString();
  }

  @Test
  void allObjectivesAreLookedAtFirst() throws IOException {
    upRefused("there is no file", "--slo", directory + "/typo.toml");
    upRefused("begin with a line [NAME]", "--slo", file(""));
    upRefused("p98", "--slo", file(SHOP + "p98 = \"3ms\"\n"));
    upRefused(
        "reports: the table orders is of the application \"shop\" already",
        "--slo",
        file(SHOP + "[reports]\ntables = [\"orders\"]\nclass = \"best-effort\"\n"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"freeze", "on", "", "ACT"})
  void theModeIsOneThatKeepsSomething(String mode) throws IOException {
    upRefused(
        "--qos-mode must be act, ask or observe, not \"" + mode + '"',
        "--slo",
        file(SHOP),
        "--qos-mode",
        mode);
  }

  @Test
  void whatGoesWithObjectivesNeedsSome() {
    upRefused("--qos-mode goes with --slo", "--qos-mode", "act");
    upRefused("--nodes-max goes with --slo", "--nodes-max", "5");
  }

  @Test
  void thereCannotBeFewerNodesThanThereShallBe() throws IOException {
    upRefused("--nodes-max must be a whole number", "--slo", file(SHOP), "--nodes-max", "0");
    upRefused(
        "--nodes-max is 2, and there shall be 3 nodes", "--slo", file(SHOP), "--nodes-max", "2");
  }

  @Test
  void aDirectoryThatNoCommandCanNameIsRefused() throws IOException {
    String odd = directory.resolve("a\"b").toString();
    refused("has a double quote", "cluster", "up", "--dir", odd, "--slo", file(SHOP));
    assertFalse(Files.exists(Path.of(odd)));
    refused("which cluster? give its directory", "cluster", "up", "--slo", file(SHOP));
  }

  @Test
  void nodesAreProvidedByTheirNumbersToAClusterThatIsThere() {
    String there = directory + "/cluster";
    refused("provision what: add, remove?", "cluster", "provision");
    refused("from 1 to 999999, not 0", "cluster", "provision", "add", "0", "--dir", there);
    refused("'N'", "cluster", "provision", "remove", "--dir", there);
    for (String what : List.of("add", "remove")) {
      refused("there is no cluster in", "cluster", "provision", what, "4", "--dir", there);
      // As the script has it.
      refused("there is no cluster in", "cluster", "provision", "--dir", there, what, "4");
      refused("Unknown option", "cluster", "provision", what, "4", "--nodes", "3");
      refused("Unknown option", "cluster", "provision", what, "4", "--secret-file", "x");
    }
  }
}
