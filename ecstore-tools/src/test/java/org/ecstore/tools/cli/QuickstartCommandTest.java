package org.ecstore.tools.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.server.ClusterSettings;
import org.ecstore.server.LocalCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The whole first run, as the user sees it. */
@Timeout(300)
class QuickstartCommandTest {
  private static final List<String> FIELDS =
      List.of(
          "nodes",
          "users",
          "friendships",
          "committed",
          "aborted",
          "retried",
          "scannedRecords",
          "asymmetric",
          "lost",
          "seconds");

  @TempDir Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int quickstart(Object... arguments) {
    List<String> words = new ArrayList<>(List.of("quickstart"));
    for (Object argument : arguments) {
      words.add(argument.toString());
    }
    CommandLine commandLine = EcStoreMain.commandLine();
    commandLine.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    return commandLine.execute(words.toArray(String[]::new));
  }

  private JsonNode lastLine() throws IOException {
    List<String> lines = out.toString().lines().toList();
    return new ObjectMapper().readTree(lines.getLast());
  }

  @Test
  void theKarateClubBefriendsAndNothingIsLost() throws IOException {
    assertEquals(ExitStatus.OK, quickstart("--json"), err::toString);
    JsonNode result = lastLine();
    List<String> names = new ArrayList<>();
    result.fieldNames().forEachRemaining(names::add);
    assertEquals(FIELDS, names.subList(0, FIELDS.size()));
    assertEquals(4, result.get("nodes").asInt());
    assertEquals(34, result.get("users").asInt());
    assertEquals(78, result.get("friendships").asInt());
    assertEquals(78, result.get("committed").asInt());
    assertEquals(0, result.get("asymmetric").asInt());
    assertEquals(0, result.get("lost").asInt());
    assertTrue(result.get("scannedRecords").asInt() >= 3 * 34);
    assertEquals("", err.toString());
  }

  @Test
  void theSummarySaysWhereEachRangeLives() {
    assertEquals(ExitStatus.OK, quickstart("--nodes", 2, "--clients", 3), err::toString);
    String text = out.toString();
    assertTrue(text.contains("78 friendships"), text);
    assertTrue(text.contains("from the beginning"), text);
    assertTrue(text.contains("n3 while the work went on"), text);
    assertTrue(text.contains("0 friendships asymmetric, 0 lost"), text);
  }

  @Test
  void aKeptDirectoryIsOpenedAgainAndHoldsItsFriendships() throws IOException {
    Path kept = directory.resolve("kept");
    Path edges = Files.writeString(directory.resolve("edges.txt"), "1 2\n2 3\n3 1\n2 1\n4 4\n");
    assertEquals(
        ExitStatus.OK, quickstart("--edges", edges, "--dir", kept, "--json"), err::toString);
    assertEquals(3, lastLine().get("committed").asInt());
    assertTrue(
        err.toString().contains("left out 1 repeated edges and 1 from a user to himself"),
        err.toString());
    Files.writeString(edges, "1 2\n2 3\n3 1\n1 4\n");
    assertEquals(
        ExitStatus.OK, quickstart("--edges", edges, "--dir", kept, "--json"), err::toString);
    assertEquals(4, lastLine().get("friendships").asInt());
    assertEquals(1, lastLine().get("committed").asInt(), "three were friends already");
    assertEquals(4, lastLine().get("nodes").asInt(), "it has its fourth node already");
  }

  @Test
  void aMissingEdgeFileIsNamed() {
    Path missing = directory.resolve("not-there.txt");
    assertEquals(ExitStatus.BAD_INPUT, quickstart("--edges", missing));
    assertTrue(err.toString().contains(missing + ": no such file"), err.toString());
  }

  @Test
  void aMalformedEdgeIsNamedByItsLine() throws IOException {
    Path edges = Files.writeString(directory.resolve("edges.txt"), "1 2\n1 x\n");
    assertEquals(ExitStatus.BAD_INPUT, quickstart("--edges", edges));
    assertTrue(err.toString().contains(edges + ", line 2: "), err.toString());
    assertEquals(1, err.toString().lines().count());
  }

  @Test
  void aDirectoryThatCannotBeWrittenToIsNamed() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "not a directory");
    assertEquals(ExitStatus.BAD_INPUT, quickstart("--dir", file.resolve("below")));
    assertTrue(err.toString().contains("cannot be written to"), err.toString());
  }

  @Test
  void anEmptyDirectoryNameIsNotTheWorkingDirectory() {
    assertEquals(ExitStatus.BAD_INPUT, quickstart("--dir", ""));
    assertTrue(err.toString().contains("--dir is empty"), err.toString());
  }

  @Test
  void aDirectoryInUseIsSaidToBe() throws IOException {
    try (LocalCluster cluster =
        LocalCluster.start(directory, ClusterSettings.DEFAULT.withNodes(1))) {
      assertEquals(ExitStatus.BAD_INPUT, quickstart("--dir", directory));
      assertTrue(err.toString().contains("in use"), err.toString());
      assertFalse(cluster.nodes().isEmpty());
    }
  }

  @Test
  void numbersOutOfRangeAreRefused() {
    assertEquals(ExitStatus.BAD_INPUT, quickstart("--clients", 0));
    assertEquals(ExitStatus.BAD_INPUT, quickstart("--nodes", 33));
  }
}
