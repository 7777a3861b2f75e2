package org.ecstore.tools.cli.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.cluster.database.ServedElsewhereKind;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.model.control.ControlMode;
import org.ecstore.model.control.ControlSettings;
import org.ecstore.tools.cli.EcStoreMain;
import org.ecstore.tools.cli.MainElsewhere;
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

  /** Also with objectives, where the script that adds nodes is written first. */
  @Test
  void nothingIsMadeForAKindWhoseServersAreNotMadeHere() throws Exception {
    Path kind = ServedElsewhereKind.announcedIn(directory.resolve("kind"));
    Path cluster = directory.resolve("cluster");
    MainElsewhere.Ended ended =
        MainElsewhere.run(
            directory,
            List.of(kind),
            List.of(
                "cluster",
                "up",
                "--slo",
                file(SHOP),
                "--engines",
                "je,elsewhere",
                "--port",
                "0",
                "--dir",
                cluster.toString()));
    assertEquals(ExitStatus.BAD_INPUT, ended.status(), ended::said);
    assertTrue(
        ended.said().contains("--engines: nodes of the kind elsewhere keep their data on a server"),
        ended::said);
    assertTrue(ended.said().contains("with engine.url in its ecstore.toml"), ended::said);
    assertFalse(Files.exists(cluster), ended::said);
  }

  private String table(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text).toString();
  }

  private static final String FOR_CLIENTS = "[shop]\nclients = 8\nmean = \"9ms\"\n";

  /** As many nodes as are planned are more than there may be. */
  @Test
  void nodesArePlannedByATable() throws IOException {
    String table = table("two.csv", "8,1,20,1\n8,2,8,1\n8,3,7,1\n");
    String[] planned = {"--slo", file(FOR_CLIENTS), "--nodes-max", "1", "--table", table};
    upRefused("--nodes-max is 1, and there shall be 2 nodes", planned);
    table("one.csv", "# price: 0.1\n8,1,8.5,1\n8,2,8,1\n");
    planned[5] = directory.toString();
    planned[3] = "2";
    List<String> more = new ArrayList<>(List.of(planned));
    more.addAll(List.of("--nodes", "3"));
    upRefused("--nodes-max is 2, and there shall be 3 nodes", more.toArray(String[]::new));
  }

  /** Where no cluster comes of it, as another process has the port: after the plan is said. */
  private String upThatFails(String... more) throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      List<String> args = new ArrayList<>(List.of("cluster", "up", "--slo", "slo.toml"));
      args.addAll(List.of("--dir", "cluster", "--port", String.valueOf(taken.getLocalPort())));
      args.addAll(List.of(more));
      MainElsewhere.Ended ended = MainElsewhere.run(directory, List.of(), args);
      assertEquals(ExitStatus.BAD_INPUT, ended.status(), ended::said);
      assertTrue(ended.said().contains("port " + taken.getLocalPort()), ended::said);
      return ended.said();
    }
  }

  @Test
  void nodesArePlannedByTheTablesWhereQosPlanLooksForThem() throws Exception {
    file(FOR_CLIENTS);
    Files.createDirectories(directory.resolve("tables"));
    table("tables/two.csv", "8,1,20,1\n8,2,8,1\n8,3,7,1\n");
    String planned = upThatFails();
    assertTrue(
        planned.contains("nodes are planned by the tables of ./tables, as by \"ecstore qos plan"),
        planned);
    assertTrue(planned.contains("2 nodes") && planned.contains("tables/two.csv"), planned);

    String given = upThatFails("--nodes", "1");
    assertTrue(given.contains("not planned, as their number or kinds are given: "), given);
    assertFalse(given.contains("tables/two.csv"), given);

    table("tables/two.csv", "8,1,20,1\n8,2,18,1\n");
    String none = upThatFails();
    assertTrue(
        none.contains("nodes are not planned by the tables of ./tables: no plan for 8 clients"),
        none);
    assertTrue(none.contains("nearest: 2 nodes"), none);
  }

  @Test
  void whereThereIsNoPlanItIsSaidWhatWouldFit() throws IOException {
    String table = table("slow.csv", "4,1,8,1\n4,2,7,1\n8,1,20,1\n8,2,18,1\n");
    String[] planned = {"--slo", file(FOR_CLIENTS), "--table", table};
    upRefused("no plan for 8 clients with a mean response time of 9 ms; because: ", planned);
    upRefused("; these are fast enough for: ", planned);
    upRefused("; nearest: 2 nodes: ", planned);
    String old = table("old.csv", "# build: 0.0.1\n8,1,8,1\n");
    upRefused("it was measured on build 0.0.1", "--slo", planned[1], "--table", old);
    upRefused(
        "--table plans nodes of one kind",
        "--slo",
        planned[1],
        "--engines",
        "je,redis",
        "--table",
        table("good.csv", "8,1,8,1\n"));
  }

  @Test
  void aPlanIsOfOneApplication() throws IOException {
    String table = table("good.csv", "8,1,8,1\n");
    String two = file(FOR_CLIENTS + "[mail]\nclients = 8\nmean = \"9ms\"\ntables = [\"m\"]\n");
    upRefused("say which one by --application", "--slo", two, "--table", table);
    String[] ofMail = {
      "--slo", two, "--table", table, "--application", "mail", "--nodes", "2", "--nodes-max", "1"
    };
    upRefused("there shall be 2 nodes", ofMail);
    upRefused("--table goes with --slo", "--table", table);
    upRefused("--application goes with --table", "--slo", two, "--application", "mail");
  }

  private static UpCommand.Kept kept(Optional<ControlMode> mode, Optional<Integer> nodesMax) {
    return new UpCommand.Kept(Path.of("slo.toml"), List.of(), mode, nodesMax);
  }

  @Test
  void whatStandsOfTheControllerStaysUnlessAnOptionSaysOtherwise() {
    UpCommand.Kept unsaid = kept(Optional.empty(), Optional.empty());
    ControlSettings first = UpCommand.settings(unsaid, ControlSettings.DEFAULT, true, 3);
    assertEquals(new ControlSettings(ControlMode.ACT, 6, 0), first);
    assertEquals(first, UpCommand.settings(unsaid, first, false, 6));
    ControlSettings frozen = new ControlSettings(ControlMode.FREEZE, 4, 300);
    assertEquals(frozen, UpCommand.settings(unsaid, frozen, false, 3));
    assertEquals(frozen, UpCommand.settings(unsaid, frozen, true, 3));
    assertEquals(
        ControlSettings.DEFAULT, UpCommand.settings(unsaid, ControlSettings.DEFAULT, false, 3));
    assertEquals(
        new ControlSettings(ControlMode.ASK, 5, 300),
        UpCommand.settings(kept(Optional.of(ControlMode.ASK), Optional.of(5)), frozen, false, 3));
  }

  @Test
  void nodesShareTheMachineWithTheirClients() {
    assertEquals(new BigDecimal("0.18"), UpCommand.share(2, 6));
    assertEquals(new BigDecimal("0.55"), UpCommand.share(4, 4));
    assertEquals(new BigDecimal("0.01"), UpCommand.share(1, 1000));
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

  @Test
  void thereIsANodeAtLeast() throws IOException {
    for (String wrong : List.of("0", "-1", "33")) {
      upRefused("--nodes must be from 1 to 32, not " + wrong, "--nodes", wrong);
      String[] kept = {"--slo", file(SHOP), "--nodes", wrong};
      upRefused("--nodes must be from 1 to 32, not " + wrong, kept);
    }
  }
}
